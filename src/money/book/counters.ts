import { countsAs, drawsOnAuthority, type PaymentState } from '../payments/index.js';
import type { PaymentPart } from './payment.events.js';

/**
 * What one payment adds to the sums it counts in while no money of it is captured (facts/arbiter.md C2; decisions 3.5):
 * `openMinor` on whichever day it is, `closedMinor` on its issue day, `heldMinor` under passport and intents.
 */
export interface Counted {
  readonly openMinor: bigint;
  readonly closedMinor: bigint;
  readonly heldMinor: bigint;
}

type Amount = Pick<PaymentPart, 'amountMinor' | 'provider'>;

/** What it adds in a state; `null` = before it was started: nothing. */
export function countedIn({ amountMinor, provider }: Amount, state: PaymentState | null): Counted {
  if (state === null) return { openMinor: 0n, closedMinor: 0n, heldMinor: 0n };
  const counts = countsAs(state, provider);
  return {
    openMinor: counts === 'open' ? amountMinor : 0n,
    closedMinor: counts === 'issue_day' ? amountMinor : 0n,
    heldMinor: drawsOnAuthority(state) ? amountMinor : 0n,
  };
}

/**
 * How a move changes every sum: the only place where that is said, so that a payment counts in one place at a time
 * (facts/arbiter.md C5). From x to x is nothing.
 */
export function effectOf(
  payment: Amount,
  { from, to }: { readonly from: PaymentState | null; readonly to: PaymentState },
): Counted {
  const before = countedIn(payment, from);
  const after = countedIn(payment, to);
  return {
    openMinor: after.openMinor - before.openMinor,
    closedMinor: after.closedMinor - before.closedMinor,
    heldMinor: after.heldMinor - before.heldMinor,
  };
}

/** The part of an amount that counts against the merchant's stricter day (rule 7). */
export const awayPart = (
  { buyerAway }: Pick<PaymentPart, 'buyerAway'>,
  amountMinor: bigint,
): bigint => (buyerAway ? amountMinor : 0n);
