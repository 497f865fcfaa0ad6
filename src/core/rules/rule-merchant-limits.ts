import type { RuleResult } from './decision.js';
import type { PurchaseCase } from './facts.js';
import { judgeLimits } from './shared/limits.js';

/** Rule 6: the merchant's limits for amount, currency, quantity and, where set, for the day hold. */
export const judgeMerchantLimits = (purchase: PurchaseCase): RuleResult<'merchant_limits'> => ({
  rule: 'merchant_limits',
  ...judgeLimits(purchase),
});
