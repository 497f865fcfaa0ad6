import { type CanonicalValue, codec, type Decoded, invariant } from '../../../core/kernel/index.js';
import { column, defineEvent, defineProjection, when } from '../../../base/ledger/index.js';

/** The largest price a signed fact can say: its numbers are safe integers. */
export const PRICE_AMOUNT_MINOR_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const product = codec.record({
  productId: codec.text,
  title: codec.text,
  imageUrl: codec.nullable(codec.text),
  isListed: codec.flag,
  revision: codec.integer,
});
const variant = codec.record({
  variantId: codec.text,
  productId: codec.text,
  title: codec.nullable(codec.text),
  revision: codec.integer,
});
const price = codec.record({
  variantId: codec.text,
  amountMinor: codec.amountMinor,
  currency: codec.text,
  revision: codec.integer,
});
/** A table that a checkout reads (discounts, shipping, tax): its digest stands in the policy fact (decisions 7.5). */
const policyTable = codec.record({
  name: codec.text,
  version: codec.text,
  sha256: codec.text,
});
const policies = codec.record({
  returns: codec.text,
  warranty: codec.text,
  fulfillment: codec.text,
  cancellation: codec.text,
  support: codec.text,
  jurisdictions: codec.list(codec.text),
  tables: codec.list(policyTable),
});
export type Policies = Decoded<typeof policies>;

/**
 * Rows of a merchant's catalogue as they are from this entry on; only rows that changed. `revision` counts the states a
 * fact is made from: that of a price grows with another amount, every one with being set anew after its fact was revoked.
 */
export const catalogChanged = defineEvent(
  'catalog.changed',
  codec.record({
    merchantId: codec.text,
    products: codec.list(product),
    variants: codec.list(variant),
    prices: codec.list(price),
    policies: codec.nullable(codec.record({ policies, revision: codec.integer })),
  }),
);
export type CatalogChanged = Decoded<typeof catalogChanged.data>;

export type ProductRow = Decoded<typeof product> & { readonly merchantId: string };
export type VariantRow = Decoded<typeof variant> & { readonly merchantId: string };
export type PriceRow = Decoded<typeof price> & { readonly merchantId: string };
export interface PoliciesRow {
  readonly merchantId: string;
  readonly policies: CanonicalValue;
  readonly revision: number;
}

export const policiesOf = (row: PoliciesRow): Policies =>
  policies.decode(row.policies, 'catalog_policies.policies');

/** The item of an entry that made this row; an entry names an item once. */
function itemOf<Item>(items: readonly Item[], isIt: (item: Item) => boolean): Item {
  const item = items.find(isIt);
  invariant(item !== undefined, 'a row of the catalogue comes from an item of its entry');
  return item;
}

export const catalogProducts = defineProjection<ProductRow>({
  table: 'catalog_products',
  mode: 'update',
  key: ['merchantId', 'productId'],
  columns: {
    merchantId: column.text,
    productId: column.text,
    title: column.text,
    imageUrl: column.nullable(column.text),
    isListed: column.flag,
    revision: column.integer,
  },
  on: [
    when(catalogChanged, {
      keys: ({ merchantId, products }) => products.map(({ productId }) => [merchantId, productId]),
      evolve: (_row, { merchantId, products }, { key }) => ({
        merchantId,
        ...itemOf(products, ({ productId }) => productId === key[1]),
      }),
    }),
  ],
});

export const catalogVariants = defineProjection<VariantRow>({
  table: 'catalog_variants',
  mode: 'update',
  key: ['merchantId', 'variantId'],
  columns: {
    merchantId: column.text,
    variantId: column.text,
    productId: column.text,
    title: column.nullable(column.text),
    revision: column.integer,
  },
  on: [
    when(catalogChanged, {
      keys: ({ merchantId, variants }) => variants.map(({ variantId }) => [merchantId, variantId]),
      evolve: (_row, { merchantId, variants }, { key }) => ({
        merchantId,
        ...itemOf(variants, ({ variantId }) => variantId === key[1]),
      }),
    }),
  ],
});

export const catalogPrices = defineProjection<PriceRow>({
  table: 'catalog_prices',
  mode: 'update',
  key: ['merchantId', 'variantId'],
  columns: {
    merchantId: column.text,
    variantId: column.text,
    amountMinor: column.amountMinor,
    currency: column.text,
    revision: column.integer,
  },
  on: [
    when(catalogChanged, {
      keys: ({ merchantId, prices }) => prices.map(({ variantId }) => [merchantId, variantId]),
      evolve: (_row, { merchantId, prices }, { key }) => ({
        merchantId,
        ...itemOf(prices, ({ variantId }) => variantId === key[1]),
      }),
    }),
  ],
});

export const catalogPolicies = defineProjection<PoliciesRow>({
  table: 'catalog_policies',
  mode: 'update',
  key: ['merchantId'],
  columns: { merchantId: column.text, policies: column.json, revision: column.integer },
  on: [
    when(catalogChanged, {
      keys: ({ merchantId, policies: set }) => (set === null ? [] : [[merchantId]]),
      evolve(_row, { merchantId, policies: set }) {
        invariant(set !== null, 'policies come from an entry that sets them');
        return { merchantId, policies: policies.encode(set.policies), revision: set.revision };
      },
    }),
  ],
});
