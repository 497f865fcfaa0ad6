import {
  anyProjection,
  type CommandContext,
  type RecordedEntry,
} from '../../src/base/ledger/index.js';
import { merchants } from '../../src/base/tenants/index.js';
import { utcDay } from '../../src/core/kernel/index.js';
import {
  authoritySpend,
  captures,
  lapsePayment,
  lapseRefund,
  merchantDayMoney,
  merchantOpenMoney,
  movePayment,
  moveRefund,
  type NewPayment,
  orderMoney,
  orderPayments,
  type PaymentRow,
  payments,
  recordCapture,
  recordOrderCapture,
  refundAllowed,
  refunds,
  type RefundNews,
  type RefundRow,
  startPayment,
  startPaymentReads,
  submitRefund,
  submitRefundReads,
} from '../../src/money/book/index.js';
import { paymentIdOf, type PaymentReport, refundIdOf } from '../../src/money/payments/index.js';
import { stock } from '../../src/trust/facts/index.js';
import { FoldedTenant } from './folded-tenant.js';

export const NOON = Date.UTC(2026, 10, 30, 12);
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const LIFE_MS = HOUR_MS / 2;

export const CONTEXT: CommandContext = {
  tenantId: 'tnt_1',
  actor: { role: 'psp', id: 'key_1' },
  requestId: 'req_1',
  idempotency: null,
};

export const decisionOf = (place: number) =>
  `arbdec_${place.toString(16).padStart(12, '0')}` as const;

export interface Plan {
  readonly place: number;
  readonly amountMinor: bigint;
  readonly provider: string;
  readonly buyerAway: boolean;
  readonly orderId?: string;
}

/** A shop with 100 cups, and payments of one cup each under one passport and one intent. */
export class Till {
  readonly tenant = new FoldedTenant([
    anyProjection(captures),
    anyProjection(orderMoney),
    anyProjection(merchantDayMoney),
    anyProjection(authoritySpend),
    anyProjection(payments),
    anyProjection(orderPayments),
    anyProjection(merchantOpenMoney),
    anyProjection(refunds),
    anyProjection(stock),
  ])
    .with(merchants, ['shop'], { merchantId: 'shop' })
    .with(stock, ['shop', 'cup'], { merchantId: 'shop', variantId: 'cup', onHand: 100, held: 0 });

  atMs = NOON;

  /** `heard`: every entry, as it is recorded. */
  constructor(heard: (entry: RecordedEntry) => void = () => undefined) {
    this.tenant.heard = heard;
  }

  start(plan: Plan) {
    const payment: NewPayment = {
      decisionId: decisionOf(plan.place),
      kind: 'link',
      merchantId: 'shop',
      orderId: plan.orderId ?? `order-${plan.place}`,
      amountMinor: plan.amountMinor,
      currency: 'INR',
      provider: plan.provider,
      buyerAway: plan.buyerAway,
      passportRef: 'passport',
      intentRefs: ['intent'],
    };
    const lines = [{ variantId: 'cup', quantity: 1 }];
    const parts = { payment, expiresAtMs: this.atMs + LIFE_MS, lines };
    const view = this.tenant.viewOf(startPaymentReads(parts));
    const started = startPayment(view, { atMs: this.atMs }, parts);
    if (started.ok) this.tenant.append(started.value, this.atMs);
    return started;
  }

  row(place: number): PaymentRow {
    const row = this.tenant.get(payments, [paymentIdOf(decisionOf(place))]);
    if (row === undefined) throw new Error('it was started');
    return row;
  }

  report(place: number, report: PaymentReport) {
    const news = { report, source: 'merchant' } as const;
    return this.tenant.run(movePayment(CONTEXT, this.row(place), news), this.atMs);
  }

  lapse(place: number) {
    return this.tenant.run(lapsePayment(CONTEXT, this.row(place)), this.atMs);
  }

