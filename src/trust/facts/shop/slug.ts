import { isChosenId } from '../../../core/kernel/index.js';

/** Longest slug: two ids of 128 characters, each character of them escaped, and the sign between them. */
export const SLUG_CHARACTERS_MAX = 513;

export interface SlugParts {
  /** Null = the tenant's oldest merchant. */
  readonly merchantId: string | null;
  readonly productId: string;
}

/**
 * How a product is named in addresses: `<product_id>` of the tenant's oldest merchant, `<merchant_id>~<product_id>` of the others.
 * An id holds no `~` and begins with a letter or digit, so `~-` and `~_` are free for what an address cannot hold:
 * a slash, and the dot before an ending by which a route is told (`x.json` is the JSON of `x`).
 */
export const slugOf = ({ merchantId, productId }: SlugParts): string =>
  [...(merchantId === null ? [] : [merchantId]), productId]
    .map((id) => id.replaceAll('/', '~-'))
    .join('~')
    .replace(/\.(?=json(?:ld)?$)/, '~_');

/** The parts of a slug, or of one in which nothing was escaped; null = no product can be named like this. */
export function partsOfSlug(slug: string): SlugParts | null {
  if (slug.length > SLUG_CHARACTERS_MAX) return null;
  const plain = slug.replaceAll('~-', '/').replace(/~_(?=json(?:ld)?$)/, '.');
  const ids = plain.split('~');
  const [first, second] = ids;
  if (first === undefined || ids.length > 2 || !ids.every(isChosenId)) return null;
  return second === undefined
    ? { merchantId: null, productId: first }
    : { merchantId: first, productId: second };
}
