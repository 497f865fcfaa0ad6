import type { CellView, Moment } from '../../base/ledger/index.js';
import { currentLimits, limitsOf, merchants, tenants } from '../../base/tenants/index.js';
import { AMOUNT_MINOR_MAX, invariant, utcDay, type World } from '../../core/kernel/index.js';
import {
  type Decision,
  decidePurchase,
  decideRefund,
  isOneTime,
  type PurchaseCounters,
  type PurchaseFacts,
  type RefundCounters,
  type UnusableReason,
} from '../../core/rules/index.js';
import {
  type AuthorityKind,
  authoritySpend,
  merchantDayMoney,
  merchantOpenMoney,
  orderMoney,
} from '../book/index.js';
import { mandateUses } from './allow.events.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import { cartHashOf, coreHashOf } from './cart.js';
import { ALLOW_LIFE_MS, type DecisionRecorded } from './decision.events.js';
import { stockSeen } from '../../trust/facts/index.js';
import { withReports } from './rail.js';
import { rbiFactsFor } from './rbi.js';
import type { ResolvedPurchase } from './resolve.js';

/** A decision before it has an id: what a simulation shows and a command records. */
export type Judgement = Omit<DecisionRecorded, 'decisionId'>;

/** What stands around the rules of one deployment. */
export interface ArbiterSwitches {
  /** `AGENT_EXECUTED_PAYMENT_ENABLED`; the merchant's own switch is needed beside it (facts/arbiter.md O1). */
  readonly agentExecutedPaymentEnabled: boolean;
}

export interface PurchaseJudging {
  readonly tenantId: string;
  readonly ask: PurchaseAsk;
  readonly resolved: ResolvedPurchase;
  readonly switches: ArbiterSwitches;
  /** What was due of the merchant has lapsed just now: what is open still is open. */
  readonly dueLapsed?: boolean;
}

/**
 * Judges a purchase on what was found out before and on the cells of the view. Pure; the merchant must exist.
 * The merchant's limits, switch and profile are read from the view, so that a change takes effect with its own entry.
 */
export function judgePurchase(
  judging: PurchaseJudging,
  view: CellView,
  moment: Pick<Moment, 'atMs'>,
): Judgement {
  const { ask, switches } = judging;
  const facts = factsOf(judging, view);
  const counters = purchaseCountersOf(facts, view, moment.atMs);
  const decision = decidePurchase({ facts, counters, atMs: moment.atMs });
  const merchantEnabled = view.get(merchants, [ask.merchantId])?.agentPaymentEnabled === true;
  const dryRun =
    ask.flow === 'agent_payment' && !(switches.agentExecutedPaymentEnabled && merchantEnabled);
  return {
    ...outcomeOf(decision, { dryRun, world: ask.world }),
    merchantId: ask.merchantId,
    agentId: ask.agentId,
    orderId: null,
    allow:
      decision.outcome === 'allow' && !dryRun
        ? {
            cartHash: facts.cart.hash,
            expiresAtMs: moment.atMs + ALLOW_LIFE_MS,
            buyerCommitment: judging.resolved.buyerCommitment,
          }
        : null,
    recheck: null,
    judged: { kind: 'purchase', facts, counters },
  };
}

/** Judges a refund on what the order's money did so far. Facts and status lists are not asked (facts/arbiter.md I5). */
export function judgeRefund(
  ask: RefundAsk,
  view: CellView,
  moment: Pick<Moment, 'atMs'>,
): Judgement {
  const order = view.get(orderMoney, [ask.merchantId, ask.orderId]);
  const counters: RefundCounters = {
    order:
      order === undefined
        ? null
        : {
            currency: order.currency,
            capturedMinor: order.capturedMinor,
            refundedMinor: order.refundedMinor,
          },
  };
  const facts = {
    merchantId: ask.merchantId,
    orderId: ask.orderId,
    amountMinor: ask.amountMinor,
    currency: ask.currency,
  };
  const decision = decideRefund({ facts, counters, atMs: moment.atMs });
  return {
    ...outcomeOf(decision, { dryRun: false, world: ask.world }),
    merchantId: ask.merchantId,
    agentId: null,
    orderId: ask.orderId,
    allow:
      decision.outcome === 'allow'
        ? { cartHash: null, expiresAtMs: moment.atMs + ALLOW_LIFE_MS, buyerCommitment: null }
        : null,
    recheck: null,
    judged: { kind: 'refund', facts, counters },
  };
}

function factsOf({ tenantId, ask, resolved }: PurchaseJudging, view: CellView): PurchaseFacts {
  const merchant = view.get(merchants, [ask.merchantId]);
  invariant(merchant !== undefined, 'a purchase is judged for a merchant that exists');
  const limits = view.get(currentLimits, [ask.merchantId]);
  const tenant = view.get(tenants, []);
  const { cart } = ask;
  return {
    flow: ask.flow,
    world: ask.world,
    callerAssertedAllowed: ask.world === 'test' && tenant?.callerAssertedAllowed === true,
    merchantId: ask.merchantId,
    agentId: ask.agentId,
    cart: {
      currency: cart.currency,
      lines: cart.lines,
      subtotalMinor: cart.subtotalMinor,
      discountMinor: cart.discountMinor,
      taxMinor: cart.taxMinor,
      shippingMinor: cart.shippingMinor,
      totalMinor: cart.totalMinor,
      hash: cartHashOf(cart, {
        tenantId,
        merchantId: ask.merchantId,
        agentId: ask.agentId,
        buyerCommitment: resolved.buyerCommitment,
        artifacts: resolved.artifacts,
        flow: ask.flow,
      }),
      coreHash: coreHashOf(cart, ask.merchantId),
    },
    authority: resolved.authority,
    presenceEvidence: resolved.presenceEvidence,
    artifacts: resolved.artifacts,
    limits: limits === undefined ? null : limitsOf(limits),
    rbi: withReports(
      rbiFactsFor(merchant, resolved.railClaims, resolved.authority.mandates),
      { rail: resolved.rail, claims: resolved.railClaims },
      view,
    ),
  };
}

