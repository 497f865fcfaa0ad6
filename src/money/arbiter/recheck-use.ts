import { type CellRef, type CellView, type Moment } from '../../base/ledger/index.js';
import { currentLimits, limitsOf, merchants, tenants } from '../../base/tenants/index.js';
import { type InstantMs, invariant, type TenantId } from '../../core/kernel/index.js';
import {
  type MandateFact,
  type PurchaseCase,
  type PurchaseFacts,
  recheckPurchase,
  slotsOf,
  type StatusFact,
  type StatusSlot,
  withFreshStatuses,
} from '../../core/rules/index.js';
import { anyErased, erasedBuyerCells, tokenLineage } from '../../trust/buyer-authority/index.js';
import {
  floorCells,
  isBelowFloor,
  slotCell,
  type StatusChecker,
  statusUnderLock,
  unavailableStatus,
} from '../../trust/status/index.js';
import { judgingCells, type RecordedDecision } from './decide.js';
import { type Judgement, purchaseCountersOf } from './judge.js';
import { freshRail, freshRailCells } from './rail-recheck.js';
import { switchedOn } from './rbi.js';
import { buyersOf, FACTS_BUDGET_MS } from './resolve.js';

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
  ...floorCells(slotsOf(facts, tokenLineage).map(({ listUri }) => listUri)),
  ...freshRailCells(facts),
  ...erasedBuyerCells([...new Set(buyersOf(facts.authority))]),
];

/** What the status lists said before the lock of the places that stored facts rest on. */
export interface LookedStatuses {
  of(slot: StatusSlot): StatusFact;
  /** A revoke came between the look and the lock: look again. */
  isOvertaken(view: CellView): boolean;
}

/**
 * Asks for all of them at once, within {@link FACTS_BUDGET_MS}: a list of which there is no usable copy refuses
 * `status_list_unavailable`, however the decision was made. A refund rests on none (decisions 3.14).
 */
export async function lookAgain(
  statuses: StatusChecker,
  {
    tenantId,
    decision,
    atMs,
  }: {
    readonly tenantId: TenantId;
    readonly decision: RecordedDecision;
    readonly atMs: InstantMs;
  },
): Promise<LookedStatuses> {
  const slots = isPurchase(decision) ? slotsOf(decision.judged.facts, tokenLineage) : [];
  const questions = slots.map((slot) => ({ ...slotRef(slot), lineage: null }));
  const deadline = AbortSignal.timeout(FACTS_BUDGET_MS);
  const answers = await statuses.check(tenantId, questions, { atMs, deadline });
  const byName = new Map(slots.map((slot, index) => [nameOf(slot), answers[index]]));
  return {
    of: (slot) => byName.get(nameOf(slot)) ?? unavailableStatus(slotRef(slot)),
    isOvertaken: (view) => answers.some((status) => isBelowFloor(view, status)),
  };
}

const nameOf = ({ listUri, index, lineage }: StatusSlot): string =>
  `${index} ${listUri} ${lineage ?? ''}`;

interface UnderLock {
  readonly view: CellView;
  readonly moment: Pick<Moment, 'atMs'>;
  readonly looked: LookedStatuses;
}

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
  under: UnderLock,
): Recheck {
  const again = freshCase(judged.facts, under);
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

function freshCase(
  stored: PurchaseFacts,
  { view, moment: { atMs }, looked }: UnderLock,
): PurchaseCase {
  const merchant = view.get(merchants, [stored.merchantId]);
  invariant(merchant !== undefined, 'a merchant that decided stays');
  const limits = view.get(currentLimits, [stored.merchantId]);
  const statusOf = (slot: StatusSlot) =>
    statusUnderLock(view, { ...slotRef(slot), lineage: slot.lineage }, looked.of(slot));
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
