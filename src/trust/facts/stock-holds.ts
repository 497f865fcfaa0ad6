import {
  cell,
  type CellRef,
  type CellView,
  event,
  type EventType,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { codec, type Decoded, err, invariant, ok, type Result } from '../../core/kernel/index.js';
import {
  type CartLine,
  isQuantity,
  piecesByVariant,
  type PurchaseCounters,
} from '../../core/rules/index.js';
import { stock, stockHeld, stockReturned, type StockRow, stockTaken } from './stock.ledger.js';

/**
 * Stock as the commands of money move it, inside their own `decide`: one transaction with the payment. Pure.
 * All of it reads the cells of {@link stockCells}, and sees the stock as it was before the command: a command moves the
 * stock of one payment once.
 */

type Line = Pick<CartLine, 'variantId' | 'quantity'>;

const heldPieces = codec.record({ variantId: codec.text, quantity: codec.integer });
export type HeldPieces = Decoded<typeof heldPieces>;

/** What one payment holds, each variant once; stored with the payment, so that exactly this is returned or taken. */
export const heldStock = codec.list(heldPieces);

/** Pieces that were set aside for one payment. */
export interface StockHold {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly held: readonly HeldPieces[];
}

/** Why nothing was held: of several short variants the one with the smallest id. */
export interface ShortStock {
  readonly variantId: string;
  readonly quantity: number;
  readonly available: number;
}

/** The cells of a cart's or a hold's variants, each once. */
export const stockCells = (
  merchantId: string,
  lines: readonly Pick<Line, 'variantId'>[],
): readonly CellRef[] => variantsOf(lines).map((variantId) => cell(stock, merchantId, variantId));

/** What rule 5 sees of the stock of a cart: the variants that the merchant keeps here, by id. */
export const stockSeen = (
  view: CellView,
  merchantId: string,
  lines: readonly Pick<Line, 'variantId'>[],
): PurchaseCounters['stock'] =>
  variantsOf(lines).flatMap((variantId) => {
    const row = view.get(stock, [merchantId, variantId]);
    return row === undefined ? [] : [{ variantId, quantityAvailable: availableOf(row) }];
  });

/** Pieces that nobody holds. */
export const availableOf = ({ onHand, held }: Pick<StockRow, 'onHand' | 'held'>): number =>
  onHand - held;

/**
 * Sets the pieces of a cart aside: all lines of a variant together, only variants whose stock is kept here.
 * All or nothing: one variant that is short, and no event is returned.
 */
export function holdStock(
  view: CellView,
  { merchantId, paymentId, lines }: Omit<StockHold, 'held'> & { readonly lines: readonly Line[] },
): Result<
  { readonly events: readonly LedgerEvent[]; readonly held: StockHold['held'] },
  ShortStock
> {
  for (const { quantity } of lines) invariant(isQuantity(quantity), 'pieces to hold are counted');
  const pieces = piecesByVariant(lines);
  const held: HeldPieces[] = [];
  for (const { variantId, quantityAvailable } of stockSeen(view, merchantId, lines)) {
    const quantity = pieces.get(variantId);
    invariant(quantity !== undefined, 'every variant of the lines is counted');
    if (quantity > quantityAvailable)
      return err({ variantId, quantity, available: quantityAvailable });
    held.push({ variantId, quantity });
  }
  return ok({ events: moves(stockHeld, { merchantId, paymentId, held }), held });
}

/** Frees what a payment held: it cannot come any more. INVARIANT: never more than is held. */
export function returnStock(view: CellView, hold: StockHold): readonly LedgerEvent[] {
  requireHeld(view, hold);
  return moves(stockReturned, hold);
}

/**
 * Takes what a payment was promised: it came. `stillHeld` false: the hold was returned before (a late payment), so it
 * takes what nobody else holds, down to nothing; `short` true says that less was there than was sold, and a person has
 * to look at the payment. INVARIANT: never more than is held, or than is there.
 */
export function takeStock(
  view: CellView,
  hold: StockHold,
  { stillHeld }: { readonly stillHeld: boolean },
): { readonly events: readonly LedgerEvent[]; readonly short: boolean } {
  if (stillHeld) {
    requireHeld(view, hold);
    return { events: moves(stockTaken, hold), short: false };
  }
  requireSound(hold.held);
  const there = hold.held.map(({ variantId, quantity }) => ({
    variantId,
    quantity: Math.min(quantity, availableOf(rowOf(view, hold.merchantId, variantId))),
  }));
  const again = { ...hold, held: there.filter(({ quantity }) => quantity > 0) };
  return {
    // Pieces are always held before they are taken, if only for this one transaction.
    events: [...moves(stockHeld, again), ...moves(stockTaken, again)],
    short: there.some(({ quantity }, index) => quantity !== hold.held[index]?.quantity),
  };
}

function requireHeld(view: CellView, { merchantId, held }: StockHold): void {
  requireSound(held);
  for (const { variantId, quantity } of held)
    invariant(
      quantity <= rowOf(view, merchantId, variantId).held,
      'a payment gives back or takes no more than is held',
    );
}

function requireSound(held: StockHold['held']): void {
  invariant(variantsOf(held).length === held.length, 'a hold names a variant once');
  for (const { quantity } of held)
    invariant(Number.isSafeInteger(quantity) && quantity > 0, 'a hold is of whole pieces');
}

function rowOf(view: CellView, merchantId: string, variantId: string): StockRow {
  const row = view.get(stock, [merchantId, variantId]);
  invariant(row !== undefined, 'stock that was held is kept for good');
  return row;
}

const moves = (
  eventType: EventType<HeldPieces & Omit<StockHold, 'held'>>,
  { merchantId, paymentId, held }: StockHold,
): readonly LedgerEvent[] =>
  held.map((pieces) => event(eventType, { merchantId, paymentId, ...pieces }));

const variantsOf = (lines: readonly Pick<Line, 'variantId'>[]): readonly string[] =>
  [...new Set(lines.map(({ variantId }) => variantId))].sort();
