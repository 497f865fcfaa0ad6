import type { RuleName } from '../rules.js';

/**
 * Under what a reason stands: the rules, and two pseudo-rules around them. `agent_executed_payment` is the switch, asked
 * before any rule; `allow_use` is what an allow needs after all of them in order to be used (decisions 3.2).
 */
export type ReasonRule = RuleName | 'agent_executed_payment' | 'allow_use';

/**
 * Who can change the outcome. `retry`: the same request may pass later; `agent_fix`: the agent changes or completes its
 * request; `buyer_review`: the buyer gives a new or wider authority; `merchant_fix`: the merchant or its operator
 * changes limits or renews facts; `never`: nothing will make this purchase pass.
 */
export type WhoFixes = 'retry' | 'agent_fix' | 'buyer_review' | 'merchant_fix' | 'never';

/** The closed list of error codes of ACP's messages (facts/protocols.md, ACP checkout messages). */
export type AcpErrorCode =
  | 'missing'
  | 'invalid'
  | 'out_of_stock'
  | 'quantity_exceeded'
  | 'maximum_exceeded'
  | 'unsupported'
  | 'not_found'
  | 'conflict'
  | 'expired'
  | 'intervention_required';

/**
 * How a refusal reads in UCP (facts/protocols.md 1.7.1, W1 and W7). ACP's `resolution` is the same word.
 * `stepUp` is the severity when the merchant has a page on which the buyer can heal exactly this; null = no page can.
 */
export interface UcpForm {
  readonly severity: 'recoverable';
  readonly stepUp: 'requires_buyer_review' | 'requires_buyer_input' | null;
}

/**
 * One reason of the closed catalogue. Its key is (rule, code); its place in the catalogue is its precedence: if several
 * reasons apply, only the first is named. An entry is never removed, reworded or moved; new ones may be put between.
 * `requiredConfig` is what the refusal's `required_config` says: fixed text, never text of a caller or a catalogue.
 */
export interface ReasonEntry<Rule extends ReasonRule = ReasonRule> {
  readonly rule: Rule;
  readonly code: string;
  /** `artifact_type`: the printed reason is `<code>:<artifact_type>`. */
  readonly parameter: 'artifact_type' | null;
  readonly whoFixes: WhoFixes;
  /** What happened, in one sentence for people who do not program. Names no amount and no cap. */
  readonly text: string;
  /** What to do about it. */
  readonly fix: string;
  readonly requiredConfig: string;
  readonly ucp: UcpForm;
  readonly acp: { readonly code: AcpErrorCode };
}

/** The default form in UCP: an error of the checkout that the agent may recover from by itself. */
export const RECOVERABLE = { severity: 'recoverable', stepUp: null } as const satisfies UcpForm;

/** What every rule's last entry says: the rule could not be evaluated, so it refuses. */
export const RULE_ERROR = {
  code: 'rule_error',
  parameter: null,
  whoFixes: 'retry',
  text: 'This rule could not be evaluated, and what cannot be evaluated is refused.',
  fix: 'Ask again; if the same answer returns, give the decision id to the operator, who finds the cause in the trace.',
  ucp: RECOVERABLE,
  acp: { code: 'conflict' },
} as const satisfies Omit<ReasonEntry, 'rule' | 'requiredConfig'>;

/** An entry that two rules share, before it is given to one of them. */
export type SharedReason = Omit<ReasonEntry, 'rule'>;

/** The shared entries as entries of one rule, in the same order. */
export const ofRule = <
  const Rule extends ReasonRule,
  const Entries extends readonly SharedReason[],
>(
  rule: Rule,
  entries: Entries,
) =>
  entries.map((entry) => ({ rule, ...entry })) as unknown as {
    readonly [Place in keyof Entries]: Entries[Place] & { readonly rule: Rule };
  };
