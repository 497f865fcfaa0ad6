import { createHash, randomBytes } from 'node:crypto';
import {
  cell,
  type CellRef,
  type CellView,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
  type Moment,
  type RecordedEntry,
} from '../../base/ledger/index.js';
import {
  agents,
  currentLimits,
  merchants,
  noSuchAgent,
  noSuchMerchant,
  tenants,
} from '../../base/tenants/index.js';
import {
  type DecisionId,
  decisionIdOf,
  err,
  type InstantMs,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
  utcDay,
} from '../../core/kernel/index.js';
import type { PurchaseFacts } from '../../core/rules/index.js';
import { stockCells } from '../../trust/facts/index.js';
import { anyErased, buyerClash, erasedBuyerCells } from '../../trust/buyer-authority/index.js';
import {
  authoritySpend,
  merchantDayMoney,
  merchantOpenMoney,
  orderMoney,
  refundAllowed,
} from '../book/index.js';
import { mandateUses } from './allow.events.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import { checkSize } from './decision-size.js';
import { aboveFloors, floorReads } from './floors.js';
import { type DecisionRecorded, decisionRecorded, decisions } from './decision.events.js';
import {
  intentRefsOf,
  judgePurchase,
  judgeRefund,
  type Judgement,
  mayRestOnOverdue,
  oneTimeRefsOf,
  passportRefOf,
  type PurchaseJudging,
} from './judge.js';
import { isRailCurrent, railCells } from './rail.js';
import { commitmentsOf } from './resolve.js';

/** A decision with the entry that holds it. */
export interface RecordedDecision extends DecisionRecorded {
  readonly decidedAtMs: InstantMs;
  readonly entry: {
    readonly id: string;
    readonly seq: number;
    readonly link: string | null;
  };
}

/** What a decision command answers; `replayed`: the entry is of an earlier request under the same key. */
export interface Decided {
  readonly decision: RecordedDecision;
  readonly replayed: boolean;
}

/**
 * What was guessed before the lock and did not hold under it: an id that is taken (decisions 1.4), or a UTC day that has
 * begun meanwhile, or a buyer who was named for the first time or erased by somebody else meanwhile, or a payment
 * provider's newer report, or a revoke that overtook the status lists that were looked at. Nothing was written; look and
 * draw again.
 */
export const DRAW_AGAIN: Problem = problem('unavailable', 'The names drawn did not hold.', {
  fix: 'Send the request again.',
});

/** A daily cap refused while something was open that may be over. Nothing was written; let it lapse and judge again. */
export const LAPSE_FIRST: Problem = problem('unavailable', 'Links that are over still counted.', {
  fix: 'Send the request again.',
});

/** The clock of this process and the database's may differ by so much around midnight before a redraw is needed. */
const DAY_EDGE_MS = 60_000;

/** What a command has to name before the lock is taken, because cells are loaded by name. */
export interface Draw {
  readonly decisionId: DecisionId;
  /** UTC days one of which will be the day of the decision. */
  readonly days: readonly string[];
  /** Nobody looks again after this: what was revoked meanwhile is judged as unavailable. */
  readonly isLast: boolean;
}

/** `nowMs`: the tenant's commerce time, as near as it can be known without its lock. */
export const draw = (nowMs: InstantMs, isLast = false): Draw => ({
  isLast,
  decisionId: decisionIdOf(randomBytes(6).toString('hex')),
  days: [...new Set([nowMs - DAY_EDGE_MS, nowMs, nowMs + DAY_EDGE_MS].map(utcDay))],
});

/** The cells a purchase is judged by, in the lock or outside of it. */
export const purchaseCells = (
  { ask, resolved }: PurchaseJudging,
  days: readonly string[],
): readonly CellRef[] => [
  ...judgingCells({ ...ask, authority: resolved.authority }, days),
  ...erasedBuyerCells(commitmentsOf(resolved)),
  ...railCells(resolved.rail),
  ...floorReads(resolved),
];

/** Parties, limits and sums of a purchase: what is read under the lock at the decision and again at the use. */
export function judgingCells(
  {
    merchantId,
    agentId,
    cart,
    authority,
  }: Pick<PurchaseFacts, 'merchantId' | 'agentId' | 'authority'> & {
    readonly cart: Pick<PurchaseFacts['cart'], 'currency' | 'lines'>;
  },
  days: readonly string[],
): readonly CellRef[] {
  const { currency } = cart;
  const passportRef = passportRefOf(authority);
  return [
    cell(tenants),
    cell(merchants, merchantId),
    ...(agentId === null ? [] : [cell(agents, agentId)]),
    cell(currentLimits, merchantId),
    ...days.map((day) => cell(merchantDayMoney, merchantId, currency, day)),
    cell(merchantOpenMoney, merchantId, currency),
    ...(passportRef === null ? [] : [cell(authoritySpend, 'passport', passportRef, currency)]),
    ...intentRefsOf(authority).map((ref) => cell(authoritySpend, 'intent', ref, currency)),
    ...oneTimeRefsOf(authority).map((ref) => cell(mandateUses, ref)),
    ...stockCells(merchantId, cart.lines),
  ];
}

export const refundCells = (ask: RefundAsk): readonly CellRef[] => [
  cell(merchants, ask.merchantId),
  cell(orderMoney, ask.merchantId, ask.orderId),
];

/**
 * Judges a purchase under the tenant's lock and records the decision, whatever it is.
 * Problems, in order: {@link DRAW_AGAIN}, those of {@link requireParties}, {@link LAPSE_FIRST}, {@link checkSize}. A
 * refusal is not a problem.
 */
