import { column, defineEvent, defineProjection, when } from '../../base/ledger/index.js';
import {
  AGENT_PAYMENT_RULES,
  type Codec,
  codec,
  type DecisionId,
  type Decoded,
  HANDOFF_RULES,
  REFUND_RULES,
} from '../../core/kernel/index.js';
import {
  decisionCodec,
  PURCHASE_FLOWS,
  purchaseCounters,
  purchaseFacts,
  refundCounters,
  refundFacts,
  UNUSABLE_REASONS,
} from '../../core/rules/index.js';

/** Life of an allow from the instant of its decision, inclusive (mission M31, facts/arbiter.md J1). */
export const ALLOW_LIFE_MS = 600_000;

export const FLOWS = [...PURCHASE_FLOWS, 'refund'] as const;
export const RULE_NAMES = [...AGENT_PAYMENT_RULES, ...HANDOFF_RULES, ...REFUND_RULES] as const;

const decisionId = codec.text as Codec<DecisionId>;

/**
 * One decision, complete: what the rules saw, what each of them found and what came of it, so that it can be explained
 * without any table and judged again offline. Holds no personal data (decisions 1.8) and never changes.
 * The instant of the decision is the entry's own.
 */
export const decisionRecorded = defineEvent(
  'decision.recorded',
  codec.record({
    decisionId,
    merchantId: codec.text,
    agentId: codec.nullable(codec.text),
    orderId: codec.nullable(codec.text),
    /** What the rules said, each with what it saw. */
    decision: decisionCodec,
    /** The rules ran although nobody could have paid (decisions 3.12). */
    dryRun: codec.flag,
    usable: codec.flag,
    /** Why it could not be used although the rules may have passed (decisions 3.12; facts/arbiter.md J7). */
    usableReason: codec.nullable(codec.oneOf(...UNUSABLE_REASONS)),
    /** What an allow is bound to (a refund: its order and amount, no cart); null for refusals and dry runs. */
    allow: codec.nullable(
      codec.record({
        cartHash: codec.nullable(codec.text),
        expiresAtMs: codec.instant,
        /** The buyer the cart hash names, so that it can be computed again at the use. */
        buyerCommitment: codec.added(codec.nullable(codec.text), null),
      }),
    ),
    /** The allow whose use this refusal judged, and the instant of its decision; null = it was asked for. */
    recheck: codec.added(
      codec.nullable(codec.record({ decisionId, decidedAtMs: codec.instant })),
      null,
    ),
    judged: codec.variant({
      purchase: codec.record({ facts: purchaseFacts, counters: purchaseCounters }),
      refund: codec.record({ facts: refundFacts, counters: refundCounters }),
    }),
  }),
);
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

/** What was asked for: the cart's total or the amount to refund. */
export function amountOf(judged: DecisionRecorded['judged']): {
  currency: string;
  amountMinor: bigint;
} {
  switch (judged.kind) {
    case 'purchase':
      return { currency: judged.facts.cart.currency, amountMinor: judged.facts.cart.totalMinor };
    case 'refund':
      return { currency: judged.facts.currency, amountMinor: judged.facts.amountMinor };
  }
}
