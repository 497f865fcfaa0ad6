import type { Decision } from './decision.js';
import { evaluate, type NamedRule } from './evaluate.js';
import type { RefundCase } from './facts.js';
import { judgeRefundWithinCaptured } from './rule-refund-within-captured.js';

const REFUND: readonly NamedRule<RefundCase>[] = [
  { rule: 'refund_within_captured', judge: judgeRefundWithinCaptured },
];

/** Judges one refund by its single rule. Pure, as {@link decidePurchase} is. Not judged: who may ask for it. */
export const decideRefund = (refund: RefundCase): Decision => evaluate('refund', REFUND, refund);
