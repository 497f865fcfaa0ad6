import { column, defineProjection, when } from '../../base/ledger/index.js';
import { invariant, utcDay } from '../../core/kernel/index.js';
import { type CaptureRecorded, captureRecorded, refundAllowed } from './book.events.js';

/** One reported capture; a second report under the same name is refused. */
export interface CaptureRow {
  readonly merchantId: string;
  readonly captureId: string;
  readonly orderId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly decisionId: string | null;
  readonly confirmedAtMs: number;
}

export const captures = defineProjection<CaptureRow>({
  table: 'captures',
  mode: 'append',
  key: ['merchantId', 'captureId'],
  columns: {
    merchantId: column.text,
    captureId: column.text,
    orderId: column.text,
    amountMinor: column.amountMinor,
    currency: column.text,
    decisionId: column.nullable(column.text),
    confirmedAtMs: column.integer,
  },
  on: [
    when(captureRecorded, {
      keys: (data) => [[data.merchantId, data.captureId]],
      evolve: (_row, data, { entry }) => ({
        merchantId: data.merchantId,
        captureId: data.captureId,
        orderId: data.orderId,
        amountMinor: data.amountMinor,
        currency: data.currency,
        decisionId: data.authority?.decisionId ?? null,
        confirmedAtMs: entry.atMs,
      }),
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
      evolve(row, data) {
        invariant(row !== undefined, 'a refund is allowed for a captured order only');
        const refundedMinor = row.refundedMinor + data.amountMinor;
        invariant(
          row.currency === data.currency && refundedMinor <= row.capturedMinor,
          'refunds never exceed what was captured',
        );
        return { ...row, refundedMinor };
      },
    }),
  ],
});

/**
 * Confirmed gross per merchant, currency and UTC day; refunds do not reduce it (facts/arbiter.md C2).
 * `awayMinor` is the part that was paid while the buyer was away.
 */
export interface MerchantDayMoneyRow {
  readonly merchantId: string;
  readonly currency: string;
  readonly day: string;
  readonly confirmedMinor: bigint;
  readonly awayMinor: bigint;
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
  },
  on: [
    when(captureRecorded, {
      keys: (data, entry) => [[data.merchantId, data.currency, utcDay(entry.atMs)]],
      evolve: (row, data, { entry }) => ({
        merchantId: data.merchantId,
        currency: data.currency,
        day: utcDay(entry.atMs),
        confirmedMinor: (row?.confirmedMinor ?? 0n) + data.amountMinor,
        awayMinor:
          (row?.awayMinor ?? 0n) + (data.authority?.buyerAway === true ? data.amountMinor : 0n),
      }),
    }),
  ],
});

export type AuthorityKind = 'passport' | 'intent';

/** What was spent under one passport or intent in one currency (facts/arbiter.md E5, G5). */
export interface AuthoritySpendRow {
  readonly authorityKind: string;
  readonly authorityRef: string;
  readonly currency: string;
  readonly spentMinor: bigint;
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
  },
  on: [
    when(captureRecorded, {
      keys: authorityKeys,
      evolve(row, data, { key }) {
        const [kind, ref] = key;
        return {
          authorityKind: String(kind),
          authorityRef: String(ref),
          currency: data.currency,
          spentMinor: (row?.spentMinor ?? 0n) + data.amountMinor,
        };
      },
    }),
  ],
});

function authorityKeys({ authority, currency }: CaptureRecorded): readonly (readonly string[])[] {
  if (authority === null) return [];
  const { passportRef, intentRefs } = authority;
  return [
    ...(passportRef === null ? [] : [['passport', passportRef, currency]]),
    ...[...new Set(intentRefs)].map((ref) => ['intent', ref, currency]),
  ];
}
