import type { Decision } from './decision.js';
import { evaluate, type NamedRule } from './evaluate.js';
import type { PurchaseCase } from './facts.js';
import { judgeRbiAfa } from './rbi/judge-rbi-afa.js';
import { judgeConsentActive } from './rule-consent-active.js';
import { judgeFactsValid } from './rule-facts-valid.js';
import { judgeHandoffFactsValid } from './rule-handoff-facts-valid.js';
import { judgeHandoffMerchantLimits } from './rule-handoff-merchant-limits.js';
import { judgeMandatePresent } from './rule-mandate-present.js';
import { judgeMerchantLimits } from './rule-merchant-limits.js';
import { judgeNotPresentLimits } from './rule-not-present-limits.js';
import { judgePassportAmountCap } from './rule-passport-amount-cap.js';
import { judgeVerifiedBuyerAuthority } from './rule-verified-buyer-authority.js';

/** The eight rules of agent-executed payment. INVARIANT: in the order of AGENT_PAYMENT_RULES; a test compares. */
const AGENT_PAYMENT: readonly NamedRule<PurchaseCase>[] = [
  { rule: 'mandate_present', judge: judgeMandatePresent },
  { rule: 'consent_active', judge: judgeConsentActive },
  { rule: 'passport_amount_cap', judge: judgePassportAmountCap },
  { rule: 'verified_buyer_authority', judge: judgeVerifiedBuyerAuthority },
  { rule: 'facts_valid', judge: judgeFactsValid },
  { rule: 'merchant_limits', judge: judgeMerchantLimits },
  { rule: 'not_present_limits', judge: judgeNotPresentLimits },
  { rule: 'rbi_afa', judge: judgeRbiAfa },
];

/** The two rules of the payment link handoff, in the order of HANDOFF_RULES. */
const HANDOFF: readonly NamedRule<PurchaseCase>[] = [
  { rule: 'handoff_facts_valid', judge: judgeHandoffFactsValid },
  { rule: 'handoff_merchant_limits', judge: judgeHandoffMerchantLimits },
];

/**
 * Judges one purchase: eight rules, or two when the buyer pays on the merchant's own page. Pure: the same case always
 * gives the same decision, nothing is read beside it and nothing in it is changed. Answers allow or refuse at once.
 * Not judged here: the switch of agent-executed payment, the countersignature, the use of the allow.
 */
export function decidePurchase(purchase: PurchaseCase): Decision {
  // Only the exact word takes the short way; whatever else stands there is judged by all eight.
  return purchase.facts.flow === 'handoff'
    ? evaluate('handoff', HANDOFF, purchase)
    : evaluate('agent_payment', AGENT_PAYMENT, purchase);
}