export const decidePurchaseCommand = (
  context: CommandContext,
  judging: PurchaseJudging,
  drawn: Draw,
): Command<Decided> => ({
  ...context,
  name: 'decision.purchase',
  clash: buyerClash(DRAW_AGAIN),
  reads: [cell(decisions, drawn.decisionId), ...purchaseCells(judging, drawn.days)],
  decide(view, moment) {
    const decisionId = decisionIdUnder(drawn, view, moment);
    if (decisionId === null || !drawn.days.includes(utcDay(moment.atMs))) return err(DRAW_AGAIN);
    if (anyErased(view, commitmentsOf(judging.resolved))) return err(DRAW_AGAIN);
    if (!isRailCurrent(judging.resolved.rail, view)) return err(DRAW_AGAIN);
    const resolved = aboveFloors(judging.resolved, view, drawn);
    if (resolved === null) return err(DRAW_AGAIN);
    const parties = requireParties(view, judging.ask);
    if (!parties.ok) return parties;
    const decision = { decisionId, ...judgePurchase({ ...judging, resolved }, view, moment) };
    if (judging.dueLapsed !== true && mayRestOnOverdue(decision, view)) return err(LAPSE_FIRST);
    const fits = checkSize(decision);
    if (!fits.ok) return fits;
    return ok({
      events: [event(decisionRecorded, decision)],
      sideWrites: judging.resolved.sideWrites,
    });
  },
  answer: decidedOf,
});

/**
 * Judges a refund under the tenant's lock. One that is allowed and usable counts as refunded from the same transaction
 * on, so that refunds asked in parallel never exceed what was captured. An allow that nobody can use takes nothing from
 * what is left: the new decision that it asks for would else be refused (facts/arbiter.md J7).
 * Problems, in order: {@link DRAW_AGAIN}, those of {@link requireParties}.
 */
export const decideRefundCommand = (
  context: CommandContext,
  ask: RefundAsk,
  drawn: Draw,
): Command<Decided> => ({
  ...context,
  name: 'decision.refund',
  reads: [cell(decisions, drawn.decisionId), ...refundCells(ask)],
  decide(view, moment) {
    const decisionId = decisionIdUnder(drawn, view, moment);
    if (decisionId === null) return err(DRAW_AGAIN);
    const parties = requireParties(view, { merchantId: ask.merchantId, agentId: null });
    if (!parties.ok) return parties;
    const judgement = judgeRefund(ask, view, moment);
    return ok({
      events: [
        event(decisionRecorded, { decisionId, ...judgement }),
        ...effectsOf(decisionId, ask, judgement),
      ],
    });
  },
  answer: decidedOf,
});

const effectsOf = (
  decisionId: DecisionId,
  ask: RefundAsk,
  judgement: Judgement,
): readonly LedgerEvent[] =>
  judgement.usable ? [event(refundAllowed, refundOf(decisionId, ask, judgement))] : [];

const refundOf = (
  decisionId: DecisionId,
  { merchantId, orderId, amountMinor, currency }: RefundAsk,
  { allow }: Judgement,
) => ({
  decisionId,
  merchantId,
  orderId,
  amountMinor,
  currency,
  allowExpiresAtMs: allow?.expiresAtMs ?? null,
});

/** The drawn id if it is free; in a tenant with reproducible ids the one that follows from its seed and place. */
export function decisionIdUnder(drawn: Draw, view: CellView, moment: Moment): DecisionId | null {
  if (moment.idSeed !== null) {
    const seeded = `${moment.idSeed}\narbdec\n${moment.nextSeq}`;
    return decisionIdOf(createHash('sha256').update(seeded).digest('hex'));
  }
  return view.get(decisions, [drawn.decisionId]) === undefined ? drawn.decisionId : null;
}

/**
 * The parties of a decision, as they are under the lock. Problems, in order: not_found `/merchant_id`, not_found
 * `/agent_id`, forbidden (the agent is suspended).
 */
export function requireParties(
  view: CellView,
  { merchantId, agentId }: Pick<PurchaseAsk, 'merchantId' | 'agentId'>,
): Result<null, Problem> {
  if (view.get(merchants, [merchantId]) === undefined)
    return err(noSuchMerchant(merchantId, '/merchant_id'));
  if (agentId === null) return ok(null);
  const agent = view.get(agents, [agentId]);
  if (agent === undefined) return err(noSuchAgent(agentId, '/agent_id'));
  return agent.suspended
    ? err(
        problem('forbidden', 'This agent is suspended.', {
          fix: 'Ask the operator of the tenant to resume it.',
          field: '/agent_id',
        }),
      )
    : ok(null);
}

function decidedOf(entries: readonly RecordedEntry[], replayed: boolean): Decided {
  const entry = entries.find((candidate) => candidate.type === decisionRecorded.type);
  invariant(entry !== undefined, 'a decision command records a decision');
  return { decision: decisionOfEntry(entry), replayed };
}

/** The decision as its entry holds it; what is answered is always rendered from here. */
export const decisionOfEntry = (
  entry: Pick<RecordedEntry, 'data' | 'atMs' | 'seq' | 'link'> & { readonly id: string },
): RecordedDecision => ({
  ...(entry.data as DecisionRecorded),
  decidedAtMs: entry.atMs,
  entry: { id: entry.id, seq: entry.seq, link: entry.link },
});
