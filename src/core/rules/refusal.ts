import {
  type CanonicalValue,
  type DecisionId,
  findReason,
  formatInstant,
  type InstantMs,
  invariant,
  type ReasonEntry,
  type ReasonOf,
  type ReasonRule,
} from '../kernel/index.js';

/** What a refusal is rendered from: a refused {@link Decision}, or the switch's own refusal below. */
export interface Refused {
  readonly failingRule: ReasonRule | null;
  readonly reason: string | null;
  readonly notBeforeMs: InstantMs | null;
}

/** The refusal of agent-executed payment while a switch is off; it stands before every rule (facts/arbiter.md O2). */
export const AGENT_EXECUTED_PAYMENT_DISABLED = {
  failingRule: 'agent_executed_payment',
  reason: 'agent_executed_payment_disabled',
  notBeforeMs: null,
} as const satisfies Refused;

/** A refused use of an allow; it is answered under the allow's own decision (decisions 3.2). */
export const useRefused = (reason: ReasonOf<'allow_use'>): Refused => ({
  failingRule: 'allow_use',
  reason,
  notBeforeMs: null,
});

/** Why an allow, or a refusal of a dry run, could not have been used: the catalogue's entries, each under its pseudo-rule. */
const UNUSABLE = {
  agent_executed_payment_disabled: 'agent_executed_payment',
  grantex_countersignature_missing: 'allow_use',
} as const satisfies Pseudo<'agent_executed_payment'> & Pseudo<'allow_use'>;
type Pseudo<Rule extends ReasonRule> = { readonly [Code in ReasonOf<Rule>]?: Rule };
export type UnusableReason = keyof typeof UNUSABLE;
export const UNUSABLE_REASONS = Object.keys(UNUSABLE) as readonly UnusableReason[];

/** What to do about it: the catalogue's fixed text, which asks for a new decision (facts/arbiter.md J7). */
export const unusableActionOf = (reason: UnusableReason): string =>
  reasonEntryOf(UNUSABLE[reason], reason).fix;

/** The mission's six fields, by their exact names; `not_before` is added only where waiting until then helps. */
export interface RefusalBody {
  readonly [member: string]: CanonicalValue;
  readonly code: 'arbiter_refused';
  readonly failing_rule: ReasonRule;
  readonly reason: string;
  readonly decision_id: string;
  readonly action: string;
  readonly required_config: string;
}

/** The body of every refusal, in every flow (facts/arbiter.md N1 to N4). Handing in an allow is a broken invariant. */
export function renderRefusal(refused: Refused, decisionId: DecisionId): RefusalBody {
  const { failingRule, reason, notBeforeMs } = refused;
  invariant(failingRule !== null && reason !== null, 'only a refusal is rendered as one');
  return {
    code: 'arbiter_refused',
    failing_rule: failingRule,
    reason,
    decision_id: decisionId,
    action: `The commerce arbiter refused: ${failingRule} (${reason}).`,
    required_config: reasonEntryOf(failingRule, reason).requiredConfig,
    ...(notBeforeMs === null ? {} : { not_before: formatInstant(notBeforeMs) }),
  };
}

/** The catalogue's entry of a printed reason (`code` or `code:<artifact_type>`). */
export function reasonEntryOf(rule: ReasonRule, reason: string): ReasonEntry {
  const [code = ''] = reason.split(':', 1);
  const entry = findReason(rule, code);
  invariant(entry !== null, 'every refusal names a reason of the catalogue');
  return entry;
}
