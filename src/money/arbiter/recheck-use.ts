import { type CellRef, type CellView, type Moment } from '../../base/ledger/index.js';
import { currentLimits, limitsOf, merchants, tenants } from '../../base/tenants/index.js';
import { invariant } from '../../core/kernel/index.js';
import {
  type MandateFact,
  type PurchaseCase,
  type PurchaseFacts,
  recheckPurchase,
  slotsOf,
  type StatusSlot,
  withFreshStatuses,
} from '../../core/rules/index.js';
import { anyErased, erasedBuyerCells, tokenLineage } from '../../trust/buyer-authority/index.js';
import { slotCell, statusUnderLock } from '../../trust/status/index.js';
import { judgingCells, type RecordedDecision } from './decide.js';
import { type Judgement, purchaseCountersOf } from './judge.js';
import { freshRail, freshRailCells } from './rail-recheck.js';
import { switchedOn } from './rbi.js';
import { buyersOf } from './resolve.js';

type PurchaseJudged = Extract<RecordedDecision['judged'], { kind: 'purchase' }>;

/** A decision about a purchase. */
export interface PurchaseDecision extends RecordedDecision {
  readonly judged: PurchaseJudged;
}

export const isPurchase = (decision: RecordedDecision): decision is PurchaseDecision =>
  decision.judged.kind === 'purchase';

const slotRef = ({ listUri, index }: StatusSlot) => ({ uri: listUri, index });

/**
 * The cells of a re-check: parties, limits, sums and stock as at a decision, the place of every status that the stored
 * facts rest on, and what payment providers said. Which places these are is found in the entry, which never changes.
 */
export const recheckCells = (
  { facts }: PurchaseJudged,
  days: readonly string[],
): readonly CellRef[] => [
  ...judgingCells(facts, days),
  ...slotsOf(facts, tokenLineage).map((slot) => slotCell(slotRef(slot))),
  ...freshRailCells(facts),
  ...erasedBuyerCells([...new Set(buyersOf(facts.authority))]),
];

/** What came of the rules at the use. `refusal` null = the allow may be used; `facts` is what they saw. */
export interface Recheck {
  readonly facts: PurchaseFacts;
  readonly refusal: Judgement | null;
}

/**
 * The rules again under the lock (decisions 3.4): on the stored facts, with every status, limit, switch and sum as it is
 * now. A refusal is recorded as a decision of its own.
 */
export function recheckUse(
  { decisionId, decidedAtMs, merchantId, agentId, judged }: PurchaseDecision,
  view: CellView,
  { atMs }: Pick<Moment, 'atMs'>,
): Recheck {
  const again = freshCase(judged.facts, view, atMs);
  const decision = recheckPurchase(again, decidedAtMs);
  const { facts, counters } = again;
  if (decision.outcome === 'allow') return { facts, refusal: null };
  const refusal = {
    merchantId,
    agentId,
    orderId: null,
    decision,
    dryRun: false,
    usable: false,
    usableReason: null,
    allow: null,
    recheck: { decisionId, decidedAtMs },
    judged: { kind: 'purchase' as const, facts, counters },
  };
  return { facts, refusal };
}

function freshCase(stored: PurchaseFacts, view: CellView, atMs: number): PurchaseCase {
  const merchant = view.get(merchants, [stored.merchantId]);
  invariant(merchant !== undefined, 'a merchant that decided stays');
  const limits = view.get(currentLimits, [stored.merchantId]);
  const statusOf = (slot: StatusSlot) =>
    statusUnderLock(view, { ...slotRef(slot), lineage: slot.lineage }, atMs);
  const known = withoutErased(stored, view);
  const facts: PurchaseFacts = {
    ...withFreshStatuses(known, tokenLineage, statusOf),
    callerAssertedAllowed:
      stored.world === 'test' && view.get(tenants, [])?.callerAssertedAllowed === true,
    limits: limits === undefined ? null : limitsOf(limits),
    rbi: { ...freshRail(stored, view, atMs), ...switchedOn(merchant) },
  };
  return { facts, counters: purchaseCountersOf(facts, view, atMs), atMs };
}

/**
 * What an erased buyer signed is gone and proves nothing any more, as in a purchase that is asked for now: rule 1 says
 * `mandate_missing`.
 */
function withoutErased(stored: PurchaseFacts, view: CellView): PurchaseFacts {
  const gone = <
    Signed extends { buyerCommitment: string | null; signature: MandateFact['signature'] },
  >(
    signed: Signed,
  ): Signed =>
    signed.buyerCommitment !== null && anyErased(view, [signed.buyerCommitment])
      ? { ...signed, signature: 'not_found' }
      : signed;
  const { mandates, consent, passport } = stored.authority;
  return {
    ...stored,
    authority: {
      ...stored.authority,
      mandates: mandates.map(gone),
      consent: consent && gone(consent),
      passport: passport && gone(passport),
    },
  };
}
