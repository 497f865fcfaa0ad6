import { AMOUNT_MINOR_MAX, invariant } from '../../kernel/index.js';
import type { CartFacts, CartLine, PurchaseCounters } from '../facts.js';
import { isName } from './credential.js';

/** Pieces one line may ask for. Far above any real order; it keeps every sum of quantities exact. */
export const LINE_QUANTITY_MAX = 1_000_000;

/** Lines one cart may have (decisions 1.8). */
export const CART_LINES_MAX = 100;

/** Above the cap; equal passes. */
export function exceeds(amountMinor: bigint, capMinor: bigint): boolean {
  invariant(
    typeof amountMinor === 'bigint' && typeof capMinor === 'bigint',
    'amounts and caps are minor units',
  );
  return amountMinor > capMinor;
}

/** What the buyer would pay. INVARIANT: a cart that reaches the rules has a total above zero; the doors compute it. */
export function payableMinor(cart: CartFacts): bigint {
  invariant(isAmount(cart.totalMinor) && cart.totalMinor > 0n, 'the total of a cart is positive');
  return cart.totalMinor;
}

/** A sum that was read under the lock. INVARIANT: money once counted is never negative. */
export function countedMinor(sumMinor: bigint): bigint {
  invariant(typeof sumMinor === 'bigint' && sumMinor >= 0n, 'counted sums are not negative');
  return sumMinor;
}

/**
 * What is spent under an intent, as read under the lock. Entries of before each had its own sum say only what is spent
 * under the one most drawn on: it stands for all. INVARIANT: else every intent named has its sum, none above that.
 */
export function spentUnder(counters: PurchaseCounters, ref: string): bigint {
  const mostMinor = countedMinor(counters.intentSpentMinor);
  const sums = counters.intentsSpent;
  invariant(Array.isArray(counters.intentsSpent), 'spending under intents is a list');
  if (sums.length === 0) return mostMinor;
  for (const { spentMinor } of sums)
    invariant(countedMinor(spentMinor) <= mostMinor, 'no intent is drawn on more than the most');
  const own = sums.find((spent) => spent.ref === ref);
  invariant(own !== undefined, 'what is spent under an intent is read when it is named');
  return own.spentMinor;
}

/** What is left of each variant, as read under the lock. INVARIANT: a variant has a name, and pieces never fall below none. */
export function countedStock({ stock }: PurchaseCounters): PurchaseCounters['stock'] {
  invariant(isList(stock), 'stock is a list');
  for (const { variantId, quantityAvailable } of stock) {
    invariant(isName(variantId), 'stock is of a variant');
    invariant(
      Number.isSafeInteger(quantityAvailable) && quantityAvailable >= 0,
      'stock is a number of pieces',
    );
  }
  return stock;
}

/** Mandates that were used, as read under the lock. INVARIANT: a list of names, so that no garbage reads as "none". */
export function usedMandates({ usedMandateRefs }: PurchaseCounters): readonly string[] {
  invariant(isList(usedMandateRefs) && usedMandateRefs.every(isName), 'used mandates are named');
  return usedMandateRefs;
}

/** Pieces per variant, over all lines that name it. */
export function piecesByVariant(
  lines: readonly Pick<CartLine, 'variantId' | 'quantity'>[],
): ReadonlyMap<string, number> {
  const pieces = new Map<string, number>();
  for (const { variantId, quantity } of lines)
    pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity);
  return pieces;
}

/** A whole number of pieces, at least one. */
export const isQuantity = (quantity: number): boolean =>
  Number.isSafeInteger(quantity) && quantity >= 1 && quantity <= LINE_QUANTITY_MAX;

/** The pieces of an order: the sum of the quantities over its lines (facts/arbiter.md D8). */
export function itemsOf(cart: CartFacts): number {
  invariant(
    cart.lines.length > 0 && cart.lines.length <= CART_LINES_MAX,
    'a cart has 1 to 100 lines',
  );
  let items = 0;
  for (const { quantity } of cart.lines) {
    invariant(isQuantity(quantity), 'every line asks for at least one piece');
    items += quantity;
  }
  return items;
}

/**
 * INVARIANT: the doors compute a cart's sums from its lines; they are never taken from a request.
 * Subtotal = the lines; total = subtotal - discount + tax + shipping (tax that prices include already is not added here).
 */
export function requireSums(cart: CartFacts): void {
  let linesMinor = 0n;
  for (const { quantity, unitPriceMinor } of cart.lines) {
    invariant(isAmount(unitPriceMinor), 'unit prices are not negative');
    linesMinor += BigInt(quantity) * unitPriceMinor;
  }
  const { subtotalMinor, discountMinor, taxMinor, shippingMinor } = cart;
  invariant(
    isAmount(subtotalMinor) &&
      isAmount(discountMinor) &&
      isAmount(taxMinor) &&
      isAmount(shippingMinor),
    'the parts of a total are not negative',
  );
  invariant(subtotalMinor === linesMinor, 'the subtotal is the sum of the lines');
  invariant(
    payableMinor(cart) === subtotalMinor - discountMinor + taxMinor + shippingMinor,
    'the total is the sum of its parts',
  );
}

/** Told apart without changing what the compiler knows of the items. */
const isList = (value: unknown): boolean => Array.isArray(value);

const isAmount = (amountMinor: bigint): boolean =>
  typeof amountMinor === 'bigint' && amountMinor >= 0n && amountMinor <= AMOUNT_MINOR_MAX;
