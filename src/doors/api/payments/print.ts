import { formatInstant, type Principal, type Role } from '../../../core/kernel/index.js';
import { type PaymentRow, type RefundRow, reviewsOf } from '../../../money/book/index.js';
import { printAmount, printInstant } from '../wire.js';
import type { PaymentView, RefundView } from './pieces.js';

/** Whoever has the address of a pay page may pay: it is for those who may start or cancel payments. */
const SEES_URL: readonly Role[] = ['agent', 'merchant_system', 'operator', 'tenant_admin'];

export const printPayment = (row: PaymentRow, { role }: Pick<Principal, 'role'>): PaymentView => ({
  payment_id: row.paymentId,
  decision_id: row.decisionId,
  kind: row.kind,
  merchant_id: row.merchantId,
  order_id: row.orderId,
  provider: row.provider,
  state: row.state,
  amount: printAmount(row.amountMinor, row.currency),
  captured: printAmount(row.capturedMinor, row.currency),
  refunded: printAmount(row.refundedMinor, row.currency),
  url: SEES_URL.includes(role) ? row.url : null,
  provider_ref: row.providerRef,
  started_at: formatInstant(row.startedAtMs),
  expires_at: printInstant(row.expiresAtMs),
  review: [...reviewsOf(row)],
});

export const printRefund = (row: RefundRow): RefundView => ({
  refund_id: row.refundId,
  decision_id: row.decisionId,
  merchant_id: row.merchantId,
  order_id: row.orderId,
  payment_id: row.paymentId,
  provider: row.provider,
  state: row.state,
  amount: printAmount(row.amountMinor, row.currency),
  provider_ref: row.providerRef,
});
