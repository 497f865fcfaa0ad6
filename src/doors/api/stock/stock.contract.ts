import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import { availableOf, ON_HAND_MAX, type StockRow } from '../../../trust/facts/index.js';
import { pageOf, pageQuery } from '../tenants/pieces.js';
import { chosenId } from '../wire.js';

const variantParams = z.strictObject({
  variant_id: chosenId.meta({ description: 'A slash in it is sent as %2F.' }),
});

const stockView = z.strictObject({
  merchant_id: z.string(),
  variant_id: z.string(),
  on_hand: z.int().meta({ description: 'Pieces there are, held ones included.' }),
  held: z.int().meta({ description: 'Pieces set aside for payments that may still come.' }),
  available: z.int().meta({ description: 'on_hand less held: what rule 5 sees.' }),
});

export const printStock = (row: StockRow): z.input<typeof stockView> => ({
  merchant_id: row.merchantId,
  variant_id: row.variantId,
  on_hand: row.onHand,
  held: row.held,
  available: availableOf(row),
});

export const setStock = route({
  method: 'PUT',
  path: '/v1/stock/{variant_id}',
  summary: 'Set the stock of a variant',
  description:
    'Stock is optional. Once it is set, a purchase is judged by the lower of it and the signed inventory fact, a payment ' +
    'that may still come holds its pieces, and a payment that came takes them. on_hand counts all pieces there are, held ' +
    'ones included; fewer than are held is a conflict. A variant whose stock was never set is judged by the fact alone.',
  tag: 'stock',
  access: ['merchant_system', 'operator', 'tenant_admin'],
  idempotency: 'optional',
  params: variantParams,
  body: z.strictObject({ merchant_id: chosenId, on_hand: z.int().min(0).max(ON_HAND_MAX) }),
  examples: { twenty: { merchant_id: 'my-shop', on_hand: 20 } },
  success: { status: 200, body: stockView },
  problems: ['not_found', 'conflict'],
});

const reading = {
  method: 'GET',
  tag: 'stock',
  access: ['merchant_system', 'operator', 'tenant_admin', 'auditor'],
  idempotency: 'none',
  problems: ['not_found'],
} as const;

export const listStock = route({
  ...reading,
  path: '/v1/stock',
  summary: 'The stock a merchant keeps here, by variant id',
  query: pageQuery.extend({ merchant_id: chosenId, cursor: chosenId.optional() }),
  success: { status: 200, body: pageOf(stockView) },
});

export const readStock = route({
  ...reading,
  path: '/v1/stock/{variant_id}',
  summary: 'The stock of one variant',
  params: variantParams,
  query: z.strictObject({ merchant_id: chosenId }),
  success: { status: 200, body: stockView },
});
