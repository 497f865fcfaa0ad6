import type { RuleResult } from './decision.js';
import { ARTIFACT_TYPES, type PurchaseCase } from './facts.js';
import { judgeFacts } from './shared/facts-judgement.js';

/** Rule 5: the five kinds of merchant facts, and every other signed fact that the purchase names, still hold. */
export const judgeFactsValid = (purchase: PurchaseCase): RuleResult<'facts_valid'> => ({
  rule: 'facts_valid',
  ...judgeFacts(purchase, ARTIFACT_TYPES),
});
