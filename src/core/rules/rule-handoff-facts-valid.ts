import type { RuleResult } from './decision.js';
import { type PurchaseCase, REQUIRED_ARTIFACT_TYPES } from './facts.js';
import { judgeFacts } from './shared/facts-judgement.js';

/** First handoff rule: the five kinds of merchant facts still hold (mission M16). Others only have to be readable. */
export const judgeHandoffFactsValid = (
  purchase: PurchaseCase,
): RuleResult<'handoff_facts_valid'> => ({
  rule: 'handoff_facts_valid',
  ...judgeFacts(purchase, REQUIRED_ARTIFACT_TYPES),
});
