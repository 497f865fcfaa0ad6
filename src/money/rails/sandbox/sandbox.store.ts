import type { Queryable } from '../../../base/platform/index.js';
import type {
  InstantMs,
  MerchantId,
  Money,
  OrderId,
  TenantId,
} from '../../../core/kernel/index.js';
import { type Behaviour, GOOD_BEHAVIOUR } from './behaviour.js';

export type SandboxPaymentState =
  'open' | 'pending' | 'expired' | 'canceled' | 'failed' | 'paid' | 'void';

/** A payment in the sandbox's own books. */
export interface SandboxPayment {
  readonly tenantId: TenantId;
  /** The merchant's name of it: our payment id. */
  readonly reference: string;
  readonly kind: 'link' | 'charge' | 'void';
  readonly providerRef: string;
  /** Opens the pay page; null for a charge. */
  readonly token: string | null;
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
  readonly money: Money;
  readonly description: string | null;
  readonly returnUrl: string | null;
  /** By the tenant's clock. */
  readonly expiresAtMs: InstantMs | null;
  readonly state: SandboxPaymentState;
  readonly settlesAs: 'paid' | 'failed' | null;
  readonly captureId: string | null;
}

interface PaymentColumns {
  tenant_id: TenantId;
  reference: string;
  kind: SandboxPayment['kind'];
  provider_ref: string;
  token: string | null;
  merchant_id: string;
  order_id: string;
  amount_minor: string;
  currency: string;
  description: string | null;
  return_url: string | null;
  expires_at_ms: string | null;
  state: SandboxPaymentState;
  settles_as: SandboxPayment['settlesAs'];
  capture_id: string | null;
}

const PAYMENT_COLUMNS =
  'tenant_id, reference, kind, provider_ref, token, merchant_id, order_id, amount_minor, currency, description, ' +
  'return_url, expires_at_ms, state, settles_as, capture_id';

const paymentOf = (row: PaymentColumns): SandboxPayment => ({
  tenantId: row.tenant_id,
  reference: row.reference,
  kind: row.kind,
  providerRef: row.provider_ref,
  token: row.token,
  merchantId: row.merchant_id,
  orderId: row.order_id,
  money: { amountMinor: BigInt(row.amount_minor), currency: row.currency },
  description: row.description,
  returnUrl: row.return_url,
  expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
  state: row.state,
  settlesAs: row.settles_as,
  captureId: row.capture_id,
});

/** Takes a payment under its reference. Null = the reference is taken, or the account is no tenant of the test world. */
export async function insertPayment(
  database: Queryable,
  payment: SandboxPayment,
): Promise<SandboxPayment | null> {
  const { rows } = await database.query<PaymentColumns>(
    `INSERT INTO sandbox_payments (${PAYMENT_COLUMNS})
     SELECT $1, $2, $3, $4, $5, $6, $7, $8::numeric, $9, $10, $11, $12::bigint, $13, $14, $15
       FROM heads WHERE tenant_id = $1 AND world = 'test'
     ON CONFLICT (tenant_id, reference) DO NOTHING
     RETURNING ${PAYMENT_COLUMNS}`,
    [
      payment.tenantId,
      payment.reference,
      payment.kind,
      payment.providerRef,
      payment.token,
      payment.merchantId,
      payment.orderId,
      payment.money.amountMinor.toString(),
      payment.money.currency,
      payment.description,
      payment.returnUrl,
      payment.expiresAtMs,
      payment.state,
      payment.settlesAs,
      payment.captureId,
    ],
  );
  return rows[0] === undefined ? null : paymentOf(rows[0]);
}

export async function findPayment(
  database: Queryable,
  tenantId: TenantId,
  reference: string,
): Promise<SandboxPayment | null> {
  const { rows } = await database.query<PaymentColumns>(
    `SELECT ${PAYMENT_COLUMNS} FROM sandbox_payments WHERE tenant_id = $1 AND reference = $2`,
    [tenantId, reference],
  );
  return rows[0] === undefined ? null : paymentOf(rows[0]);
}

