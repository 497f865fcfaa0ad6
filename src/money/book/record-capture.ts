import {
  cell,
  type CellView,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type LedgerEvent,
  type RecordedEntry,
} from '../../base/ledger/index.js';
import { merchants, noSuchMerchant } from '../../base/tenants/index.js';
import {
  AMOUNT_MINOR_MAX,
  type DecisionId,
  err,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { stockCells, takeStock } from '../../trust/facts/index.js';
import { isPayable, paymentIdOf } from '../payments/index.js';
import {
  captureAttached,
  type CapturedPayment,
  type CaptureRecorded,
  captureRecorded,
} from './book.events.js';
import { type CaptureRow, captures, orderMoney } from './book.projections.js';
import { holdOf, type KnownPayment, noSuchPayment, partOf } from './move-payment.js';
import { orderPayments, type PaymentRow, payments } from './payment.projections.js';

/** A recorded capture, as its entry says. */
export interface Capture extends CaptureRecorded {
  readonly confirmedAtMs: number;
}

/** Captured money as it is reported; of which payment, is found out under the lock. */
export type NewCapture = Omit<CaptureRecorded, 'payment'>;

/**
 * Between the look outside the lock and the lock the allow of the named decision was used, or the order was offered for
 * another payment or for none: look again.
 */
export const PAYMENT_APPEARED: Problem = problem('unavailable', 'Its payment started meanwhile.', {
  fix: 'Send the capture again.',
});

/**
 * Records captured money. With `known`, it is money of that payment, which is `paid` from then on: it stops counting as
 * open and counts as confirmed (facts/arbiter.md C5), its goods are taken, and what is odd about it is kept for review.
 * Money of the same name, order and amount that was recorded before without a payment and without a decision is attached
 * to `known`: no sum of the order or the day changes but the part of its day whose buyer was away, and it counts under the
 * payment's passport and intents from then on.
 *
 * Amounts are positive and at most {@link AMOUNT_MINOR_MAX}; the door has checked that. Problems, in order: not_found
 * `/merchant_id`, conflict `/capture_id` (recorded before under this name), those of the payment (not_found `/payment_id`,
 * conflict `/order_id`, conflict `/amount/currency`), {@link PAYMENT_APPEARED}, conflict `/amount/currency` (the order was
 * captured in another currency), conflict `/amount/amount` (the order's sum would have more than 18 digits).
 * Not checked: that an order without a payment exists elsewhere, or that the amount is what was decided. Money that
 * moved is written down.
 */
export const recordCapture = (
  context: CommandContext,
  capture: NewCapture,
  known: KnownPayment | null = null,
): Command<Capture> => ({
  ...context,
  name: 'capture.record',
  reads: [
    cell(merchants, capture.merchantId),
    cell(captures, capture.merchantId, capture.captureId),
    cell(orderMoney, capture.merchantId, capture.orderId),
    ...(known === null
      ? namedPayment(capture).map((paymentId) => cell(payments, paymentId))
      : [cell(payments, known.paymentId), ...stockCells(known.merchantId, known.stockHeld)]),
  ],
  decide(view) {
    invariant(capture.amountMinor > 0n, 'a capture is positive');
    if (view.get(merchants, [capture.merchantId]) === undefined)
      return err(noSuchMerchant(capture.merchantId, '/merchant_id'));
    const before = view.get(captures, [capture.merchantId, capture.captureId]);
    const attaches = known !== null && before !== undefined && isSameUnattached(before, capture);
    if (before !== undefined && !attaches)
      return err(
        conflict('/capture_id', `Capture ${capture.captureId} is recorded already.`, {
          fix: 'Nothing to do if this is a repeat; otherwise report it under its own name.',
        }),
      );
    const payment = paymentOf(view, capture, known);
    if (!payment.ok) return payment;
    if (attaches && payment.value !== null)
      return ok({ events: attached(view, before, payment.value) });
    const order = view.get(orderMoney, [capture.merchantId, capture.orderId]);
    if (order !== undefined && order.currency !== capture.currency)
      return err(inCurrency('This order is captured', order.currency));
    if ((order?.capturedMinor ?? 0n) + capture.amountMinor > AMOUNT_MINOR_MAX)
      return err(
        conflict('/amount/amount', 'The captures of this order would exceed 18 digits.', {
          fix: 'Check the unit: amounts are minor units.',
        }),
      );
    if (payment.value === null)
      return ok({ events: [event(captureRecorded, { ...capture, payment: null })] });
    return ok({ events: paid(view, capture, payment.value) });
  },
  answer: captureOf,
});

/**
 * Records money of which only the order was named: it is money of the payment that the order is offered for (`payable`), and
 * of none if it is offered for none. Problems: those of {@link recordCapture}; {@link PAYMENT_APPEARED} too when `payable`
 * is not what the order is offered for under the lock.
 */
export function recordOrderCapture(
  context: CommandContext,
  capture: NewCapture,
  payable: KnownPayment | null,
): Command<Capture> {
  const { merchantId, orderId } = capture;
  const recording = recordCapture(context, capture, payable);
  return {
    ...recording,
    reads: [...recording.reads, cell(orderPayments, merchantId, orderId)],
    decide(view, moment) {
      const offered = view.get(orderPayments, [merchantId, orderId])?.payablePaymentId ?? null;
      if (offered !== (payable?.paymentId ?? null)) return err(PAYMENT_APPEARED);
      return recording.decide(view, moment);
    },
  };
}

const isSameUnattached = (before: CaptureRow, capture: NewCapture): boolean =>
  before.paymentId === null && before.decisionId === null && isSameMoney(before, capture);

/** The same money under one name. */
export const isSameMoney = (
  before: CaptureRow,
  { orderId, amountMinor, currency }: Pick<NewCapture, 'orderId' | 'amountMinor' | 'currency'>,
): boolean =>
  before.orderId === orderId && before.amountMinor === amountMinor && before.currency === currency;

/** The payment that the named decision would have: empty when none is named. */
const namedPayment = ({ authority }: NewCapture): readonly string[] =>
  authority === null ? [] : [paymentIdOf(authority.decisionId as DecisionId)];

function paymentOf(
  view: CellView,
  capture: NewCapture,
  known: KnownPayment | null,
): Result<PaymentRow | null, Problem> {
  if (known === null) {
    const appeared = namedPayment(capture).some((id) => view.get(payments, [id]) !== undefined);
    return appeared ? err(PAYMENT_APPEARED) : ok(null);
  }
  const row = view.get(payments, [known.paymentId]);
  if (row === undefined || row.merchantId !== capture.merchantId)
    return err(noSuchPayment(known.paymentId, '/payment_id'));
  if (row.orderId !== capture.orderId)
    return err(
      conflict('/order_id', `This payment is of order ${row.orderId}.`, {
        fix: 'Report the capture under the order that its payment was started for.',
      }),
    );
  return row.currency === capture.currency
    ? ok(row)
    : err(inCurrency(`Payment ${row.paymentId} of this order is`, row.currency));
}

/** The entries of money captured for a payment. */
function paid(view: CellView, capture: NewCapture, row: PaymentRow): readonly LedgerEvent[] {
  const order = view.get(orderMoney, [row.merchantId, row.orderId]);
  const otherMinor = (order?.capturedMinor ?? 0n) - row.capturedMinor;
  const { payment, taken } = becomesPaid(view, row, { orderWasPaid: otherMinor > 0n });
  const data = { ...capture, authority: authorityOf(payment), payment };
  return [event(captureRecorded, data), ...taken];
}

/** The entries of recorded money that turns out to be a payment's. */
function attached(view: CellView, before: CaptureRow, row: PaymentRow): readonly LedgerEvent[] {
  const { captureId, merchantId, orderId, amountMinor, currency, confirmedAtMs } = before;
  const order = view.get(orderMoney, [merchantId, orderId]);
  const otherMinor = (order?.capturedMinor ?? 0n) - row.capturedMinor - amountMinor;
  const { payment, taken } = becomesPaid(view, row, { orderWasPaid: otherMinor > 0n });
  const money = { captureId, merchantId, orderId, amountMinor, currency };
  return [event(captureAttached, { ...money, confirmedAtMs, payment }), ...taken];
}

/** Goods are taken with the first capture of a payment. */
function becomesPaid(
  view: CellView,
  row: PaymentRow,
  { orderWasPaid }: Pick<CapturedPayment, 'orderWasPaid'>,
): { readonly payment: CapturedPayment; readonly taken: readonly LedgerEvent[] } {
  const { state: from } = row;
  const taken =
    from === 'paid'
      ? { events: [], short: false }
      : takeStock(view, holdOf(row), { stillHeld: isPayable(from) });
  const payment = { payment: partOf(row), from, orderWasPaid, stockShort: taken.short };
  return { payment, taken: taken.events };
}

function authorityOf({ payment }: CapturedPayment): CaptureRecorded['authority'] {
  const { decisionId, passportRef, intentRefs, buyerAway } = payment;
  return { decisionId, passportRef, intentRefs, buyerAway };
}

function captureOf(entries: readonly RecordedEntry[]): Capture {
  const linked = dataOf(entries, captureAttached);
  if (linked !== null) return { ...linked, authority: authorityOf(linked.payment) };
  const entry = entries.find((candidate) => candidate.type === captureRecorded.type);
  invariant(entry !== undefined, 'a capture command records a capture');
  return { ...(entry.data as CaptureRecorded), confirmedAtMs: entry.atMs };
}

const inCurrency = (what: string, currency: string): Problem =>
  conflict('/amount/currency', `${what} in ${currency}.`, {
    fix: `Report its captures in ${currency}.`,
  });

const conflict = (field: string, detail: string, { fix }: { fix: string }): Problem =>
  problem('conflict', detail, { fix, field });
