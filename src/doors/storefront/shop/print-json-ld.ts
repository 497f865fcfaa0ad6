import { formatInstant } from '../../../core/kernel/index.js';
import type { Availability, ShopProduct, ShopVariant } from '../../../trust/facts/index.js';
import { plainWords, safeImageUrl } from './plain-words.js';
import { printDecimal, productUrl } from './product-words.js';

/** What schema.org calls it; what is not known is not said. */
const AVAILABILITY: Readonly<Record<Availability, string | null>> = {
  in_stock: 'https://schema.org/InStock',
  out_of_stock: 'https://schema.org/OutOfStock',
  unknown: null,
};

/**
 * A schema.org Product with an Offer for each variant. `priceValidUntil` is an instant, not a day: a signed price lives for
 * minutes. No ratings and no reviews: nobody signs them.
 */
export function jsonLdOf(origin: string, product: ShopProduct): Readonly<Record<string, unknown>> {
  const url = productUrl(origin, product);
  const image = safeImageUrl(product.imageUrl);
  const offers = product.variants.map((variant) => offerOf(variant, { product, url }));
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': url,
    name: plainWords(product.title),
    productID: product.productId,
    ...(image === null ? {} : { image }),
    url,
    offers: offers.length === 1 ? offers[0] : offers,
  };
}

const offerOf = (
  { variantId, title, price, availability, validUntilMs }: ShopVariant,
  { product, url }: { readonly product: ShopProduct; readonly url: string },
): Readonly<Record<string, unknown>> => ({
  '@type': 'Offer',
  sku: variantId,
  ...(title === null ? {} : { name: plainWords(title) }),
  price: printDecimal(price),
  priceCurrency: price.currency,
  priceValidUntil: formatInstant(validUntilMs),
  ...(AVAILABILITY[availability] === null ? {} : { availability: AVAILABILITY[availability] }),
  url,
  seller: { '@type': 'Organization', name: plainWords(product.merchantName) },
});

/** JSON that ends no script element and opens no comment in one, whatever its texts say. */
export const printForScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
