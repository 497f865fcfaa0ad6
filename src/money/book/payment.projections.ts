import { column, defineProjection, when } from '../../base/ledger/index.js';
import { codec, invariant } from '../../core/kernel/index.js';
import { heldStock, type StockHold } from '../../trust/facts/index.js';
import { isPayable, PAYMENT_KINDS, PAYMENT_STATES, type PaymentState } from '../payments/index.js';
import { captureAttached, type CapturedPayment, captureRecorded } from './book.events.js';
import { awayPart, effectOf } from './counters.js';
import { onMoves } from './moves.js';
import {
  paymentFlagged,
  paymentMoved,
  type PaymentPart,
  paymentStarted,
} from './payment.events.js';
import { refundMoved, refundSubmitted } from './refund.events.js';
import { refundedEffectOf } from './refund-states.js';
import { reviewAfterCapture, withReview } from './review.js';
import { codecColumn, wordColumn } from './typed-columns.js';

/**
 * One payment as far as it came. `startedSeq` is the place of its first entry: pages of payments are in that order.
 * `dueAtMs`: when it lapses; null once it cannot be paid any more, and for charges. `capturedMinor` is all money
 * captured for it, `refundedMinor` the refunds submitted for it that did not fail. `review`: what a person has to look
 * at, words joined by commas in the order of the alphabet (see `reviewsOf`); null = nothing.
 */
export interface PaymentRow extends PaymentPart {
  readonly startedSeq: number;
  readonly expiresAtMs: number | null;
  readonly stockHeld: StockHold['held'];
  readonly state: PaymentState;
  readonly wasIssued: boolean;
  readonly providerRef: string | null;
  readonly url: string | null;
  readonly dueAtMs: number | null;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly review: string | null;
}

export const payments = defineProjection<PaymentRow>({
  table: 'payments',
  mode: 'update',
  key: ['paymentId'],
  columns: {
    paymentId: column.text,
    decisionId: column.text,
    kind: wordColumn(codec.oneOf(...PAYMENT_KINDS)),
    merchantId: column.text,
    orderId: column.text,
    amountMinor: column.amountMinor,
    currency: column.text,
    provider: column.text,
    startedAtMs: column.integer,
    startedSeq: column.integer,
    buyerAway: column.flag,
    passportRef: column.nullable(column.text),
    intentRefs: codecColumn(codec.list(codec.text)),
    expiresAtMs: column.nullable(column.integer),
    stockHeld: codecColumn(heldStock),
    state: wordColumn(codec.oneOf(...PAYMENT_STATES)),
    wasIssued: column.flag,
    providerRef: column.nullable(column.text),
    url: column.nullable(column.text),
    dueAtMs: column.nullable(column.integer),
    capturedMinor: column.amountMinor,
    refundedMinor: column.amountMinor,
    review: column.nullable(column.text),
  },
  on: [
    when(paymentStarted, {
      keys: ({ payment }) => [[payment.paymentId]],
      evolve(row, { payment, expiresAtMs, stockHeld }, { entry }) {
        invariant(row === undefined, 'a payment is started once');
        return {
          ...payment,
          startedSeq: entry.seq,
          expiresAtMs,
          stockHeld,
          state: 'issuing',
          wasIssued: false,
          providerRef: null,
          url: null,
          dueAtMs: expiresAtMs,
          capturedMinor: 0n,
          refundedMinor: 0n,
          review: null,
        };
      },
    }),
    when(paymentMoved, {
      keys: ({ payment }) => [[payment.paymentId]],
      evolve(row, { from, to, report, providerRef, url }) {
        const before = inState(row, from);
        return {
          ...before,
          ...reached(before, to),
          wasIssued: before.wasIssued || report === 'issued',
          providerRef: providerRef ?? before.providerRef,
          url: url ?? before.url,
        };
      },
    }),
    when(captureRecorded, {
      keys: ({ payment: of }) => (of === null ? [] : [[of.payment.paymentId]]),
      evolve(row, { payment: of, amountMinor }) {
        invariant(of !== null, 'only a capture of a payment changes one');
        return afterCapture(row, of, amountMinor);
      },
    }),
    when(captureAttached, {
      keys: ({ payment: of }) => [[of.payment.paymentId]],
      evolve: (row, { payment: of, amountMinor }) => afterCapture(row, of, amountMinor),
    }),
    when(paymentFlagged, {
      keys: ({ payment }) => [[payment.paymentId]],
      evolve(row, { review }) {
        invariant(row !== undefined, 'only a payment that is known is flagged');
        return { ...row, review: withReview(row, review) };
      },
    }),
    when(refundSubmitted, {
      keys: ({ refund }) => paymentKeys(refund),
      evolve: (row, { refund }) => givenBack(row, refund.amountMinor),
    }),
    when(refundMoved, {
      keys: ({ refund }) => paymentKeys(refund),
      evolve: (row, { refund, from, to }) =>
        givenBack(row, refundedEffectOf(refund.amountMinor, { from, to })),
    }),
  ],
});

