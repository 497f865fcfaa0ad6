import { codeOf, type Queryable } from '../../../base/platform/index.js';
import type { Money, TenantId } from '../../../core/kernel/index.js';
import type { NewEvent } from './sandbox.store.js';

export type SandboxRefundState = 'pending' | 'processed' | 'failed' | 'void';

/** A refund in the sandbox's own books; `void`: a reference that will never be taken. */
export interface SandboxRefund {
  readonly tenantId: TenantId;
  /** The merchant's name of it: our refund id. */
  readonly reference: string;
  readonly providerRef: string;
  readonly paymentReference: string | null;
  readonly money: Money;
  readonly state: SandboxRefundState;
  readonly settlesAs: 'processed' | 'failed' | null;
}

interface RefundColumns {
  tenant_id: TenantId;
  reference: string;
  provider_ref: string;
  payment_reference: string | null;
  amount_minor: string;
  currency: string;
  state: SandboxRefundState;
  settles_as: SandboxRefund['settlesAs'];
}

const REFUND_COLUMNS =
  'tenant_id, reference, provider_ref, payment_reference, amount_minor, currency, state, settles_as';

const refundOf = (row: RefundColumns): SandboxRefund => ({
  tenantId: row.tenant_id,
  reference: row.reference,
  providerRef: row.provider_ref,
  paymentReference: row.payment_reference,
  money: { amountMinor: BigInt(row.amount_minor), currency: row.currency },
  state: row.state,
  settlesAs: row.settles_as,
});

const UNIQUE_VIOLATION = '23505';

/**
 * Takes a refund: the payment has to be captured in its currency and have so much left.
 * `taken` = the reference is in the books already. `exceeds` = there is not so much to give back, or no such payment.
 */
export async function insertRefund(
  database: Queryable,
  refund: SandboxRefund,
): Promise<SandboxRefund | 'taken' | 'exceeds'> {
  try {
    // INVARIANT: the sum is compared and grown by one statement on the payment's row, so parallel refunds cannot exceed it.
    const { rows } = await database.query<RefundColumns>(
      `WITH grown AS (
         UPDATE sandbox_payments
            SET refunded_minor = refunded_minor + CASE WHEN $7 = 'failed' THEN 0 ELSE $5::numeric END
          WHERE tenant_id = $1 AND reference = $4 AND state = 'paid' AND currency = $6
            AND refunded_minor + $5::numeric <= amount_minor
         RETURNING 1)
       INSERT INTO sandbox_refunds (${REFUND_COLUMNS})
       SELECT $1, $2, $3, $4, $5::numeric, $6, $7, $8 FROM grown
       RETURNING ${REFUND_COLUMNS}`,
      [
        refund.tenantId,
        refund.reference,
        refund.providerRef,
        refund.paymentReference,
        refund.money.amountMinor.toString(),
        refund.money.currency,
        refund.state,
        refund.settlesAs,
      ],
    );
    return rows[0] === undefined ? 'exceeds' : refundOf(rows[0]);
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
}

/** Notes that this reference will never be taken. Does nothing when it is in the books. */
export async function insertVoidRefund(
  database: Queryable,
  refund: Pick<SandboxRefund, 'tenantId' | 'reference' | 'providerRef'>,
): Promise<void> {
  await database.query(
    `INSERT INTO sandbox_refunds (tenant_id, reference, provider_ref, amount_minor, currency, state)
     VALUES ($1, $2, $3, 0, '', 'void') ON CONFLICT (tenant_id, reference) DO NOTHING`,
    [refund.tenantId, refund.reference, refund.providerRef],
  );
}

export async function findRefund(
  database: Queryable,
  tenantId: TenantId,
  reference: string,
): Promise<SandboxRefund | null> {
  const { rows } = await database.query<RefundColumns>(
    `SELECT ${REFUND_COLUMNS} FROM sandbox_refunds WHERE tenant_id = $1 AND reference = $2`,
    [tenantId, reference],
  );
  return rows[0] === undefined ? null : refundOf(rows[0]);
}

/** Ends a pending refund, with the event that tells of it; one that failed leaves its amount to be given back again. */
export async function settleRefund(
  database: Queryable,
  { tenantId, reference }: Pick<SandboxRefund, 'tenantId' | 'reference'>,
  { to, event }: { readonly to: 'processed' | 'failed'; readonly event: NewEvent },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `WITH moved AS (
       UPDATE sandbox_refunds SET state = $3, settles_as = NULL
        WHERE tenant_id = $1 AND reference = $2 AND state = 'pending'
       RETURNING tenant_id, payment_reference, amount_minor),
     given_back AS (
       UPDATE sandbox_payments p SET refunded_minor = p.refunded_minor - moved.amount_minor
         FROM moved WHERE $3 = 'failed' AND p.tenant_id = moved.tenant_id AND p.reference = moved.payment_reference)
     INSERT INTO sandbox_events (tenant_id, event_id, type, body, copies, next_try_at_ms)
     SELECT tenant_id, $4, $5, $6, $7::bigint, CASE WHEN $7::bigint > 0 THEN arbiter_clock_ms() END FROM moved`,
    [tenantId, reference, to, event.eventId, event.type, event.body, event.copies],
  );
  return rowCount === 1;
}

export async function pendingRefunds(
  database: Queryable,
  { tenantId, limit }: { readonly tenantId: TenantId | null; readonly limit: number },
): Promise<readonly SandboxRefund[]> {
  const { rows } = await database.query<RefundColumns>(
    `SELECT ${REFUND_COLUMNS} FROM sandbox_refunds
      WHERE state = 'pending' AND ($1::text IS NULL OR tenant_id = $1)
      ORDER BY created_at_ms LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map(refundOf);
}
