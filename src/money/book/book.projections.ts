import { column, defineProjection, when } from '../../base/ledger/index.js';
import { invariant, utcDay } from '../../core/kernel/index.js';
import { captureAttached, captureRecorded, refundAllowed } from './book.events.js';
import { awayPart, effectOf } from './counters.js';
import { onMoves } from './moves.js';
import type { PaymentPart } from './payment.events.js';
import { refundMoved } from './refund.events.js';
import { refundedEffectOf } from './refund-states.js';

/**
 * One reported capture; a second report under the same name is refused. `decisionId` and `paymentId` null: it is not known
 * what it is money of. INVARIANT: only they ever change, once; a trigger refuses anything else.
 */
export interface CaptureRow {
  readonly merchantId: string;
  readonly captureId: string;
  readonly orderId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly decisionId: string | null;
  readonly paymentId: string | null;
  readonly confirmedAtMs: number;
}

export const captures = defineProjection<CaptureRow>({
  table: 'captures',
  mode: 'update',
  key: ['merchantId', 'captureId'],
  columns: {
    merchantId: column.text,
    captureId: column.text,
    orderId: column.text,
    amountMinor: column.amountMinor,
    currency: column.text,
    decisionId: column.nullable(column.text),
    paymentId: column.nullable(column.text),
    confirmedAtMs: column.integer,
  },
  on: [
    when(captureRecorded, {
      keys: (data) => [[data.merchantId, data.captureId]],
      evolve(row, data, { entry }) {
        invariant(row === undefined, 'a capture is recorded once');
        return {
          merchantId: data.merchantId,
          captureId: data.captureId,
          orderId: data.orderId,
          amountMinor: data.amountMinor,
          currency: data.currency,
          decisionId: data.authority?.decisionId ?? null,
          paymentId: data.payment?.payment.paymentId ?? null,
          confirmedAtMs: entry.atMs,
        };
      },
    }),
    when(captureAttached, {
      keys: (data) => [[data.merchantId, data.captureId]],
      evolve(row, { payment: { payment } }) {
        invariant(row?.paymentId === null && row.decisionId === null, 'a capture is attached once');
        return { ...row, paymentId: payment.paymentId, decisionId: payment.decisionId };
      },
    }),
  ],
});

/** What one order's money did so far. INVARIANT: 0 <= refunded <= captured, in the currency of the first capture. */
export interface OrderMoneyRow {
  readonly merchantId: string;
  readonly orderId: string;
  readonly currency: string;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
}

export const orderMoney = defineProjection<OrderMoneyRow>({
  table: 'order_money',
  mode: 'update',
  key: ['merchantId', 'orderId'],
  columns: {
    merchantId: column.text,
    orderId: column.text,
    currency: column.text,
    capturedMinor: column.amountMinor,
    refundedMinor: column.amountMinor,
  },
  on: [
    when(captureRecorded, {
      keys: (data) => [[data.merchantId, data.orderId]],
      evolve(row, data) {
        invariant(row === undefined || row.currency === data.currency, 'an order has one currency');
        return {
          merchantId: data.merchantId,
          orderId: data.orderId,
          currency: data.currency,
          capturedMinor: (row?.capturedMinor ?? 0n) + data.amountMinor,
          refundedMinor: row?.refundedMinor ?? 0n,
        };
      },
    }),
    when(refundAllowed, {
      keys: (data) => [[data.merchantId, data.orderId]],
      evolve: (row, { currency, amountMinor }) => refunded(row, currency, amountMinor),
    }),
    when(refundMoved, {
      keys: ({ refund: { merchantId, orderId, amountMinor }, from, to }) =>
        refundedEffectOf(amountMinor, { from, to }) === 0n ? [] : [[merchantId, orderId]],
      evolve: (row, { refund: { currency, amountMinor }, from, to }) =>
        refunded(row, currency, refundedEffectOf(amountMinor, { from, to })),
    }),
  ],
});

function refunded(
  row: OrderMoneyRow | undefined,
  currency: string,
  byMinor: bigint,
): OrderMoneyRow {
  invariant(row !== undefined, 'a refund is allowed for a captured order only');
  const refundedMinor = row.refundedMinor + byMinor;
  invariant(
    row.currency === currency && refundedMinor >= 0n && refundedMinor <= row.capturedMinor,
    'refunds never exceed what was captured',
  );
  return { ...row, refundedMinor };
}

/**
 * What belongs to one UTC day, per merchant and currency: confirmed on it, gross, refunds do not reduce it; and issued on
 * it, offered no more and still able to be paid (facts/arbiter.md C2). `awayMinor` and `closedAwayMinor` are the parts
 * whose buyer was away. A day's total also has what is open now (`merchant_open_money`: ADR 0009).
 */
export interface MerchantDayMoneyRow {
  readonly merchantId: string;
  readonly currency: string;
  readonly day: string;
  readonly confirmedMinor: bigint;
  readonly awayMinor: bigint;
  readonly closedMinor: bigint;
  readonly closedAwayMinor: bigint;
}

