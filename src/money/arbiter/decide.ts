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
import { stockCells } from '../../trust/facts/index.js';
import { authoritySpend, merchantDayMoney, orderMoney, refundAllowed } from '../book/index.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import { checkSize } from './decision-size.js';
import { type DecisionRecorded, decisionRecorded, decisions } from './decision.events.js';
import {
  intentRefsOf,
  judgePurchase,
  judgeRefund,
  type Judgement,
  passportRefOf,
  type PurchaseJudging,
} from './judge.js';

/** A decision with the entry that holds it. */
export interface RecordedDecision extends DecisionRecorded {
  readonly decidedAtMs: InstantMs;
  readonly entry: {
    readonly id: string;
    readonly seq: number;
    readonly link: string | null;
  };
}

/**
 * What was guessed before the lock and did not hold under it: an id that is taken (decisions 1.4), or a UTC day that has
 * begun meanwhile. Nothing was written; draw again. Never answered to a caller.
 */
export const DRAW_AGAIN: Problem = problem('unavailable', 'The names drawn did not hold.', {
  fix: 'Send the request again.',
});

/** The clock of this process and the database's may differ by so much around midnight before a redraw is needed. */
const DAY_EDGE_MS = 60_000;

/** What a command has to name before the lock is taken, because cells are loaded by name. */
export interface Draw {
  readonly decisionId: DecisionId;
  /** UTC days one of which will be the day of the decision. */
  readonly days: readonly string[];
}

/** `nowMs`: the tenant's commerce time, as near as it can be known without its lock. */
export const draw = (nowMs: InstantMs): Draw => ({
  decisionId: decisionIdOf(randomBytes(6).toString('hex')),
  days: [...new Set([nowMs - DAY_EDGE_MS, nowMs, nowMs + DAY_EDGE_MS].map(utcDay))],
});

/** The cells a purchase is judged by, in the lock or outside of it. */
export function purchaseCells(
  { ask, resolved }: PurchaseJudging,
  days: readonly string[],
): readonly CellRef[] {
  const { currency } = ask.cart;
  const passportRef = passportRefOf(resolved.authority);
  return [
    cell(tenants),
    cell(merchants, ask.merchantId),
    ...(ask.agentId === null ? [] : [cell(agents, ask.agentId)]),
    cell(currentLimits, ask.merchantId),
    ...days.map((day) => cell(merchantDayMoney, ask.merchantId, currency, day)),
    ...(passportRef === null ? [] : [cell(authoritySpend, 'passport', passportRef, currency)]),
    ...intentRefsOf(resolved.authority).map((ref) => cell(authoritySpend, 'intent', ref, currency)),
    ...stockCells(ask.merchantId, ask.cart.lines),
  ];
}

export const refundCells = (ask: RefundAsk): readonly CellRef[] => [
  cell(merchants, ask.merchantId),
  cell(orderMoney, ask.merchantId, ask.orderId),
];

/**
 * Judges a purchase under the tenant's lock and records the decision, whatever it is.
 * Problems, in order: {@link DRAW_AGAIN}, those of {@link requireParties}, {@link checkSize}. A refusal is not
 * a problem.
 */
export const decidePurchaseCommand = (
  context: CommandContext,
  judging: PurchaseJudging,
  drawn: Draw,
): Command<RecordedDecision> => ({
  ...context,
  name: 'decision.purchase',
  reads: [cell(decisions, drawn.decisionId), ...purchaseCells(judging, drawn.days)],
  decide(view, moment) {
    const decisionId = decisionIdUnder(drawn, view, moment);
    if (decisionId === null || !drawn.days.includes(utcDay(moment.atMs))) return err(DRAW_AGAIN);
    const parties = requireParties(view, judging.ask);
    if (!parties.ok) return parties;
    const decision = { decisionId, ...judgePurchase(judging, view, moment) };
    const fits = checkSize(decision);
    if (!fits.ok) return fits;
    return ok({
      events: [event(decisionRecorded, decision)],
      sideWrites: judging.resolved.sideWrites,
    });
  },
  answer: recordedDecision,
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
): Command<RecordedDecision> => ({
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
  answer: recordedDecision,
});

const effectsOf = (
  decisionId: DecisionId,
  ask: RefundAsk,
  judgement: Judgement,
): readonly LedgerEvent[] =>
  judgement.usable ? [event(refundAllowed, refundOf(decisionId, ask))] : [];

const refundOf = (
  decisionId: DecisionId,
  { merchantId, orderId, amountMinor, currency }: RefundAsk,
) => ({ decisionId, merchantId, orderId, amountMinor, currency });

/** The drawn id if it is free; in a tenant with reproducible ids the one that follows from its seed and place. */
function decisionIdUnder(drawn: Draw, view: CellView, moment: Moment): DecisionId | null {
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

function recordedDecision(entries: readonly RecordedEntry[]): RecordedDecision {
  const entry = entries.find((candidate) => candidate.type === decisionRecorded.type);
  invariant(entry !== undefined, 'a decision command records a decision');
  return decisionOfEntry(entry);
}

/** The decision as its entry holds it; what is answered is always rendered from here. */
export const decisionOfEntry = (
  entry: Pick<RecordedEntry, 'data' | 'atMs' | 'seq' | 'link'> & { readonly id: string },
): RecordedDecision => ({
  ...(entry.data as DecisionRecorded),
  decidedAtMs: entry.atMs,
  entry: { id: entry.id, seq: entry.seq, link: entry.link },
});
