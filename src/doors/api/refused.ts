import { reasonPagePath } from '../../base/platform/index.js';
import { type DecisionId, type Problem, problem, type ReasonOf } from '../../core/kernel/index.js';
import { reasonEntryOf, type Refused, renderRefusal } from '../../core/rules/index.js';
import { printInstant } from './wire.js';

/**
 * A refusal where an allow was needed: 403 as problem details with the mission's six fields at the top level (decisions
 * 3.13). `reasonsUrl` has no slash at its end.
 */
export function refusedProblem(
  refused: Refused,
  { decisionId, reasonsUrl }: { readonly decisionId: DecisionId; readonly reasonsUrl: string },
): Problem {
  const body = renderRefusal(refused, decisionId);
  const entry = reasonEntryOf(body.failing_rule, body.reason);
  return {
    ...problem('arbiter_refused', entry.text, { fix: entry.fix }),
    refusal: {
      ...body,
      reason_page: `${reasonsUrl}/${reasonPagePath(entry)}`,
      not_before: printInstant(refused.notBeforeMs),
    },
  };
}

/**
 * The refusal of a fact that somebody reads outside a purchase: the bare reason of rule 5, in the form of every refusal.
 * No decision was made, so it names none.
 */
export function refusedFact(reason: ReasonOf<'facts_valid'>, reasonsUrl: string): Problem {
  const entry = reasonEntryOf('facts_valid', reason);
  return {
    ...problem('arbiter_refused', entry.text, { fix: entry.fix }),
    refusal: {
      code: 'arbiter_refused',
      failing_rule: 'facts_valid',
      reason,
      action: `The commerce arbiter refused: facts_valid (${reason}).`,
      required_config: entry.requiredConfig,
      reason_page: `${reasonsUrl}/${reasonPagePath(entry)}`,
      not_before: null,
    },
  };
}
