import type { RuleResult } from './decision.js';
import type { PurchaseCase } from './facts.js';
import { judgeLimits } from './shared/limits.js';

/** Second handoff rule: the same limits before a payment link is given out (mission M17). */
export const judgeHandoffMerchantLimits = (
  purchase: PurchaseCase,
): RuleResult<'handoff_merchant_limits'> => ({
  rule: 'handoff_merchant_limits',
  ...judgeLimits(purchase),
});