export const merchantDayMoney = defineProjection<MerchantDayMoneyRow>({
  table: 'merchant_day_money',
  mode: 'update',
  key: ['merchantId', 'currency', 'day'],
  columns: {
    merchantId: column.text,
    currency: column.text,
    day: column.text,
    confirmedMinor: column.amountMinor,
    awayMinor: column.amountMinor,
    closedMinor: column.amountMinor,
    closedAwayMinor: column.amountMinor,
  },
  on: [
    when(captureRecorded, {
      keys: (data, entry) => [[data.merchantId, data.currency, utcDay(entry.atMs)]],
      evolve(row, { amountMinor, authority }, { key }) {
        const before = row ?? emptyDay(key);
        const away = authority?.buyerAway === true ? amountMinor : 0n;
        return {
          ...before,
          confirmedMinor: before.confirmedMinor + amountMinor,
          awayMinor: before.awayMinor + away,
        };
      },
    }),
    when(captureAttached, {
      keys: ({ payment: { payment }, confirmedAtMs }) =>
        payment.buyerAway ? [[payment.merchantId, payment.currency, utcDay(confirmedAtMs)]] : [],
      evolve(row, { amountMinor }) {
        invariant(row !== undefined, 'money that is attached was confirmed on its day');
        return { ...row, awayMinor: row.awayMinor + amountMinor };
      },
    }),
    ...onMoves<MerchantDayMoneyRow>({
      keys: ({ payment, ...move }) =>
        effectOf(payment, move).closedMinor === 0n
          ? []
          : [[payment.merchantId, payment.currency, utcDay(payment.startedAtMs)]],
      evolve(row, { payment, ...move }, key) {
        const before = row ?? emptyDay(key);
        const { closedMinor } = effectOf(payment, move);
        return {
          ...before,
          closedMinor: before.closedMinor + closedMinor,
          closedAwayMinor: before.closedAwayMinor + awayPart(payment, closedMinor),
        };
      },
    }),
  ],
});

const emptyDay = ([merchantId, currency, day]: readonly (
  string | number
)[]): MerchantDayMoneyRow => ({
  merchantId: String(merchantId),
  currency: String(currency),
  day: String(day),
  confirmedMinor: 0n,
  awayMinor: 0n,
  closedMinor: 0n,
  closedAwayMinor: 0n,
});

export type AuthorityKind = 'passport' | 'intent';

/**
 * What was spent under one passport or intent in one currency (facts/arbiter.md E5, G5), and what payments may still
 * spend that are neither confirmed nor definitely failed (decisions 3.5). Caps are held by the sum of both.
 */
export interface AuthoritySpendRow {
  readonly authorityKind: string;
  readonly authorityRef: string;
  readonly currency: string;
  readonly spentMinor: bigint;
  readonly heldMinor: bigint;
}

export const authoritySpend = defineProjection<AuthoritySpendRow>({
  table: 'authority_spend',
  mode: 'update',
  key: ['authorityKind', 'authorityRef', 'currency'],
  columns: {
    authorityKind: column.text,
    authorityRef: column.text,
    currency: column.text,
    spentMinor: column.amountMinor,
    heldMinor: column.amountMinor,
  },
  on: [
    when(captureRecorded, {
      keys: ({ authority, currency }) =>
        authority === null ? [] : authorityKeys(authority, currency),
      evolve(row, { amountMinor }, { key }) {
        const before = row ?? nothingSpent(key);
        return { ...before, spentMinor: before.spentMinor + amountMinor };
      },
    }),
    when(captureAttached, {
      keys: ({ payment: { payment }, currency }) => authorityKeys(payment, currency),
      evolve(row, { amountMinor }, { key }) {
        const before = row ?? nothingSpent(key);
        return { ...before, spentMinor: before.spentMinor + amountMinor };
      },
    }),
    ...onMoves<AuthoritySpendRow>({
      keys: ({ payment, ...move }) =>
        effectOf(payment, move).heldMinor === 0n ? [] : authorityKeys(payment, payment.currency),
      evolve(row, { payment, ...move }, key) {
        const before = row ?? nothingSpent(key);
        return { ...before, heldMinor: before.heldMinor + effectOf(payment, move).heldMinor };
      },
    }),
  ],
});

const nothingSpent = ([kind, ref, currency]: readonly (string | number)[]): AuthoritySpendRow => ({
  authorityKind: String(kind),
  authorityRef: String(ref),
  currency: String(currency),
  spentMinor: 0n,
  heldMinor: 0n,
});

function authorityKeys(
  { passportRef, intentRefs }: Pick<PaymentPart, 'passportRef' | 'intentRefs'>,
  currency: string,
): readonly (readonly string[])[] {
  return [
    ...(passportRef === null ? [] : [['passport', passportRef, currency]]),
    ...[...new Set(intentRefs)].map((ref) => ['intent', ref, currency]),
  ];
}