/** Sums stop at the largest amount there is: a cap is never above it, so the answer is the same and the entry readable. */
const bounded = (...partsMinor: readonly (bigint | undefined)[]): bigint => {
  const sumMinor = partsMinor.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n);
  return sumMinor > AMOUNT_MINOR_MAX ? AMOUNT_MINOR_MAX : sumMinor;
};

/** Every sum that the rules compare, as the cells of `counterCells` hold it. */
export function purchaseCountersOf(
  facts: PurchaseFacts,
  view: CellView,
  atMs: number,
): PurchaseCounters {
  const { currency } = facts.cart;
  const day = view.get(merchantDayMoney, [facts.merchantId, currency, utcDay(atMs)]);
  const open = view.get(merchantOpenMoney, [facts.merchantId, currency]);
  const spent = (kind: AuthorityKind, ref: string): bigint => {
    const row = view.get(authoritySpend, [kind, ref, currency]);
    return bounded(row?.spentMinor, row?.heldMinor);
  };
  const intentsSpent = intentRefsOf(facts.authority).map((ref) => ({
    ref,
    spentMinor: spent('intent', ref),
  }));
  const passportRef = passportRefOf(facts.authority);
  return {
    passportSpentMinor: passportRef === null ? 0n : spent('passport', passportRef),
    intentSpentMinor: intentsSpent.reduce(
      (most, { spentMinor }) => (spentMinor > most ? spentMinor : most),
      0n,
    ),
    intentsSpent,
    merchantDayMinor: bounded(day?.confirmedMinor, open?.openMinor, day?.closedMinor),
    notPresentDayMinor: bounded(day?.awayMinor, open?.openAwayMinor, day?.closedAwayMinor),
    stock: stockSeen(view, facts.merchantId, facts.cart.lines),
    usedMandateRefs: oneTimeRefsOf(facts.authority).filter(
      (ref) => view.get(mandateUses, [ref]) !== undefined,
    ),
  };
}

const DAILY_CAPS: readonly string[] = [
  'daily_amount_cap_exceeded',
  'not_present_daily_amount_cap_exceeded',
];

/**
 * Whether a refusal may rest on links that are over and whose lapse nobody has written yet: a daily cap refused while
 * something counts as open. Then what is due lapses first, so that a link that is over refuses nobody (ADR 0009).
 */
export function mayRestOnOverdue(
  { decision: { reason }, judged }: Pick<Judgement, 'decision' | 'judged'>,
  view: CellView,
): boolean {
  if (judged.kind !== 'purchase' || reason === null || !DAILY_CAPS.includes(reason)) return false;
  const { merchantId, cart } = judged.facts;
  const open = view.get(merchantOpenMoney, [merchantId, cart.currency]);
  return (open?.openMinor ?? 0n) > 0n;
}

type Authority = PurchaseFacts['authority'];

export const passportRefOf = (authority: Authority): string | null =>
  authority.passport?.ref ?? null;

/** Every intent named: an absent buyer's order has to fit each of them (rule 7). */
export const intentRefsOf = (authority: Authority): readonly string[] => [
  ...new Set(
    authority.mandates.filter(({ mandateKind }) => mandateKind === 'intent').map(({ ref }) => ref),
  ),
];

/** The mandates that are good for one payment, each once (facts/arbiter.md B2). */
export const oneTimeRefsOf = ({ mandates }: Authority): readonly string[] => [
  ...new Set(mandates.filter(isOneTime).map(({ ref }) => ref)),
];

/** Every intent that a payment under these mandates draws on, named or above a named one: a cap counts over children (G5). */
export const drawnIntentRefsOf = ({ mandates }: Authority): readonly string[] => [
  ...new Set(mandates.flatMap(({ intentRefs }) => intentRefs)),
];

type OutcomePart = Pick<Judgement, 'decision' | 'dryRun' | 'usable' | 'usableReason'>;

function outcomeOf(
  decision: Decision,
  { dryRun, world }: { readonly dryRun: boolean; readonly world: World },
): OutcomePart {
  const usableReason = unusableReasonOf(decision, { dryRun, world });
  const usable = decision.outcome === 'allow' && usableReason === null;
  return { decision, dryRun, usable, usableReason };
}

/** An allow of the live world is never usable here: its countersignature can only come with its own request (J7). */
function unusableReasonOf(
  decision: Decision,
  { dryRun, world }: { readonly dryRun: boolean; readonly world: World },
): UnusableReason | null {
  if (dryRun) return 'agent_executed_payment_disabled';
  return decision.outcome === 'allow' && world !== 'test'
    ? 'grantex_countersignature_missing'
    : null;
}
