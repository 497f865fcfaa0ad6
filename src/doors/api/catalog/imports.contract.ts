import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { type CatalogChange, CHANGE_ROWS_MAX, ON_HAND_MAX } from '../../../trust/facts/index.js';
import { chosenId, currencyCode } from '../wire.js';
import { imageUrl, policiesForm, priceInput, title } from './pieces.js';
import { TABLE_KINDS } from './read-table.js';

const rows = <Row extends z.ZodType>(row: Row) => z.array(row).max(CHANGE_ROWS_MAX).default([]);

const importedView = z.strictObject({
  merchant_id: z.string(),
  products: z.int(),
  variants: z.int(),
  prices: z.int(),
  counts: z.int(),
  policies: z.boolean(),
});

/** How many rows were read; those that were so already wrote nothing. */
export const printImported = (change: CatalogChange): z.input<typeof importedView> => ({
  merchant_id: change.merchantId,
  products: change.products.length,
  variants: change.variants.length,
  prices: change.prices.length,
  counts: change.counts.length,
  policies: change.policies !== null,
});

const importing = {
  method: 'POST',
  tag: 'catalog',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'optional',
  success: { status: 200, body: importedView },
  problems: ['not_found', 'conflict'],
} as const;

export const importCatalog = route({
  ...importing,
  path: '/v1/catalog/imports',
  summary: 'Import a catalogue as JSON',
  description:
    `All rows or none, at most ${CHANGE_ROWS_MAX} of each kind. Rows that are so already write nothing; what is not named ` +
    'stays. A row may rest on another of the same request. What was revoked stays revoked, unless its price is another.',
  body: z.strictObject({
    merchant_id: chosenId,
    products: rows(
      z.strictObject({
        product_id: chosenId,
        title,
        image_url: imageUrl.nullable().default(null),
        listed: z.boolean().default(true),
      }),
    ),
    variants: rows(
      z.strictObject({
        variant_id: chosenId,
        product_id: chosenId,
        title: title.nullable().default(null),
      }),
    ),
    prices: rows(z.strictObject({ variant_id: chosenId, price: priceInput })),
    counts: rows(
      z.strictObject({ variant_id: chosenId, on_hand: z.int().min(0).max(ON_HAND_MAX) }),
    ),
    policies: policiesForm.nullable().default(null),
  }),
  examples: {
    tea: {
      merchant_id: 'my-shop',
      products: [{ product_id: 'masala-chai', title: 'Masala chai' }],
      variants: [{ variant_id: 'masala-chai-250g', product_id: 'masala-chai', title: '250 g' }],
      prices: [{ variant_id: 'masala-chai-250g', price: { amount: '45900', currency: 'INR' } }],
      counts: [{ variant_id: 'masala-chai-250g', on_hand: 12 }],
    },
  },
});

export const importTable = route({
  ...importing,
  path: '/v1/catalog/imports/{kind}',
  summary: 'Import a catalogue as CSV',
  description:
    'The body is a table with a header line (RFC 4180; a quote inside an unquoted cell is taken as it is), in UTF-8. ' +
    'products: id, title, price and perhaps image_url, each product with one variant of the same id. variants: id, ' +
    'product_id, and perhaps title and price. prices: id, price. inventory: product_id or variant_id, quantity. Prices are ' +
    `minor units in the currency of the query. All rows or none, at most ${CHANGE_ROWS_MAX}; a problem names line and column.`,
  params: z.strictObject({ kind: z.enum(TABLE_KINDS) }),
  query: z.strictObject({
    merchant_id: chosenId,
    currency: currencyCode.optional().meta({ description: 'Needed where there are prices.' }),
  }),
  csv: true,
  body: z.string().meta({ description: 'The table as text.' }),
  examples: { tea: 'id,title,price\nmasala-chai,Masala chai,45900\n' },
});
