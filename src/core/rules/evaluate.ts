import { InvariantError, type Ruleset, type RuleName } from '../kernel/index.js';
import type { Decision, Failure, RuleResult } from './decision.js';
import { type Flow, rulesetOf } from './facts.js';

/** One rule with its name, so that it has a place and a name even when it throws. */
export interface NamedRule<Case, Rule extends RuleName = RuleName> {
  readonly rule: Rule;
  readonly judge: (judged: Case) => RuleResult;
}

/**
 * Runs every rule, in order, whatever the others say; the first failure decides (mission M13).
 * A rule that throws has failed with `rule_error` at its place, and the others still run (facts/arbiter.md E2).
 */
export function evaluate<Case extends { readonly ruleset?: Ruleset }>(
  flow: Flow,
  rules: readonly NamedRule<Case>[],
  judged: Case,
): Decision {
  const trace = rules.map((named) => frozen(run(named, judged)));
  const first = trace.find((result) => result.failure !== null) ?? null;
  const failure = first?.failure ?? null;
  return Object.freeze<Decision>({
    flow,
    ruleset: rulesetOf(judged),
    outcome: failure === null ? 'allow' : 'refuse',
    failingRule: failure === null ? null : (first?.rule ?? null),
    reason: failure === null ? null : printReason(failure),
    notBeforeMs: failure?.notBeforeMs ?? null,
    trace: Object.freeze(trace),
  });
}

/** `<code>`, or `<code>:<artifact_type>` where the code has that parameter. */
export const printReason = ({ code, artifactType }: Failure): string =>
  artifactType === null ? code : `${code}:${artifactType}`;

function run<Case>({ rule, judge }: NamedRule<Case>, judged: Case): RuleResult {
  try {
    return judge(judged);
  } catch (thrown) {
    // The one place in the rules that catches: what cannot be evaluated refuses. Texts of our own invariants are the same
    // in every runtime and hold no data of the case; an engine's own texts do not, so they stay out of the ledger.
    return {
      rule,
      failure: { code: 'rule_error', artifactType: null, notBeforeMs: null },
      observations: [],
      notes: [
        thrown instanceof InvariantError ? `broken: ${thrown.message}` : 'broken: unexpected',
      ],
    };
  }
}

function frozen(result: RuleResult): RuleResult {
  if (result.failure !== null) Object.freeze(result.failure);
  for (const observation of result.observations) Object.freeze(observation);
  Object.freeze(result.observations);
  Object.freeze(result.notes);
  return Object.freeze(result);
}
