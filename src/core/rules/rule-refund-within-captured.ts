import { invariant, type ReasonOf } from '../kernel/index.js';
import type { RuleResult } from './decision.js';
import type { RefundCase, RefundFacts } from './facts.js';
import { countedMinor, exceeds } from './shared/amounts.js';
import { isSameName } from './shared/credential.js';
import { amount, because, text } from './shared/observe.js';

const RULE = 'refund_within_captured';

/**
 * The refund's only rule: above zero, in the currency of the order, and with all refunds allowed or done before not
 * more than was captured. Exactly the rest passes. Revoked facts stop no refund (facts/arbiter.md I5).
 */
export function judgeRefundWithinCaptured({
  facts,
  counters,
}: RefundCase): RuleResult<typeof RULE> {
  const { order } = counters;
  invariant(typeof facts.amountMinor === 'bigint', 'a refund is an amount of minor units');
  const capturedMinor = order === null ? 0n : countedMinor(order.capturedMinor);
  const refundedMinor = order === null ? 0n : countedMinor(order.refundedMinor);
  const code = refundFault(facts, {
    currency: order === null ? facts.currency : order.currency,
    isTooMuch: exceeds(refundedMinor + facts.amountMinor, capturedMinor),
  });
  return {
    rule: RULE,
    failure: code === null ? null : because(code),
    observations: [
      amount('refund.amount', facts.amountMinor, capturedMinor - refundedMinor),
      text('refund.currency', facts.currency, order?.currency ?? null),
      amount('order.refunded', refundedMinor, capturedMinor),
    ],
    notes: order === null ? ['nothing_captured'] : [],
  };
}

function refundFault(
  facts: RefundFacts,
  { currency, isTooMuch }: { currency: string; isTooMuch: boolean },
): ReasonOf<typeof RULE> | null {
  if (facts.amountMinor <= 0n) return 'refund_amount_not_positive';
  if (!isSameName(facts.currency, currency)) return 'refund_currency_mismatch';
  return isTooMuch ? 'refund_exceeds_captured' : null;
}
