import { formatInstant } from '../../../core/kernel/index.js';
import type { ShopFact, ShopPage, ShopProduct, ShopVariant } from '../../../trust/facts/index.js';
import { plainWords, safeImageUrl } from './plain-words.js';
import { productUrl } from './product-words.js';
import type { z } from 'zod';
import type { catalogView, productView } from './shop.contract.js';

type ProductView = z.input<typeof productView>;
type FactView = ProductView['artifacts'][number];

/** The products of a page as `/catalog.json` shows them. */
export const printCatalog = (
  origin: string,
  { products, next }: ShopPage,
): z.input<typeof catalogView> => ({
  products: products.map((product) => printProduct(origin, product)),
  next_cursor: next,
});

/** A product; its artifacts have their envelopes where those were read. */
export const printProduct = (origin: string, product: ShopProduct): ProductView => {
  const { merchantId, merchantName, productId, slug, title, imageUrl, variants, fact } = product;
  const url = productUrl(origin, product);
  return {
    merchant: { merchant_id: merchantId, name: plainWords(merchantName) },
    product_id: productId,
    slug,
    title: plainWords(title),
    image_url: safeImageUrl(imageUrl),
    url,
    json_url: `${url}.json`,
    valid_until: formatInstant(product.validUntilMs),
    artifacts: [printFact(fact, { origin, merchantId, subject: productId })],
    variants: variants.map((variant) => printVariant(variant, { origin, merchantId })),
  };
};

const printVariant = (
  { variantId, title, price, availability, facts, validUntilMs }: ShopVariant,
  place: { readonly origin: string; readonly merchantId: string },
): ProductView['variants'][number] => ({
  variant_id: variantId,
  title: title === null ? null : plainWords(title),
  price: { amount: price.amountMinor.toString(), currency: price.currency },
  availability,
  valid_until: formatInstant(validUntilMs),
  artifacts: facts.map((fact) => printFact(fact, { ...place, subject: variantId })),
});

const printFact = (
  { artifactId, type, validUntilMs, envelopeText }: ShopFact,
  {
    origin,
    merchantId,
    subject,
  }: { readonly origin: string; readonly merchantId: string; readonly subject: string },
): FactView => ({
  artifact_id: artifactId,
  artifact_type: type,
  valid_until: formatInstant(validUntilMs),
  href: `${origin}/v1/merchants/${encodeURIComponent(merchantId)}/facts/${type}/${encodeURIComponent(subject)}`,
  ...(envelopeText === null
    ? {}
    : { artifact: JSON.parse(envelopeText) as Readonly<Record<string, unknown>> }),
});
