import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { CatalogRows, Policies } from '../../../trust/facts/index.js';
import { pageOf, pageQuery } from '../tenants/pieces.js';
import { chosenId, moneyOutput, printAmount } from '../wire.js';
import { imageUrl, policiesForm, priceInput, title } from './pieces.js';

const productView = z.strictObject({
  merchant_id: z.string(),
  product_id: z.string(),
  title: z.string(),
  image_url: z.string().nullable(),
  listed: z.boolean(),
  revision: z.int(),
});
const variantView = z.strictObject({
  merchant_id: z.string(),
  variant_id: z.string(),
  product_id: z.string(),
  title: z.string().nullable(),
  revision: z.int(),
});
const priceView = z.strictObject({
  merchant_id: z.string(),
  variant_id: z.string(),
  price: moneyOutput,
  revision: z.int().meta({
    description: 'Grows with every other price: the fact of an earlier one is never renewed.',
  }),
});
const policiesView = z.strictObject({
  merchant_id: z.string(),
  policies: policiesForm.nullable().meta({ description: 'null: the merchant states none.' }),
});

export const printProduct = (row: CatalogRows['products']): z.input<typeof productView> => ({
  merchant_id: row.merchantId,
  product_id: row.productId,
  title: row.title,
  image_url: row.imageUrl,
  listed: row.isListed,
  revision: row.revision,
});
export const printVariant = (row: CatalogRows['variants']): z.input<typeof variantView> => ({
  merchant_id: row.merchantId,
  variant_id: row.variantId,
  product_id: row.productId,
  title: row.title,
  revision: row.revision,
});
export const printPrice = (row: CatalogRows['prices']): z.input<typeof priceView> => ({
  merchant_id: row.merchantId,
  variant_id: row.variantId,
  price: printAmount(row.amountMinor, row.currency),
  revision: row.revision,
});
export const printPolicies = (
  merchantId: string,
  policies: Policies | null,
): z.input<typeof policiesView> => {
  if (policies === null) return { merchant_id: merchantId, policies: null };
  const { returns, warranty, fulfillment, cancellation, support, jurisdictions } = policies;
  const texts = { returns, warranty, fulfillment, cancellation, support };
  return { merchant_id: merchantId, policies: { ...texts, jurisdictions: [...jurisdictions] } };
};

const ANEW =
  ' If its published fact was revoked, setting it, even as it was, says that it holds again: a new fact with a place of ' +
  'its own is published. An import never does that.';

const writing = {
  method: 'PUT',
  tag: 'catalog',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'optional',
  problems: ['not_found', 'conflict'],
} as const;
const reading = {
  method: 'GET',
  tag: 'catalog',
  access: ['merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  problems: ['not_found'],
} as const;
const ofMerchant = z.strictObject({ merchant_id: chosenId });
const listQuery = pageQuery.extend({ merchant_id: chosenId, cursor: chosenId.optional() });
const namedId = chosenId.meta({ description: 'A slash in it is sent as %2F.' });
const productParams = z.strictObject({ product_id: namedId });
const variantParams = z.strictObject({ variant_id: namedId });

export const setProduct = route({
  ...writing,
  path: '/v1/catalog/products/{product_id}',
  summary: 'Set a product of the catalogue',
  description: `Facts are published of products that are listed. A product that is not listed any more is renewed no more: its fact ends within 15 minutes; revoke it to stop it at once.${ANEW}`,
  params: productParams,
  body: z.strictObject({
    merchant_id: chosenId,
    title,
    image_url: imageUrl.nullable().default(null),
    listed: z.boolean().default(true),
  }),
  examples: { tea: { merchant_id: 'my-shop', title: 'Masala chai' } },
  success: { status: 200, body: productView },
});

export const listProducts = route({
  ...reading,
  path: '/v1/catalog/products',
  summary: 'The products of a merchant, by id',
  query: listQuery,
  success: { status: 200, body: pageOf(productView) },
});

export const readProduct = route({
  ...reading,
  path: '/v1/catalog/products/{product_id}',
  summary: 'One product',
  params: productParams,
  query: ofMerchant,
  success: { status: 200, body: productView },
});

export const setVariant = route({
  ...writing,
  path: '/v1/catalog/variants/{variant_id}',
  summary: 'Set a variant of a product',
  description: `A variant is what is bought: it has a price and a stock, and stays with its product.${ANEW}`,
  params: variantParams,
  body: z.strictObject({
    merchant_id: chosenId,
    product_id: chosenId,
    title: title.nullable().default(null),
  }),
  examples: { tea: { merchant_id: 'my-shop', product_id: 'masala-chai', title: '250 g' } },
  success: { status: 200, body: variantView },
});

export const listVariants = route({
  ...reading,
  path: '/v1/catalog/variants',
  summary: 'The variants of a merchant, by id',
  query: listQuery,
  success: { status: 200, body: pageOf(variantView) },
});

export const readVariant = route({
  ...reading,
  path: '/v1/catalog/variants/{variant_id}',
  summary: 'One variant',
  params: variantParams,
  query: ofMerchant,
  success: { status: 200, body: variantView },
});

export const setPrice = route({
  ...writing,
  path: '/v1/catalog/prices/{variant_id}',
  summary: 'Set the price of a variant',
  description: `From this entry on purchases are judged by this price; its fact is published when it is first read. The fact of the price before ends within 300 seconds and is given to nobody any more.${ANEW}`,
  params: variantParams,
  body: z.strictObject({ merchant_id: chosenId, price: priceInput }),
  examples: {
    rupees: { merchant_id: 'my-shop', price: { amount: '45900', currency: 'INR' } },
  },
  success: { status: 200, body: priceView },
});

export const listPrices = route({
  ...reading,
  path: '/v1/catalog/prices',
  summary: 'The prices of a merchant, by variant id',
  query: listQuery,
  success: { status: 200, body: pageOf(priceView) },
});

export const readPrice = route({
  ...reading,
  path: '/v1/catalog/prices/{variant_id}',
  summary: 'The price of one variant',
  params: variantParams,
  query: ofMerchant,
  success: { status: 200, body: priceView },
});

export const setPolicies = route({
  ...writing,
  path: '/v1/catalog/policies',
  summary: 'Set the policies of a merchant',
  description: `What the policy fact says. Other policies are another fact.${ANEW} The same holds for the protocol fact of the merchant.`,
  body: policiesForm.extend({ merchant_id: chosenId }),
  success: { status: 200, body: policiesView },
});

export const readPolicies = route({
  ...reading,
  path: '/v1/catalog/policies',
  summary: 'The policies of a merchant',
  query: ofMerchant,
  success: { status: 200, body: policiesView },
});
