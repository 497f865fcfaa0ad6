import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';
import { codec, type Decoded, invariant } from '../../core/kernel/index.js';

/** Pieces of one variant that a merchant may have on hand at most. */
export const ON_HAND_MAX = 1_000_000_000;

/** The merchant's system said how many pieces it has, held ones included. */
export const stockSet = defineEvent(
  'stock.set',
  codec.record({ merchantId: codec.text, variantId: codec.text, onHand: codec.integer }),
);

/** As {@link stockSet}, for many variants at once; each is named once. */
export const stockCounted = defineEvent(
  'stock.counted',
  codec.record({
    merchantId: codec.text,
    counts: codec.list(codec.record({ variantId: codec.text, onHand: codec.integer })),
  }),
);

const movement = codec.record({
  merchantId: codec.text,
  variantId: codec.text,
  quantity: codec.integer,
  paymentId: codec.text,
});

/** Pieces are set aside for a payment that may still come. */
export const stockHeld = defineEvent('stock.held', movement);
/** Pieces that were set aside are free again: the payment cannot come any more. */
export const stockReturned = defineEvent('stock.returned', movement);
/** Pieces that were set aside are sold. */
export const stockTaken = defineEvent('stock.taken', movement);
type Movement = Decoded<typeof movement>;

/**
 * The stock of one variant as the merchant keeps it here (decisions 3.6). No row = it keeps none here.
 * INVARIANT: 0 <= held <= on hand. The database has a constraint for each half.
 */
export interface StockRow {
  readonly merchantId: string;
  readonly variantId: string;
  readonly onHand: number;
  readonly held: number;
}

export const stock = defineProjection<StockRow>({
  table: 'stock',
  mode: 'update',
  key: ['merchantId', 'variantId'],
  columns: {
    merchantId: column.text,
    variantId: column.text,
    onHand: column.integer,
    held: column.integer,
  },
  on: [
    when(stockSet, {
      keys: ({ merchantId, variantId }) => [[merchantId, variantId]],
      evolve: (row, { merchantId, variantId, onHand }) =>
        sound({ merchantId, variantId, onHand, held: row?.held ?? 0 }),
    }),
    when(stockCounted, {
      keys: ({ merchantId, counts }) => counts.map(({ variantId }) => [merchantId, variantId]),
      evolve(row, { merchantId, counts }, { key }) {
        const variantId = String(key[1]);
        const count = counts.find((one) => one.variantId === variantId);
        invariant(count !== undefined, 'a count names its variant');
        return sound({ merchantId, variantId, onHand: count.onHand, held: row?.held ?? 0 });
      },
    }),
    when<StockRow, Movement>(stockHeld, {
      keys: keysOf,
      evolve: (row, { quantity }) => moved(row, quantity, { onHand: 0, held: 1 }),
    }),
    when<StockRow, Movement>(stockReturned, {
      keys: keysOf,
      evolve: (row, { quantity }) => moved(row, quantity, { onHand: 0, held: -1 }),
    }),
    when<StockRow, Movement>(stockTaken, {
      keys: keysOf,
      evolve: (row, { quantity }) => moved(row, quantity, { onHand: -1, held: -1 }),
    }),
  ],
});

function keysOf({ merchantId, variantId }: Movement): readonly (readonly string[])[] {
  return [[merchantId, variantId]];
}

/** The row after `quantity` pieces moved; the signs say in which direction. */
function moved(
  row: StockRow | undefined,
  quantity: number,
  sign: { readonly onHand: -1 | 0; readonly held: -1 | 1 },
): StockRow {
  invariant(row !== undefined, 'only stock that is kept moves');
  invariant(
    Number.isSafeInteger(quantity) && quantity > 0 && quantity <= ON_HAND_MAX,
    'stock moves by whole pieces',
  );
  return sound({
    ...row,
    onHand: row.onHand + sign.onHand * quantity,
    held: row.held + sign.held * quantity,
  });
}

function sound(row: StockRow): StockRow {
  invariant(
    Number.isSafeInteger(row.onHand) && row.onHand <= ON_HAND_MAX,
    'stock is a number of pieces',
  );
  invariant(row.held >= 0 && row.held <= row.onHand, 'held pieces are 0 to those on hand');
  return row;
}