const paymentKeys = ({ paymentId }: { readonly paymentId: string | null }) =>
  paymentId === null ? [] : [[paymentId]];

function inState(row: PaymentRow | undefined, from: PaymentState): PaymentRow {
  invariant(row?.state === from, 'a payment moves from the state it is in');
  return row;
}

const reached = (
  { expiresAtMs }: PaymentRow,
  state: PaymentState,
): Pick<PaymentRow, 'state' | 'dueAtMs'> => ({
  state,
  dueAtMs: isPayable(state) ? expiresAtMs : null,
});

function afterCapture(
  row: PaymentRow | undefined,
  of: CapturedPayment,
  amountMinor: bigint,
): PaymentRow {
  const before = inState(row, of.from);
  const capturedMinor = before.capturedMinor + amountMinor;
  const review = reviewAfterCapture(before, of, capturedMinor);
  return { ...before, ...reached(before, 'paid'), capturedMinor, review };
}

function givenBack(row: PaymentRow | undefined, byMinor: bigint): PaymentRow {
  invariant(row !== undefined, 'only a payment that is known is given back');
  const refundedMinor = row.refundedMinor + byMinor;
  invariant(
    refundedMinor >= 0n && refundedMinor <= row.capturedMinor,
    'no more of a payment is given back than was captured for it',
  );
  return { ...row, refundedMinor };
}

/** The one payment that an order is offered for now; null = none (facts/arbiter.md 4.5: two at once, one link). */
export interface OrderPaymentsRow {
  readonly merchantId: string;
  readonly orderId: string;
  readonly payablePaymentId: string | null;
}

export const orderPayments = defineProjection<OrderPaymentsRow>({
  table: 'order_payments',
  mode: 'update',
  key: ['merchantId', 'orderId'],
  columns: {
    merchantId: column.text,
    orderId: column.text,
    payablePaymentId: column.nullable(column.text),
  },
  on: onMoves<OrderPaymentsRow>({
    keys: ({ payment, from, to }) =>
      payableIn(from) === payableIn(to) ? [] : [[payment.merchantId, payment.orderId]],
    evolve(row, { payment, to }) {
      const { paymentId, merchantId, orderId } = payment;
      const starts = payableIn(to);
      invariant(
        (row?.payablePaymentId ?? null) === (starts ? null : paymentId),
        'an order is offered for one payment at a time',
      );
      return { merchantId, orderId, payablePaymentId: starts ? paymentId : null };
    },
  }),
});

const payableIn = (state: PaymentState | null): boolean => state !== null && isPayable(state);

/**
 * What could be paid now to a merchant in one currency, on whichever day it was issued (mission M18 b).
 * `openAwayMinor` is the part whose buyer was away. INVARIANT: 0 <= openAwayMinor <= openMinor.
 */
export interface MerchantOpenMoneyRow {
  readonly merchantId: string;
  readonly currency: string;
  readonly openMinor: bigint;
  readonly openAwayMinor: bigint;
}

export const merchantOpenMoney = defineProjection<MerchantOpenMoneyRow>({
  table: 'merchant_open_money',
  mode: 'update',
  key: ['merchantId', 'currency'],
  columns: {
    merchantId: column.text,
    currency: column.text,
    openMinor: column.amountMinor,
    openAwayMinor: column.amountMinor,
  },
  on: onMoves<MerchantOpenMoneyRow>({
    keys: ({ payment, ...move }) =>
      effectOf(payment, move).openMinor === 0n ? [] : [[payment.merchantId, payment.currency]],
    evolve(row, { payment, ...move }) {
      const { openMinor } = effectOf(payment, move);
      return {
        merchantId: payment.merchantId,
        currency: payment.currency,
        openMinor: (row?.openMinor ?? 0n) + openMinor,
        openAwayMinor: (row?.openAwayMinor ?? 0n) + awayPart(payment, openMinor),
      };
    },
  }),
});
