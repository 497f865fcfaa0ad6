import type { CallerContext, InputOf } from '../../../base/platform/index.js';
import { mayTouchMerchant } from '../../../base/tenants/index.js';
import {
  err,
  invariant,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import type { Arbiter, Payer } from '../../../money/arbiter/index.js';
import { isOwnProvider } from '../../../money/payments/index.js';
import {
  type Book,
  noSuchPayment,
  noSuchRefund,
  type PaymentRow,
  type RefundRow,
} from '../../../money/book/index.js';
import { commandContext } from '../command-context.js';
import type { reportPayment, reportRefund, searchPayments } from './flows.contract.js';
import type { PaymentView, RefundView } from './pieces.js';
import { printPayment, printRefund } from './print.js';

export interface BookDesk {
  readonly book: Book;
  readonly arbiter: Pick<Arbiter, 'find'>;
  readonly payer: Pick<Payer, 'cancel'>;
}

/** Problem: not_found (unknown, of another merchant's, or of another agent's decision). */
export async function showPayment(
  desk: BookDesk,
  paymentId: string,
  { principal }: CallerContext,
): Promise<Result<PaymentView, Problem>> {
  const row = await visiblePayment(desk, paymentId, principal);
  return row === null ? err(noSuchPayment(paymentId)) : ok(printPayment(row, principal));
}

type SearchQuery = InputOf<typeof searchPayments>['query'];

/** A page of what the caller may see, newest first. */
export async function findPayments(
  { book }: BookDesk,
  query: SearchQuery,
  { principal }: CallerContext,
): Promise<Result<{ items: PaymentView[]; next_cursor: string | null }, Problem>> {
  if (query.merchant_id !== undefined && !mayTouchMerchant(principal, query.merchant_id))
    return ok({ items: [], next_cursor: null });
  const merchantIds = query.merchant_id === undefined ? principal.merchantIds : [query.merchant_id];
  const found = await book.payments(principal.tenantId, {
    filter: {
      merchantIds: merchantIds ?? undefined,
      orderId: query.order_id,
      state: query.state,
      review: query.review === undefined ? undefined : query.review === 'true',
    },
    // One more than asked for tells whether there is a next page.
    page: {
      beforeSeq: query.cursor === undefined ? null : Number(query.cursor),
      limit: query.limit + 1,
    },
  });
  const items = found.slice(0, query.limit);
  const last = items.at(-1);
  const more = found.length > query.limit && last !== undefined;
  return ok({
    items: items.map((row) => printPayment(row, principal)),
    next_cursor: more ? String(last.startedSeq) : null,
  });
}

/**
 * Problems, in order: not_found, conflict (a rail of this service reports this payment itself, and nobody overrules it),
 * those of the book.
 */
export async function takePaymentReport(
  desk: BookDesk,
  { params, body }: Pick<InputOf<typeof reportPayment>, 'params' | 'body'>,
  caller: CallerContext,
): Promise<Result<PaymentView, Problem>> {
  const paymentId = params.payment_id;
  const row = await visiblePayment(desk, paymentId, caller.principal);
  if (row === null) return err(noSuchPayment(paymentId));
  if (!isOwnProvider(row.provider)) return err(RAIL_REPORTS);
  const moved = await desk.book.movePayment(commandContext(caller), {
    paymentId,
    report: body.report,
    source: 'merchant',
    providerRef: body.provider_ref,
    url: body.url,
    detail: body.detail,
  });
  return moved.ok ? paymentNow(desk, row, caller) : moved;
}

/** Problems, in order: not_found, those of {@link Payer.cancel}. */
export async function stopPayment(
  desk: BookDesk,
  paymentId: string,
  caller: CallerContext,
): Promise<Result<PaymentView, Problem>> {
  const row = await visiblePayment(desk, paymentId, caller.principal);
  if (row === null) return err(noSuchPayment(paymentId));
  const canceled = await desk.payer.cancel(commandContext(caller), row);
  return canceled.ok ? paymentNow(desk, row, caller) : canceled;
}

/** Problem: not_found. */
export async function showRefund(
  { book }: BookDesk,
  refundId: string,
  { principal }: CallerContext,
): Promise<Result<RefundView, Problem>> {
  const row = await visibleRefund(book, refundId, principal);
  return row === null ? err(noSuchRefund(refundId)) : ok(printRefund(row));
}

/** Problems, in order: not_found, conflict (a rail reports it itself), those of the book. */
export async function takeRefundReport(
  { book }: BookDesk,
  { params, body }: Pick<InputOf<typeof reportRefund>, 'params' | 'body'>,
  caller: CallerContext,
): Promise<Result<RefundView, Problem>> {
  const { principal } = caller;
  const refundId = params.refund_id;
  const row = await visibleRefund(book, refundId, principal);
  if (row === null) return err(noSuchRefund(refundId));
  if (row.provider !== null && !isOwnProvider(row.provider)) return err(RAIL_REPORTS);
  if (row.state === 'reserved') return err(NOT_USED_YET);
  const moved = await book.moveRefund(commandContext(caller), {
    refundId,
    report: body.report,
    source: 'merchant',
    providerRef: body.provider_ref,
    detail: body.detail,
  });
  if (!moved.ok) return moved;
  const now = await book.refund(principal.tenantId, refundId);
  invariant(now !== null, 'a refund that was read stays');
  return ok(printRefund(now));
}

const NOT_USED_YET = problem('conflict', 'The allow of this refund was not used yet.', {
  fix: 'Use it at POST /v1/decisions/{decision_id}/consume, give the money back, and then report.',
});

const RAIL_REPORTS = problem('conflict', 'The rail of this service reports it itself.', {
  fix: 'Wait for the rail; the arbiter asks it when its answer is missing.',
});

async function paymentNow(
  { book }: BookDesk,
  { paymentId }: PaymentRow,
  { principal }: CallerContext,
): Promise<Result<PaymentView, Problem>> {
  const now = await book.payment(principal.tenantId, paymentId);
  invariant(now !== null, 'a payment that was read stays');
  return ok(printPayment(now, principal));
}

async function visiblePayment(
  { book, arbiter }: BookDesk,
  paymentId: string,
  principal: Principal,
): Promise<PaymentRow | null> {
  const row = await book.payment(principal.tenantId, paymentId);
  if (row === null || !mayTouchMerchant(principal, row.merchantId)) return null;
  if (principal.role !== 'agent') return row;
  const decision = await arbiter.find(principal.tenantId, row.decisionId);
  return decision?.agentId === principal.agentId ? row : null;
}

async function visibleRefund(
  book: Book,
  refundId: string,
  principal: Principal,
): Promise<RefundRow | null> {
  const row = await book.refund(principal.tenantId, refundId);
  return row !== null && mayTouchMerchant(principal, row.merchantId) ? row : null;
}
