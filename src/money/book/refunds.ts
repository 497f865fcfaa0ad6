import {
  cell,
  type CellRef,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { err, invariant, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import { orderMoney } from './book.projections.js';
import type { PaymentSource } from './move-payment.js';
import { payments } from './payment.projections.js';
import {
  refundMoved,
  type RefundPart,
  type RefundReport,
  refundReportIgnored,
  type RefundState,
  refundSubmitted,
} from './refund.events.js';
import { type RefundRow, refunds } from './refund.projections.js';
import { refundedEffectOf, refundStateAfter } from './refund-states.js';

/** `paymentId`: the captured payment to give back from; null = it is not known here (the merchant's own system refunds). */
export interface RefundToSubmit {
  readonly refundId: string;
  readonly paymentId: string | null;
  readonly provider: string;
}

/** Why a refund is not submitted, in this order. */
export type RefundFault =
  /** It was submitted before, was reported before, or its allow ended: state says which. Null: there is none. */
  | { readonly kind: 'not_reserved'; readonly state: RefundState | null }
  /** There is no such payment, or it is of another order or currency. */
  | { readonly kind: 'payment_of_another_order' }
  /** Less than the amount is left of what was captured for this payment. */
  | { readonly kind: 'payment_too_small'; readonly leftMinor: bigint };

/** What {@link submitRefund} looks at. */
export const submitRefundReads = ({
  refundId,
  paymentId,
}: Pick<RefundToSubmit, 'refundId' | 'paymentId'>): readonly CellRef[] => [
  cell(refunds, refundId),
  ...(paymentId === null ? [] : [cell(payments, paymentId)]),
];

/**
 * The events of a refund whose allow is used, before any provider is called. Part of the command that uses the allow;
 * pure. That it fits the order was held when it was allowed (I2). Not checked: the allow.
 */
export function submitRefund(
  view: CellView,
  { refundId, paymentId, provider }: RefundToSubmit,
): Result<readonly LedgerEvent[], RefundFault> {
  const row = view.get(refunds, [refundId]);
  if (row?.state !== 'reserved') return err({ kind: 'not_reserved', state: row?.state ?? null });
  if (paymentId !== null) {
    const payment = view.get(payments, [paymentId]);
    if (
      payment === undefined ||
      payment.merchantId !== row.merchantId ||
      payment.orderId !== row.orderId ||
      payment.currency !== row.currency
    )
      return err({ kind: 'payment_of_another_order' });
    const leftMinor = payment.capturedMinor - payment.refundedMinor;
    if (row.amountMinor > leftMinor) return err({ kind: 'payment_too_small', leftMinor });
  }
  return ok([event(refundSubmitted, { refund: { ...refundPartOf(row), paymentId }, provider })]);
}

/** What of a refund is read without the lock. Its payment is settled once it is submitted. */
export type KnownRefund = Pick<RefundRow, 'refundId' | 'merchantId' | 'orderId' | 'paymentId'>;

/** What somebody says of a refund. That its allow ended unused is ours to say ({@link lapseRefund}, {@link releaseRefund}). */
export interface RefundNews {
  readonly report: Exclude<RefundReport, 'lapsed'>;
  readonly source: PaymentSource;
  readonly providerRef?: string | null;
  readonly detail?: string | null;
}

/** `changed` false: the report was only kept. */
export interface RefundAnswer {
  readonly refundId: string;
  readonly state: RefundState;
  readonly changed: boolean;
}

export const noSuchRefund = (refundId: string): Problem =>
  problem('not_found', `There is no refund ${refundId} here.`, {
    fix: 'Name the refund as it was answered when it was asked for.',
  });

/** The payment of a refund became known between the look outside the lock and the lock: ask again. */
export const REFUND_CHANGED: Problem = problem('unavailable', 'The refund changed meanwhile.', {
  fix: 'Send the report again.',
});

/**
 * Records a report about a refund. `failed` gives the amount back to what may be refunded; `done` after that takes it
 * again if it still fits, and else is kept and marked for review. Problems, in order: not_found, {@link REFUND_CHANGED}.
 */
export const moveRefund = (
  context: CommandContext,
  known: KnownRefund,
  news: RefundNews,
): Command<RefundAnswer> => ({
  ...context,
  name: 'refund.move',
  reads: refundReads(known),
  decide(view) {
    const row = view.get(refunds, [known.refundId]);
    if (row === undefined) return err(noSuchRefund(known.refundId));
    if (row.paymentId !== known.paymentId) return err(REFUND_CHANGED);
    return ok({ events: [moved(view, row, news)] });
  },
  answer(entries) {
    const move = dataOf(entries, refundMoved);
    if (move !== null) return { refundId: known.refundId, state: move.to, changed: true };
    const ignored = dataOf(entries, refundReportIgnored);
    invariant(ignored !== null, 'a report moves a refund or is kept');
    return { refundId: known.refundId, state: ignored.state, changed: false };
  },
});

/** Gives an amount back whose allow ended unused, if it is due under the lock. Answers whether it did. */
export const lapseRefund = (context: CommandContext, known: KnownRefund): Command<boolean> => ({
  ...context,
  name: 'refund.lapse',
  reads: refundReads(known),
  decide(view, { atMs }) {
    const row = view.get(refunds, [known.refundId]);
    if (row === undefined || row.dueAtMs === null || row.dueAtMs > atMs) return ok({ events: [] });
    return ok({ events: [moved(view, row, { report: 'lapsed', source: 'clock' })] });
  },
  answer: (entries) => entries.length > 0,
});

/**
 * Gives back at once what is reserved for a refund that cannot be made, because `cause` will not go away. A refund that
 * is not reserved any more stays as it is. Answers with the cause, in a repeat with that of the first time; null = it was
 * not reserved.
 */
export const releaseRefund = (
  context: CommandContext,
  known: KnownRefund,
  cause: string,
): Command<string | null> => ({
  ...context,
  name: 'refund.release',
  reads: refundReads(known),
  decide(view) {
    const row = view.get(refunds, [known.refundId]);
    if (row?.state !== 'reserved') return ok({ events: [] });
    const news = { report: 'lapsed', source: 'merchant', detail: cause } as const;
    return ok({ events: [moved(view, row, news)] });
  },
  answer: (entries) => dataOf(entries, refundMoved)?.detail ?? null,
});

const refundReads = ({ refundId, merchantId, orderId, paymentId }: KnownRefund) => [
  cell(refunds, refundId),
  cell(orderMoney, merchantId, orderId),
  ...(paymentId === null ? [] : [cell(payments, paymentId)]),
];

type Told = Omit<RefundNews, 'report'> & { readonly report: RefundReport };

function moved(view: CellView, row: RefundRow, news: Told): LedgerEvent {
  const { report, source, providerRef = null, detail = null } = news;
  const next = refundStateAfter(row.state, report);
  const fits = next === null || stillFits(view, row, next);
  if (next !== null && fits) {
    const move = { report, from: row.state, to: next, source, providerRef, detail };
    return event(refundMoved, { refund: refundPartOf(row), ...move });
  }
  const { refundId, merchantId, state } = row;
  const kept = { refundId, merchantId, report, state, source, detail };
  return event(refundReportIgnored, { ...kept, beyondCaptured: !fits });
}

/** Whether an amount that had been given back can be taken again, from the order and from its payment. */
function stillFits(view: CellView, row: RefundRow, to: RefundState): boolean {
  const takesMinor = refundedEffectOf(row.amountMinor, { from: row.state, to });
  const order = view.get(orderMoney, [row.merchantId, row.orderId]);
  const payment = row.paymentId === null ? undefined : view.get(payments, [row.paymentId]);
  return [order, payment].every(
    (money) => money === undefined || money.refundedMinor + takesMinor <= money.capturedMinor,
  );
}

const refundPartOf = (row: RefundRow): RefundPart => ({
  refundId: row.refundId,
  decisionId: row.decisionId,
  merchantId: row.merchantId,
  orderId: row.orderId,
  amountMinor: row.amountMinor,
  currency: row.currency,
  paymentId: row.paymentId,
});
