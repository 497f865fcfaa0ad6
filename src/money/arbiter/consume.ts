import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
  type Moment,
  type RecordedEntry,
} from '../../base/ledger/index.js';
import { merchants, tenants } from '../../base/tenants/index.js';
import {
  type AgentId,
  type DecisionId,
  err,
  invariant,
  type Money,
  ok,
  type Problem,
  type ReasonOf,
  type Result,
  utcDay,
} from '../../core/kernel/index.js';
import {
  AGENT_EXECUTED_PAYMENT_DISABLED,
  type Refused,
  useRefused,
} from '../../core/rules/index.js';
import type { ConsumedAllow, ConsumedAllowParts } from '../payments/index.js';
import {
  type AllowRow,
  allows,
  allowUsed,
  type AllowUseRefused,
  allowUseRefused,
} from './allow.events.js';
import { cartHashOf, type CheckedCart } from './cart.js';
import { consumedOf } from './consumed.js';
import { countersignatureCells, useFaultOfCountersignature } from './countersignature.js';
import {
  DRAW_AGAIN,
  type Draw,
  decisionIdUnder,
  decisionOfEntry,
  LAPSE_FIRST,
  type RecordedDecision,
  requireParties,
} from './decide.js';
import { checkSize } from './decision-size.js';
import { decisionRecorded, decisions } from './decision.events.js';
import { debitOf } from './debit-mandates.js';
import { type ArbiterSwitches, type Judgement, mayRestOnOverdue, oneTimeRefsOf } from './judge.js';
import { evidenceClaims } from './rail-recheck.js';
import { isPurchase, type LookedStatuses, recheckCells, recheckUse } from './recheck-use.js';
import { effectOfUse, type UseTarget } from './use-effects.js';

/** What somebody wants to use an allow for: the whole cart again, or of a refund its amount (null = as it was decided). */
export type UseSubject =
  | { readonly kind: 'purchase'; readonly cart: CheckedCart }
  | { readonly kind: 'refund'; readonly amount: Money | null };

/** One use of one allow, with what was read before the lock: none of it ever changes but `allow`, which is compared. */
export interface Use {
  readonly decision: RecordedDecision;
  readonly allow: AllowRow;
  readonly subject: UseSubject;
  readonly target: UseTarget;
  readonly switches: ArbiterSwitches;
  /** What the status lists said just now of everything that the decision rests on; of a refund nothing. */
  readonly looked: LookedStatuses;
  /** What was due of the merchant has lapsed just now: what is open still is open. */
  readonly dueLapsed?: boolean;
}

export type UseOutcome =
  /**
   * `consumed` is null in a repeat: only the request that used the allow holds the proof that a rail asks for, so a
   * provider is called at most once; who repeats looks at what became of it.
   */
  | {
      readonly kind: 'used';
      readonly use: ConsumedAllowParts;
      readonly consumed: ConsumedAllow | null;
    }
  /** Refused under the allow's own decision; nothing was used up. */
  | {
      readonly kind: 'use_refused';
      readonly decisionId: DecisionId;
      readonly refused: Refused;
    }
  /** The rules said no at the instant of use: a decision of its own (decisions 3.4). The allow stays as it was. */
  | { readonly kind: 'recheck_refused'; readonly decision: RecordedDecision };

/**
 * Uses an allow under the tenant's lock: in one transaction with what it starts, so at most once, and never for anything
 * but what was decided (facts/arbiter.md J2). Every answer but a problem is an entry.
 *
 * In order: allow_already_used, allow_expired (its last millisecond counts), allow_cart_mismatch, the countersignature;
 * then the problems of `requireParties`; agent_executed_payment_disabled; the rules again ({@link recheckUse}); then the
 * problems of `effectOfUse`. Problems of its own: {@link DRAW_AGAIN}, {@link LAPSE_FIRST}.
 */
export const consumeCommand = (
  context: CommandContext,
  use: Use,
  drawn: Draw,
): Command<UseOutcome> => {
  const { decision, allow, target, looked } = use;
  const effect = effectOfUse(decision, target);
  return {
    ...context,
    name: 'allow.use',
    reads: [
      cell(tenants),
      cell(allows, decision.decisionId),
      cell(decisions, drawn.decisionId),
      cell(merchants, decision.merchantId),
      ...countersignatureCells(allow),
      ...(isPurchase(decision) ? recheckCells(decision.judged, drawn.days) : []),
      ...effect.reads,
    ],
    decide(view, moment) {
      const row = view.get(allows, [decision.decisionId]);
      invariant(row !== undefined, 'an allow that was read stays');
      if (row.countersignatureSha256 !== allow.countersignatureSha256) return err(DRAW_AGAIN);
      if (!drawn.days.includes(utcDay(moment.atMs))) return err(DRAW_AGAIN);
      if (!drawn.isLast && looked.isOvertaken(view)) return err(DRAW_AGAIN);
      const refused = useFault(row, use, { view, moment, context });
      if (refused !== null) return ok({ events: [refusedEvent(use, useRefused(refused))] });
      const parties = requireParties(view, {
        merchantId: decision.merchantId,
        agentId: decision.agentId as AgentId | null,
      });
      if (!parties.ok) return parties;
      if (isSwitchedOff(use, view))
        return ok({ events: [refusedEvent(use, AGENT_EXECUTED_PAYMENT_DISABLED)] });
      const again = isPurchase(decision) ? recheckUse(decision, { view, moment, looked }) : null;
      if (again !== null && again.refusal !== null) {
        const recorded = recheckEvent(again.refusal, { use, drawn }, { view, moment });
        return recorded.ok ? ok({ events: [recorded.value] }) : recorded;
      }
      const started = effect.decide(view, moment);
      if (!started.ok) return started;
      return ok({
        events: [
          event(allowUsed, {
            ...usedOf(row, use, effect.reference),
            debit: again === null ? null : debitOf(again.facts, view),
          }),
          ...(isPurchase(decision)
            ? evidenceClaims(decision.judged.facts, { view, decisionId: decision.decisionId })
            : []),
          ...started.value,
        ],
      });
    },
    answer: outcomeOf,
  };
};