  capture(place: number, captureId: string, amountMinor = this.row(place).amountMinor) {
    const row = this.row(place);
    const { orderId } = row;
    const money = { captureId, merchantId: 'shop', orderId, amountMinor, currency: 'INR' };
    return this.tenant.run(recordCapture(CONTEXT, { ...money, authority: null }, row), this.atMs);
  }

  /** Of which payment, is not said: of the one that the order is offered for, or of none. */
  captureWithoutPayment(orderId: string, captureId: string, amountMinor: bigint) {
    const capture = {
      captureId,
      merchantId: 'shop',
      orderId,
      amountMinor,
      currency: 'INR',
      authority: null,
    };
    const offer = this.tenant.get(orderPayments, ['shop', orderId])?.payablePaymentId ?? null;
    const payable = offer === null ? undefined : this.tenant.get(payments, [offer]);
    return this.tenant.run(recordOrderCapture(CONTEXT, capture, payable ?? null), this.atMs);
  }

  /** As a refund decision does it: it fits what was captured. `place` names the decision. */
  allowRefund(place: number, orderId: string, amountMinor: bigint): string {
    const decisionId = decisionOf(place);
    const refund = { decisionId, merchantId: 'shop', orderId, amountMinor, currency: 'INR' };
    const data = { ...refund, allowExpiresAtMs: this.atMs + LIFE_MS };
    this.tenant.append([{ eventType: refundAllowed, data }], this.atMs);
    return refundIdOf(decisionId);
  }

  submitRefund(refundId: string, paymentId: string | null) {
    const parts = { refundId, paymentId, provider: 'plural' };
    const submitted = submitRefund(this.tenant.viewOf(submitRefundReads(parts)), parts);
    if (submitted.ok) this.tenant.append(submitted.value, this.atMs);
    return submitted;
  }

  refund(refundId: string): RefundRow {
    const row = this.tenant.get(refunds, [refundId]);
    if (row === undefined) throw new Error('it was allowed');
    return row;
  }

  reportRefund(refundId: string, report: RefundNews['report']) {
    const news = { report, source: 'merchant' } as const;
    return this.tenant.run(moveRefund(CONTEXT, this.refund(refundId), news), this.atMs);
  }

  lapseRefund(refundId: string) {
    return this.tenant.run(lapseRefund(CONTEXT, this.refund(refundId)), this.atMs);
  }

  /** Total of the merchant's day as the arbiter counts it, all and with the buyer away. */
  totals(day = utcDay(this.atMs)) {
    const row = this.tenant.get(merchantDayMoney, ['shop', 'INR', day]);
    const open = this.tenant.get(merchantOpenMoney, ['shop', 'INR']);
    return {
      all: (row?.confirmedMinor ?? 0n) + (open?.openMinor ?? 0n) + (row?.closedMinor ?? 0n),
      away: (row?.awayMinor ?? 0n) + (open?.openAwayMinor ?? 0n) + (row?.closedAwayMinor ?? 0n),
    };
  }

  drawn(kind: 'passport' | 'intent') {
    const row = this.tenant.get(authoritySpend, [kind, kind, 'INR']);
    return (row?.spentMinor ?? 0n) + (row?.heldMinor ?? 0n);
  }

  /** Everything money did, without references and reviews: those may depend on the order of reports. */
  money() {
    const { tenant } = this;
    return {
      payments: tenant
        .all(payments)
        .map(({ paymentId, state, capturedMinor, wasIssued, dueAtMs }) => ({
          paymentId,
          state,
          capturedMinor,
          wasIssued: state === 'paid' || wasIssued,
          dueAtMs,
        })),
      captures: tenant.all(captures),
      orders: tenant.all(orderMoney),
      offers: tenant.all(orderPayments),
      // A sum that came back to nothing is nothing.
      open: tenant.all(merchantOpenMoney).filter(({ openMinor }) => openMinor > 0n),
      days: tenant
        .all(merchantDayMoney)
        .filter(({ confirmedMinor, closedMinor }) => confirmedMinor + closedMinor > 0n),
      spend: tenant.all(authoritySpend),
      stock: tenant.all(stock),
    };
  }
}
