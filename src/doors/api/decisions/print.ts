import { type DecisionId, formatInstant, invariant } from '../../../core/kernel/index.js';
import { reasonPagePath } from '../../../base/platform/index.js';
import {
  type Decision,
  reasonEntryOf,
  renderRefusal,
  unusableActionOf,
} from '../../../core/rules/index.js';
import {
  type DecisionRecorded,
  decisionRecorded,
  type FoundDecision,
  type Judgement,
  type RecordedDecision,
  type Simulation,
} from '../../../money/arbiter/index.js';
import type { Capture } from '../../../money/book/index.js';
import { printAmount, printInstant } from '../wire.js';
import type {
  CaptureAnswer,
  DecisionAnswer,
  DecisionSummary,
  SimulationAnswer,
} from './answer.schema.js';

/**
 * The short form: what every caller of a decision is told. Rendered from the entry alone, but for the address of the
 * reasons' pages (`reasonsUrl`, without a slash at the end), which is the deployment's.
 */
export function printDecision(decision: RecordedDecision, reasonsUrl: string): DecisionAnswer {
  const { decisionId } = decision;
  const common = { decision_id: decisionId, ...commonOf(decision, decision.decidedAtMs) };
  if (decision.decision.outcome === 'allow') {
    const { allow } = decision;
    return {
      outcome: 'allow',
      ...common,
      allow:
        allow === null
          ? null
          : {
              decision_id: decisionId,
              cart_hash: allow.cartHash,
              expires_at: formatInstant(allow.expiresAtMs),
              single_use: true,
            },
    };
  }
  return {
    ...refusalOf(decision.decision, { decisionId, reasonsUrl }),
    outcome: 'refuse',
    ...common,
  };
}

/** The long form: what the rules saw and found, word for word as in the entry. */
export const printExplained = (decision: RecordedDecision, reasonsUrl: string) => ({
  ...printDecision(decision, reasonsUrl),
  ...explanationOf(decision),
  entry: { entry_id: decision.entry.id, seq: decision.entry.seq, link: decision.entry.link },
});

/** A simulation has no id and no allow: nothing was written and nothing can be used. */
export function printSimulation(
  { judgement, atMs }: Simulation,
  reasonsUrl: string,
): SimulationAnswer {
  const common = {
    simulated: true,
    ...commonOf(judgement, atMs),
    ...explanationOf({ ...judgement, decisionId: SIMULATED }),
  } as const;
  if (judgement.decision.outcome === 'allow') return { outcome: 'allow', ...common };
  const refusal = refusalOf(judgement.decision, { decisionId: SIMULATED, reasonsUrl });
  const { failing_rule, reason, action, required_config, reason_page, not_before } = refusal;
  return {
    failing_rule,
    reason,
    action,
    required_config,
    reason_page,
    not_before,
    outcome: 'refuse',
    ...common,
  };
}

/** Stands where an id would stand; it is never printed. */
const SIMULATED = 'arbdec_simulated';

export const printSummary = (found: FoundDecision): DecisionSummary => ({
  decision_id: found.decisionId,
  flow: found.flow,
  outcome: found.outcome,
  failing_rule: found.failingRule,
  reason: found.reason,
  merchant_id: found.merchantId,
  agent_id: found.agentId,
  order_id: found.orderId,
  amount: printAmount(found.amountMinor, found.currency),
  decided_at: formatInstant(found.decidedAtMs),
  dry_run: found.dryRun,
  usable: found.usable,
  seq: found.seq,
});

export const printCapture = (capture: Capture): CaptureAnswer => ({
  capture_id: capture.captureId,
  merchant_id: capture.merchantId,
  order_id: capture.orderId,
  amount: printAmount(capture.amountMinor, capture.currency),
  decision_id: capture.authority?.decisionId ?? null,
  payment_id: capture.payment?.payment.paymentId ?? null,
  confirmed_at: formatInstant(capture.confirmedAtMs),
});

const commonOf = (judgement: Judgement, atMs: number) => ({
  flow: judgement.decision.flow,
  merchant_id: judgement.merchantId,
  agent_id: judgement.agentId,
  order_id: judgement.orderId,
  amount: amountOf(judgement.judged),
  decided_at: formatInstant(atMs),
  ruleset: judgement.decision.ruleset,
  dry_run: judgement.dryRun,
  usable: judgement.usable,
  usable_reason: judgement.usableReason,
  usable_action: judgement.usableReason === null ? null : unusableActionOf(judgement.usableReason),
});

function amountOf(judged: Judgement['judged']) {
  switch (judged.kind) {
    case 'purchase':
      return printAmount(judged.facts.cart.totalMinor, judged.facts.cart.currency);
    case 'refund':
      return printAmount(judged.facts.amountMinor, judged.facts.currency);
  }
}

/** The six fields of the mission in their order, then ours; the rule is one of the flow's own. */
function refusalOf(
  decision: Decision,
  { decisionId, reasonsUrl }: { readonly decisionId: DecisionId; readonly reasonsUrl: string },
) {
  const { failingRule } = decision;
  invariant(failingRule !== null, 'a refusal names its rule');
  const body = renderRefusal(decision, decisionId);
  return {
    code: body.code,
    failing_rule: failingRule,
    reason: body.reason,
    decision_id: body.decision_id,
    action: body.action,
    required_config: body.required_config,
    reason_page: `${reasonsUrl}/${reasonPagePath(reasonEntryOf(failingRule, body.reason))}`,
    not_before: printInstant(decision.notBeforeMs),
  };
}

function explanationOf(decision: DecisionRecorded) {
  const entry = decisionRecorded.data.encode(decision) as {
    readonly judged: SimulationAnswer['judged'];
    readonly decision: { readonly trace: SimulationAnswer['trace'] };
  };
  return { judged: entry.judged, trace: entry.decision.trace };
}
