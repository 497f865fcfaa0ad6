import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';
import {
  AGENT_PAYMENT_RULES,
  type Decoded,
  HANDOFF_RULES,
  REFUND_RULES,
} from '../../core/kernel/index.js';
import {
  amountOf,
  DECISION_RECORDED,
  PURCHASE_FLOWS,
  recordedDecision,
} from '../../core/rules/index.js';

/** Life of an allow from the instant of its decision, inclusive (mission M31, facts/arbiter.md J1). */
export const ALLOW_LIFE_MS = 600_000;

export const FLOWS = [...PURCHASE_FLOWS, 'refund'] as const;
export const RULE_NAMES = [...AGENT_PAYMENT_RULES, ...HANDOFF_RULES, ...REFUND_RULES] as const;

/** One decision as the rules made it, with everything they saw: see {@link recordedDecision}. */
export const decisionRecorded = defineEvent(DECISION_RECORDED, recordedDecision);
export type DecisionRecorded = Decoded<typeof decisionRecorded.data>;

/** The searchable part of a decision; facts and trace stand in the entry (`entry_seq`). */
export interface DecisionRow {
  readonly decisionId: string;
  readonly flow: string;
  readonly merchantId: string;
  readonly agentId: string | null;
  readonly orderId: string | null;
  readonly outcome: string;
  readonly failingRule: string | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
  readonly usable: boolean;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly decidedAtMs: number;
}

/** Rows are created once and never changed: a trigger refuses it (migrations/0031_decisions.sql). */
export const decisions = defineProjection<DecisionRow>({
  table: 'decisions',
  mode: 'append',
  key: ['decisionId'],
  columns: {
    decisionId: column.text,
    flow: column.text,
    merchantId: column.text,
    agentId: column.nullable(column.text),
    orderId: column.nullable(column.text),
    outcome: column.text,
    failingRule: column.nullable(column.text),
    reason: column.nullable(column.text),
    dryRun: column.flag,
    usable: column.flag,
    currency: column.text,
    amountMinor: column.amountMinor,
    decidedAtMs: column.integer,
  },
  on: [
    when(decisionRecorded, {
      keys: (data) => [[data.decisionId]],
      evolve: (_row, data, { entry }) => ({
        decisionId: data.decisionId,
        flow: data.decision.flow,
        merchantId: data.merchantId,
        agentId: data.agentId,
        orderId: data.orderId,
        outcome: data.decision.outcome,
        failingRule: data.decision.failingRule,
        reason: data.decision.reason,
        dryRun: data.dryRun,
        usable: data.usable,
        ...amountOf(data.judged),
        decidedAtMs: entry.atMs,
      }),
    }),
  ],
});
