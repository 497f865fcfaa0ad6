/** Rule names in their fixed order (mission M27; names of facts/arbiter.md 5.2, D1, I1). */
export const AGENT_PAYMENT_RULES = [
  'mandate_present',
  'consent_active',
  'passport_amount_cap',
  'verified_buyer_authority',
  'facts_valid',
  'merchant_limits',
  'not_present_limits',
  'rbi_afa',
] as const;
export const HANDOFF_RULES = ['handoff_facts_valid', 'handoff_merchant_limits'] as const;
export const REFUND_RULES = ['refund_within_captured'] as const;

export type AgentPaymentRule = (typeof AGENT_PAYMENT_RULES)[number];
export type HandoffRule = (typeof HANDOFF_RULES)[number];
export type RefundRule = (typeof REFUND_RULES)[number];
export type RuleName = AgentPaymentRule | HandoffRule | RefundRule;

/**
 * Every ruleset that a decision entry may name, oldest first. INVARIANT: none is ever taken out: each still judges its own
 * entries, word for word (core/replay). One whose rules differ for the same facts is told apart by {@link isSince}.
 */
export const RULESETS = ['1', '2', '3'] as const;
export type Ruleset = (typeof RULESETS)[number];

/** The ruleset in force. Raised with every change that can flip a decision; a decision entry names the one that judged it. */
export const RULESET_VERSION = '3' satisfies Ruleset;

export const isRuleset = (text: unknown): text is Ruleset =>
  (RULESETS as readonly unknown[]).includes(text);

/** Whether a ruleset is this one or a later one. */
export const isSince = (ruleset: Ruleset, first: Ruleset): boolean =>
  RULESETS.indexOf(ruleset) >= RULESETS.indexOf(first);
