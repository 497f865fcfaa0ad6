import { below, NO_SHA256, once, refusals, type Row, SHA256, type TableCases } from './shape.js';

const NEVER_BACK = /a revision of \w+ never goes back/;
const KEEPS = /a renewed fact keeps its slot, and only a new revision has another/;
const STAYS = /a variant stays with its product, and its revision never goes back/;
const OTHER_AMOUNT = /another amount is another revision, and a revision never goes back/;

const SECOND: Row = { revision: 1 };
const PRICE: Row = {
  artifact_type: 'price',
  issued_at_ms: 5,
  expires_at_ms: 10,
};

export const CATALOG_TABLES: Readonly<Record<string, TableCases>> = {
  catalog_products: {
    guards: {
      ...once('catalog_products_pkey'),
      catalog_products_revision: below('revision'),
      catalog_products_go_on: refusals(
        ['UPDATE catalog_products SET revision = 0'],
        NEVER_BACK,
        SECOND,
      ),
    },
  },
  catalog_variants: {
    after: ['catalog_products'],
    guards: {
      ...once('catalog_variants_pkey'),
      catalog_variants_product: { insert: { product_id: 'other' } },
      catalog_variants_revision: below('revision'),
      catalog_variants_go_on: refusals(
        [
          'UPDATE catalog_variants SET revision = 0',
          `UPDATE catalog_variants SET product_id = 'other'`,
        ],
        STAYS,
        SECOND,
      ),
    },
  },
  catalog_prices: {
    base: { currency: 'INR' },
    after: ['catalog_variants'],
    guards: {
      ...once('catalog_prices_pkey'),
      catalog_prices_variant: { insert: { variant_id: 'other' } },
      catalog_prices_revision: below('revision'),
      catalog_prices_amount: [
        below('amount_minor'),
        { insert: { amount_minor: '9007199254740992' } },
      ],
      catalog_prices_currency: { insert: { currency: 'inr' } },
      catalog_prices_go_on: refusals(
        [
          'UPDATE catalog_prices SET revision = 0',
          'UPDATE catalog_prices SET amount_minor = 2',
          `UPDATE catalog_prices SET currency = 'USD'`,
        ],
        OTHER_AMOUNT,
        SECOND,
      ),
    },
  },
  catalog_policies: {
    guards: {
      ...once('catalog_policies_pkey'),
      catalog_policies_revision: below('revision'),
      catalog_policies_go_on: refusals(
        ['UPDATE catalog_policies SET revision = 0'],
        NEVER_BACK,
        SECOND,
      ),
    },
  },
  artifacts: {
    base: { payload_hash: SHA256, expires_at_ms: 1 },
    guards: {
      ...once('artifacts_pkey'),
      artifacts_payload_hash_check: { insert: { payload_hash: NO_SHA256 } },
      artifacts_life: { insert: { expires_at_ms: 0 } },
    },
  },
  fact_lineages: {
    base: PRICE,
    after: ['artifacts', 'status_slots'],
    guards: {
      fact_lineages_pkey: { again: { slot_index: 1 } },
      fact_lineages_own_slot: { again: { subject: 'other' } },
      fact_lineages_type: { insert: { artifact_type: 'offer' } },
      fact_lineages_revision: below('revision'),
      fact_lineages_quantity: { insert: { artifact_type: 'inventory', quantity: -1 } },
      fact_lineages_counted: [
        { insert: { quantity: 1 } },
        { insert: { artifact_type: 'inventory' } },
      ],
      fact_lineages_artifact: { insert: { artifact_id: 'other' } },
      fact_lineages_slot: { insert: { slot_index: 7 } },
      fact_lineages_life: { insert: { expires_at_ms: 5 } },
      fact_lineages_go_on: refusals(
        [
          'UPDATE fact_lineages SET revision = 0, slot_index = 1',
          'UPDATE fact_lineages SET issued_at_ms = 4',
          'UPDATE fact_lineages SET slot_index = 1',
          'UPDATE fact_lineages SET revision = 2',
        ],
        KEEPS,
        SECOND,
      ),
    },
  },
};