/** The link that a token opens, and what its tenant's clock says. */
export async function findLink(
  database: Queryable,
  token: string,
): Promise<{ readonly link: SandboxPayment; readonly nowMs: InstantMs } | null> {
  const { rows } = await database.query<PaymentColumns & { now_ms: string }>(
    `SELECT ${PAYMENT_COLUMNS}, now_ms FROM sandbox_payments JOIN tenant_clocks USING (tenant_id)
      WHERE token = $1`,
    [token],
  );
  const [row] = rows;
  return row === undefined ? null : { link: paymentOf(row), nowMs: Number(row.now_ms) };
}

/** One message of the sandbox's outbox; `copies` 0 = it is written down and never sent. */
export interface NewEvent {
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly copies: number;
}

/** Moves a payment out of one of `from`, with the event that tells of it. False = it was in none of them any more. */
export async function movePayment(
  database: Queryable,
  { tenantId, reference }: Pick<SandboxPayment, 'tenantId' | 'reference'>,
  move: {
    readonly from: readonly SandboxPaymentState[];
    readonly to: SandboxPaymentState;
    readonly captureId: string | null;
    readonly event: NewEvent;
  },
): Promise<boolean> {
  const { eventId, type, body, copies } = move.event;
  const { rowCount } = await database.query(
    `WITH moved AS (
       UPDATE sandbox_payments SET state = $3, capture_id = $4, settles_as = NULL
        WHERE tenant_id = $1 AND reference = $2 AND state = ANY ($5)
       RETURNING tenant_id)
     INSERT INTO sandbox_events (tenant_id, event_id, type, body, copies, next_try_at_ms)
     SELECT tenant_id, $6, $7, $8, $9::bigint, CASE WHEN $9::bigint > 0 THEN arbiter_clock_ms() END FROM moved`,
    [tenantId, reference, move.to, move.captureId, move.from, eventId, type, body, copies],
  );
  return rowCount === 1;
}

/** Open links past their time and charges that are to settle: found without a lock, moved under one. */
export async function duePayments(
  database: Queryable,
  { tenantId, limit }: { readonly tenantId: TenantId | null; readonly limit: number },
): Promise<readonly SandboxPayment[]> {
  const { rows } = await database.query<PaymentColumns>(
    `SELECT ${PAYMENT_COLUMNS} FROM sandbox_payments JOIN tenant_clocks USING (tenant_id)
      WHERE (state = 'pending' OR (state = 'open' AND expires_at_ms <= now_ms))
        AND ($1::text IS NULL OR tenant_id = $1)
      ORDER BY created_at_ms LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map(paymentOf);
}

/** Sets how the provider behaves for one merchant, or for the whole tenant ('' as merchant). */
export async function saveBehaviour(
  database: Queryable,
  { tenantId, merchantId }: { readonly tenantId: TenantId; readonly merchantId: string },
  behaviour: Behaviour,
): Promise<void> {
  await database.query(
    `INSERT INTO sandbox_behaviour (tenant_id, merchant_id, behaviour) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, merchant_id) DO UPDATE SET behaviour = EXCLUDED.behaviour`,
    [tenantId, merchantId, JSON.stringify(behaviour)],
  );
}

/** The merchant's own, else the tenant's, else good behaviour. */
export async function readBehaviour(
  database: Queryable,
  tenantId: TenantId,
  merchantId: string,
): Promise<Behaviour> {
  const { rows } = await database.query<{ behaviour: Partial<Behaviour> }>(
    `SELECT behaviour FROM sandbox_behaviour WHERE tenant_id = $1 AND merchant_id IN ($2, '')
      ORDER BY merchant_id DESC LIMIT 1`,
    [tenantId, merchantId],
  );
  return { ...GOOD_BEHAVIOUR, ...rows[0]?.behaviour };
}

/** Whether this is a tenant of the test world: nobody else has an account at the sandbox. */
export async function isTestTenant(database: Queryable, tenantId: TenantId): Promise<boolean> {
  const { rows } = await database.query(
    "SELECT 1 FROM heads WHERE tenant_id = $1 AND world = 'test'",
    [tenantId],
  );
  return rows.length > 0;
}
