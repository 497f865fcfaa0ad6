import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import type { ShopPage, ShopProduct, ShopVariant } from '../../../trust/facts/index.js';
import { plainWords, safeImageUrl } from './plain-words.js';
import { jsonLdOf, printForScript } from './print-json-ld.js';
import { AVAILABILITY_WORDS, printDecimal, productUrl } from './product-words.js';

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
.note { color: #555; font-size: 0.875rem; overflow-wrap: anywhere; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** A page of a shop: images are the merchant's, wherever they stand; nothing else is loaded, and nothing runs. */
export const SHOP_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    `default-src 'none'; img-src https: http:; style-src 'sha256-${styleHash}'; form-action 'none'; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Every text of somebody else's is escaped and stands apart in its direction. */
const words = (text: string): string => `<bdi>${escapeHtml(plainWords(text))}</bdi>`;

const link = (url: string, content: string): string =>
  `<a href="${escapeHtml(url)}">${content}</a>`;

/** What a shop is called: its merchants, as far as the page shows any. */
export function shopName({ products }: Pick<ShopPage, 'products'>): string {
  const names = [...new Set(products.map(({ merchantName }) => plainWords(merchantName)))];
  return names.length === 0 ? 'Shop' : names.slice(0, NAMES_MAX).join(', ');
}

const NAMES_MAX = 3;

/** The products of one page of the shop. */
export function printShopPage(origin: string, page: ShopPage): string {
  const items = page.products.map(
    (product) =>
      `<tr><td>${link(productUrl(origin, product), words(product.title))}</td><td>${priceRange(product)}</td></tr>`,
  );
  const more =
    page.next === null
      ? ''
      : `<p>${link(`${origin}/?after=${encodeURIComponent(page.next)}`, 'More products')}</p>`;
  return printPage({
    title: shopName(page),
    head: [`<link rel="alternate" type="application/json" href="${origin}/catalog.json">`],
    content: [
      items.length === 0
        ? '<p>Nothing is offered here at the moment.</p>'
        : `<table>${items.join('\n')}</table>`,
      more,
    ],
  });
}

/** Amounts of one currency from the lowest to the highest. */
function priceRange({ variants }: ShopProduct): string {
  const sorted = [...variants].sort((left, right) =>
    left.price.currency === right.price.currency
      ? Number(left.price.amountMinor - right.price.amountMinor)
      : left.price.currency < right.price.currency
        ? -1
        : 1,
  );
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return '';
  const [low, high] = [first, last].map(({ price }) => `${price.currency} ${printDecimal(price)}`);
  return escapeHtml(low === high ? String(low) : `${low} to ${high}`);
}

/** One product with its variants, and the same as data for machines. */
export function printProductPage(origin: string, product: ShopProduct): string {
  const url = productUrl(origin, product);
  const image = safeImageUrl(product.imageUrl);
  const title = plainWords(product.title);
  return printPage({
    title: `${title} - ${plainWords(product.merchantName)}`,
    heading: product.title,
    head: [
      `<link rel="canonical" href="${escapeHtml(url)}">`,
      `<link rel="alternate" type="application/json" href="${escapeHtml(`${url}.json`)}">`,
      `<link rel="alternate" type="application/ld+json" href="${escapeHtml(`${url}.jsonld`)}">`,
      `<script type="application/ld+json">${printForScript(jsonLdOf(origin, product))}</script>`,
    ],
    content: [
      image === null ? '' : `<p><img src="${escapeHtml(image)}" alt="${escapeHtml(title)}"></p>`,
      `<p>Sold by ${words(product.merchantName)}</p>`,
      `<table>${product.variants.map(printVariantRow).join('\n')}</table>`,
      `<p class="note">Signed facts: ${escapeHtml(artifactIds(product).join(', '))}</p>`,
      `<p>${link(`${origin}/`, 'All products')}</p>`,
    ],
  });
}

const artifactIds = ({ fact, variants }: ShopProduct): readonly string[] =>
  [fact, ...variants.flatMap(({ facts }) => facts)].map(({ artifactId }) => artifactId);

const printVariantRow = ({
  variantId,
  title,
  price,
  availability,
  validUntilMs,
}: ShopVariant): string =>
  [
    `<tr><td>${words(title ?? variantId)}</td>`,
    `<td>${price.currency} ${printDecimal(price)}</td>`,
    `<td>${AVAILABILITY_WORDS[availability]}</td>`,
    `<td class="note">price holds until ${formatInstant(validUntilMs)}</td></tr>`,
  ].join('');

const printPage = ({
  title,
  heading = title,
  head,
  content,
}: {
  readonly title: string;
  readonly heading?: string;
  readonly head: readonly string[];
  readonly content: readonly string[];
}): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    ${head.join('\n    ')}
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>${words(heading)}</h1>
    ${content.filter((part) => part !== '').join('\n    ')}
  </body>
</html>
`;