interface Under {
  readonly view: CellView;
  readonly moment: Moment;
}

/** The first thing wrong with the allow itself, in the order of the catalogue. */
function useFault(
  row: AllowRow,
  use: Use,
  { view, moment: { atMs }, context }: Under & { readonly context: CommandContext },
): ReasonOf<'allow_use'> | null {
  if (row.usedAtMs !== null) return 'allow_already_used';
  if (atMs > row.expiresAtMs) return 'allow_expired';
  if (!isWhatWasDecided(row, use, context)) return 'allow_cart_mismatch';
  return useFaultOfCountersignature(row, {
    view,
    atMs,
    isLive: view.get(tenants, [])?.world !== 'test',
  });
}

/** Exactly the cart, by its hash over what the decision rested on (decisions 3.8); of a refund the order and amount. */
function isWhatWasDecided(
  row: AllowRow,
  { decision, subject, target }: Use,
  { tenantId }: CommandContext,
): boolean {
  if (!isPurchase(decision))
    return (
      subject.kind === 'refund' &&
      target.orderId === row.orderId &&
      (subject.amount === null ||
        (subject.amount.amountMinor === row.amountMinor &&
          subject.amount.currency === row.currency))
    );
  if (subject.kind !== 'purchase' || decision.allow === null) return false;
  const { facts } = decision.judged;
  const hash = cartHashOf(subject.cart, {
    tenantId,
    merchantId: facts.merchantId,
    agentId: facts.agentId,
    buyerCommitment: decision.allow.buyerCommitment,
    artifacts: facts.artifacts,
    flow: facts.flow,
  });
  return hash === row.cartHash;
}

/** Both switches are needed at the use as well (facts/arbiter.md O1). */
const isSwitchedOff = ({ decision, switches }: Use, view: CellView): boolean =>
  decision.decision.flow === 'agent_payment' &&
  !(
    switches.agentExecutedPaymentEnabled &&
    view.get(merchants, [decision.merchantId])?.agentPaymentEnabled === true
  );

/** The refusal as a decision of its own. */
function recheckEvent(
  refusal: Judgement,
  { use, drawn }: { readonly use: Use; readonly drawn: Draw },
  { view, moment }: Under,
): Result<LedgerEvent, Problem> {
  const decisionId = decisionIdUnder(drawn, view, moment);
  if (decisionId === null) return err(DRAW_AGAIN);
  const recorded = { decisionId, ...refusal };
  if (use.dueLapsed !== true && mayRestOnOverdue(recorded, view)) return err(LAPSE_FIRST);
  const fits = checkSize(recorded);
  return fits.ok ? ok(event(decisionRecorded, recorded)) : fits;
}

const refusedEvent = ({ decision, target }: Use, { failingRule, reason }: Refused) =>
  event(allowUseRefused, {
    decisionId: decision.decisionId,
    merchantId: decision.merchantId,
    orderId: target.orderId,
    provider: target.provider,
    failingRule: failingRule as AllowUseRefused['failingRule'],
    reason: String(reason),
  });

/** What `allow.used` says of a use, but for its debit. */
export const usedOf = (
  row: AllowRow,
  {
    decision,
    target,
  }: Pick<Use, 'decision'> & { readonly target: Pick<UseTarget, 'orderId' | 'provider'> },
  reference: string,
) => ({
  decisionId: row.decisionId,
  flow: decision.decision.flow,
  merchantId: row.merchantId,
  orderId: target.orderId,
  amountMinor: row.amountMinor,
  currency: row.currency,
  expiresAtMs: row.expiresAtMs,
  reference,
  provider: target.provider,
  mandateRefs: isPurchase(decision) ? oneTimeRefsOf(decision.judged.facts.authority) : [],
});

function outcomeOf(entries: readonly RecordedEntry[], replayed: boolean): UseOutcome {
  const consumed = consumedOf(entries);
  if (consumed !== null)
    return { kind: 'used', use: consumed.parts, consumed: replayed ? null : consumed };
  const [entry] = entries;
  invariant(entry !== undefined, 'every use and every refused use is an entry');
  if (entry.type === decisionRecorded.type)
    return { kind: 'recheck_refused', decision: decisionOfEntry(entry) };
  const { decisionId, failingRule, reason } = entry.data as AllowUseRefused;
  const refused = { failingRule, reason, notBeforeMs: null };
  return { kind: 'use_refused', decisionId: decisionId as DecisionId, refused };
}
