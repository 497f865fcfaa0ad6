import { type Codec, codec, type DecisionId, type Decoded } from '../kernel/index.js';
import { decisionCodec } from './decision-codec.js';
import { purchaseCounters, purchaseFacts, refundCounters, refundFacts } from './facts.js';
import { UNUSABLE_REASONS } from './refusal.js';

/** The type of the entry that holds one decision. */
export const DECISION_RECORDED = 'decision.recorded';

const decisionId = codec.text as Codec<DecisionId>;

/**
 * One decision, complete: what the rules saw, what each of them found and what came of it, so that it can be explained
 * without any table and judged again offline. Holds no personal data (decisions 1.8) and never changes.
 * The instant of the decision is the entry's own.
 */
export const recordedDecision = codec.record({
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
});
export type DecisionRecord = Decoded<typeof recordedDecision>;

/** What was asked for: the cart's total or the amount to refund. */
export function amountOf(judged: DecisionRecord['judged']): {
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
