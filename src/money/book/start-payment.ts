import {
  cell,
  type CellRef,
  type CellView,
  event,
  type LedgerEvent,
  type Moment,
} from '../../base/ledger/index.js';
import { type DecisionId, err, invariant, ok, type Result } from '../../core/kernel/index.js';
import { holdStock, type ShortStock, stockCells } from '../../trust/facts/index.js';
import { paymentIdOf } from '../payments/index.js';
import { orderMoney } from './book.projections.js';
import { type PaymentPart, paymentStarted } from './payment.events.js';
import { orderPayments, payments } from './payment.projections.js';

/** A payment that an allow is used for; its id follows from the decision, its issue instant is that of the command. */
export type NewPayment = Omit<PaymentPart, 'paymentId' | 'startedAtMs'>;

type Line = Parameters<typeof holdStock>[1]['lines'][number];

/** `expiresAtMs`: when it lapses; null for a charge. `lines` are those of the allowed cart. */
export interface PaymentToStart {
  readonly payment: NewPayment;
  readonly expiresAtMs: number | null;
  readonly lines: readonly Line[];
}

/** Why a payment is not started, in this order. */
export type StartFault =
  /** The order is offered for another payment, which can still be paid. */
  | { readonly kind: 'order_payable'; readonly paymentId: string }
  /** Money of the order was captured. */
  | { readonly kind: 'order_paid' }
  | ({ readonly kind: 'stock_short' } & ShortStock);

/** What {@link startPayment} looks at: the consuming command names these cells among its own. */
export const startPaymentReads = ({
  payment: { merchantId, orderId, decisionId },
  lines,
}: PaymentToStart): readonly CellRef[] => [
  cell(payments, paymentIdOf(decisionId as DecisionId)),
  cell(orderPayments, merchantId, orderId),
  cell(orderMoney, merchantId, orderId),
  ...stockCells(merchantId, lines),
];

/**
 * The events that start a payment: its goods are set aside and it counts everywhere from here on, before any provider is
 * called (facts/arbiter.md C9, D2). Part of the command that uses the allow; pure.
 * Not checked: the allow, any limit, that the provider exists. INVARIANT: an allow starts at most one payment.
 */
export function startPayment(
  view: CellView,
  { atMs }: Pick<Moment, 'atMs'>,
  { payment, expiresAtMs, lines }: PaymentToStart,
): Result<readonly LedgerEvent[], StartFault> {
  const { merchantId, orderId } = payment;
  const paymentId = paymentIdOf(payment.decisionId as DecisionId);
  invariant(payment.amountMinor > 0n, 'a payment is of some money');
  invariant(expiresAtMs === null || expiresAtMs > atMs, 'a payment lapses after it starts');
  invariant(view.get(payments, [paymentId]) === undefined, 'an allow starts one payment');
  const payable = view.get(orderPayments, [merchantId, orderId])?.payablePaymentId ?? null;
  if (payable !== null) return err({ kind: 'order_payable', paymentId: payable });
  if (view.get(orderMoney, [merchantId, orderId]) !== undefined) return err({ kind: 'order_paid' });
  const held = holdStock(view, { merchantId, paymentId, lines });
  if (!held.ok) return err({ kind: 'stock_short', ...held.error });
  const started = event(paymentStarted, {
    payment: { ...payment, paymentId, startedAtMs: atMs },
    expiresAtMs,
    stockHeld: held.value.held,
  });
  return ok([...held.value.events, started]);
}
