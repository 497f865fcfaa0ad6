import { webhookOf, type WebhookSource, type WebhookType } from '../../base/outbox/index.js';
import type { DecisionId } from '../../core/kernel/index.js';
import { type PaymentState, refundIdOf } from '../payments/index.js';
import {
  captureAttached,
  type CaptureAttached,
  captureRecorded,
  refundAllowed,
} from './book.events.js';
import { paymentMoved, type PaymentPart, paymentStarted } from './payment.events.js';
import {
  refundMoved,
  type RefundPart,
  type RefundState,
  refundSubmitted,
} from './refund.events.js';

const amountOf = (money: { readonly amountMinor: bigint; readonly currency: string }) => ({
  amount: money.amountMinor.toString(),
  currency: money.currency,
});

const aboutPayment = (type: WebhookType, payment: PaymentPart) => ({
  type,
  merchantId: payment.merchantId,
  data: {
    payment_id: payment.paymentId,
    decision_id: payment.decisionId,
    merchant_id: payment.merchantId,
    order_id: payment.orderId,
    provider: payment.provider,
    amount: amountOf(payment),
  },
});

const aboutCapture = (
  capture: Pick<
    CaptureAttached,
    'captureId' | 'merchantId' | 'orderId' | 'amountMinor' | 'currency'
  >,
  of: { readonly paymentId: string | null; readonly decisionId: string | null },
) => ({
  type: 'payment.captured' as const,
  merchantId: capture.merchantId,
  data: {
    capture_id: capture.captureId,
    payment_id: of.paymentId,
    decision_id: of.decisionId,
    merchant_id: capture.merchantId,
    order_id: capture.orderId,
    amount: amountOf(capture),
  },
});

const PAYMENT_NEWS: Partial<Record<PaymentState, WebhookType>> = {
  open: 'payment.issued',
  lapsed: 'payment.lapsed',
  canceled: 'payment.canceled',
  rejected: 'payment.rejected',
  failed: 'payment.failed',
};

type Refund = Omit<RefundPart, 'paymentId'>;

const aboutRefund = (type: WebhookType, refund: Refund, paymentId: string | null) => ({
  type,
  merchantId: refund.merchantId,
  data: {
    refund_id: refund.refundId,
    decision_id: refund.decisionId,
    merchant_id: refund.merchantId,
    order_id: refund.orderId,
    payment_id: paymentId,
    amount: amountOf(refund),
  },
});

const REFUND_NEWS: Partial<Record<RefundState, WebhookType>> = {
  done: 'refund.done',
  failed: 'refund.failed',
  lapsed: 'refund.lapsed',
};

/** What money did, for whoever subscribes to it. Entries that only tell a provider's reference are nobody's news. */
export const bookWebhooks: readonly WebhookSource[] = [
  webhookOf(paymentStarted, ({ payment }) => aboutPayment('payment.started', payment)),
  webhookOf(paymentMoved, ({ payment, from, to }) => {
    const type = from === to ? undefined : PAYMENT_NEWS[to];
    return type === undefined ? null : aboutPayment(type, payment);
  }),
  webhookOf(captureRecorded, (capture) =>
    aboutCapture(capture, {
      paymentId: capture.payment?.payment.paymentId ?? null,
      decisionId: capture.authority?.decisionId ?? null,
    }),
  ),
  // The same capture_id again, now with its payment: money that a subscriber knows, of which it did not know what for.
  webhookOf(captureAttached, (capture) => aboutCapture(capture, capture.payment.payment)),
  webhookOf(refundAllowed, (refund) => {
    const refundId = refundIdOf(refund.decisionId as DecisionId);
    return aboutRefund('refund.allowed', { ...refund, refundId }, null);
  }),
  webhookOf(refundSubmitted, ({ refund }) =>
    aboutRefund('refund.submitted', refund, refund.paymentId),
  ),
  webhookOf(refundMoved, ({ refund, from, to }) => {
    const type = from === to ? undefined : REFUND_NEWS[to];
    return type === undefined ? null : aboutRefund(type, refund, refund.paymentId);
  }),
];
