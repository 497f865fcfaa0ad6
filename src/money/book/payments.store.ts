import {
  anyProjection,
  type DueScope,
  type Projection,
  readRow,
  readRows,
  rowOf,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import type { PaymentState } from '../payments/index.js';
import { orderPayments, type PaymentRow, payments } from './payment.projections.js';
import { type RefundRow, refunds } from './refund.projections.js';

/** One payment, or undefined. */
export const readPayment = (
  database: Queryable,
  tenantId: TenantId,
  paymentId: string,
): Promise<PaymentRow | undefined> => readRow(database, payments, { tenantId, key: [paymentId] });

/** The payment that an order is offered for now, or undefined. */
export async function readPayablePayment(
  database: Queryable,
  tenantId: TenantId,
  { merchantId, orderId }: Pick<PaymentRow, 'merchantId' | 'orderId'>,
): Promise<PaymentRow | undefined> {
  const offer = await readRow(database, orderPayments, { tenantId, key: [merchantId, orderId] });
  const paymentId = offer?.payablePaymentId ?? null;
  return paymentId === null ? undefined : readPayment(database, tenantId, paymentId);
}

/** One refund, or undefined. */
export const readRefund = (
  database: Queryable,
  tenantId: TenantId,
  refundId: string,
): Promise<RefundRow | undefined> => readRow(database, refunds, { tenantId, key: [refundId] });

/** The payments of an order that something is left of to give back, oldest first. */
export async function refundablePaymentsOf(
  database: Queryable,
  tenantId: TenantId,
  order: Pick<PaymentRow, 'merchantId' | 'orderId'>,
): Promise<readonly PaymentRow[]> {
  const where = { merchantId: order.merchantId, orderId: order.orderId, state: 'paid' as const };
  const paid = await readRows(database, payments, { tenantId, where });
  return paid
    .filter(({ capturedMinor, refundedMinor }) => refundedMinor < capturedMinor)
    .sort((left, right) => left.startedSeq - right.startedSeq);
}

/** What to look for; absent members do not restrict. */
export interface PaymentFilter {
  /** Any of these merchants. */
  readonly merchantIds?: readonly string[];
  readonly orderId?: string;
  readonly state?: PaymentState;
  /** True: only those that a person has to look at. */
  readonly review?: boolean;
}

/** `beforeSeq`: only payments started before this place in the ledger; null = from the newest on. */
export interface PaymentPage {
  readonly beforeSeq: number | null;
  readonly limit: number;
}

/** Every filter is optional: a null parameter does not restrict. */
const SEARCH = `SELECT * FROM payments
  WHERE tenant_id = $1
    AND ($2::bigint IS NULL OR started_seq < $2::bigint)
    AND ($3::text[] IS NULL OR merchant_id = ANY($3))
    AND ($4::text IS NULL OR order_id = $4)
    AND ($5::text IS NULL OR state = $5)
    AND ($6::boolean IS NULL OR (review IS NOT NULL) = $6::boolean)
  ORDER BY started_seq DESC LIMIT $7`;

/** Newest first, at most `limit`. */
export async function searchPayments(
  database: Queryable,
  tenantId: TenantId,
  { filter, page }: { readonly filter: PaymentFilter; readonly page: PaymentPage },
): Promise<readonly PaymentRow[]> {
  const { rows } = await database.query<StoredRow>(SEARCH, [
    tenantId,
    page.beforeSeq,
    filter.merchantIds ?? null,
    filter.orderId ?? null,
    filter.state ?? null,
    filter.review ?? null,
    page.limit,
  ]);
  return rows.map((stored) => rowOf(anyProjection(payments), stored) as unknown as PaymentRow);
}

/** A row that a sweep works on, with its tenant. */
export interface Found<Row> {
  readonly tenantId: TenantId;
  readonly row: Row;
}

/** Rows to find; `merchantId` null or absent = of every merchant. */
export interface SweepScope extends DueScope {
  readonly merchantId?: string | null;
}

type StoredRow = Readonly<Record<string, unknown>>;

/** Due by the commerce time of the tenant: whether it really is, is judged again under its lock. Longest due first. */
const dueIn = (table: 'payments' | 'refunds') => `SELECT d.* FROM ${table} AS d
  JOIN tenant_clocks AS c USING (tenant_id)
  WHERE d.due_at_ms <= c.now_ms
    AND ($1::text IS NULL OR d.tenant_id = $1)
    AND ($2::text IS NULL OR d.merchant_id = $2)
  ORDER BY d.due_at_ms LIMIT $3`;

/** Payments that are due to lapse. */
export const duePayments = (database: Queryable, scope: SweepScope) =>
  find(database, { projection: payments, sql: dueIn('payments'), scope });

/** Refunds whose allow ended unused. */
export const dueRefunds = (database: Queryable, scope: SweepScope) =>
  find(database, { projection: refunds, sql: dueIn('refunds'), scope });

async function find<Row extends object>(
  database: Queryable,
  {
    projection,
    sql,
    scope,
  }: { readonly projection: Projection<Row>; readonly sql: string; readonly scope: SweepScope },
): Promise<readonly Found<Row>[]> {
  const { tenantId, merchantId = null, limit } = scope;
  const { rows } = await database.query<StoredRow>(sql, [tenantId, merchantId, limit]);
  return rows.map((stored) => ({
    tenantId: stored['tenant_id'] as TenantId,
    row: rowOf(anyProjection(projection), stored) as Row,
  }));
}
