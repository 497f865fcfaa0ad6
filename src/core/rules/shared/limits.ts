import { invariant, type ReasonOf } from '../../kernel/index.js';
import type { Failure, Observation } from '../decision.js';
import type { MerchantLimits, PurchaseCase } from '../facts.js';
import { countedMinor, exceeds, itemsOf, payableMinor } from './amounts.js';
import { amount, because, count, text } from './observe.js';

/** The codes of both rules on the merchant's limits; the catalogue gives the two the same list. */
export type LimitsCode = ReasonOf<'merchant_limits'>;

export interface LimitsJudgement {
  readonly failure: Failure<LimitsCode> | null;
  readonly observations: readonly Observation[];
  readonly notes: readonly string[];
}

/**
 * The merchant's limits in their fixed order: there are limits, the currency is allowed, amount per order, items per
 * order, daily maximum (facts/arbiter.md D7 to D9, C4). Equal passes; a daily maximum that is not set is skipped.
 */
export function judgeLimits({ facts, counters }: PurchaseCase): LimitsJudgement {
  const { cart, limits } = facts;
  const orderMinor = payableMinor(cart);
  const dayMinor = countedMinor(counters.merchantDayMinor) + orderMinor;
  const items = itemsOf(cart);
  const caps = limits === null ? null : capsFor(cart.currency, limits);
  return {
    failure: failureOf({ limits, caps, orderMinor, dayMinor, items }),
    observations: [
      text('order.currency', cart.currency),
      amount('order.total', orderMinor, caps?.orderMaxMinor ?? null),
      count('order.items', items, limits?.itemsMax ?? null),
      amount('day.total_with_order', dayMinor, caps?.dailyMaxMinor ?? null),
    ],
    notes: caps !== null && caps.dailyMaxMinor === null ? ['daily_maximum_not_set'] : [],
  };
}

interface Caps {
  readonly orderMaxMinor: bigint;
  readonly dailyMaxMinor: bigint | null;
}

interface Measured {
  readonly limits: MerchantLimits | null;
  readonly caps: Caps | null;
  readonly orderMinor: bigint;
  readonly dayMinor: bigint;
  readonly items: number;
}

function failureOf({
  limits,
  caps,
  orderMinor,
  dayMinor,
  items,
}: Measured): LimitsJudgement['failure'] {
  if (limits === null) return because('merchant_limits_missing');
  if (caps === null) return because('order_currency_not_allowed');
  if (exceeds(orderMinor, caps.orderMaxMinor)) return because('order_amount_cap_exceeded');
  if (exceedsItems(items, limits.itemsMax)) return because('order_items_cap_exceeded');
  if (caps.dailyMaxMinor !== null && exceeds(dayMinor, caps.dailyMaxMinor))
    return because('daily_amount_cap_exceeded');
  return null;
}

/** More pieces than permitted; equal passes. */
export function exceedsItems(items: number, itemsMax: number): boolean {
  invariant(Number.isSafeInteger(itemsMax), 'the most items of an order is a whole number');
  return items > itemsMax;
}

function capsFor(currency: string, { currencies }: MerchantLimits): Caps | null {
  const caps = currencies.filter((candidate) => candidate.currency === currency);
  // INVARIANT: a version of limits names a currency once, so there is never a second opinion.
  invariant(caps.length <= 1, 'merchant limits name each currency once');
  return caps[0] ?? null;
}
