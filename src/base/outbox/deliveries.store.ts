import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import type { AttemptResult } from './attempt.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'given_up'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One message for one endpoint, as its owner sees it. Times are real time. */
export interface WebhookDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly merchantId: string | null;
  readonly messageId: string;
  readonly eventType: string;
  readonly eventSeq: number;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  /** Null = nothing will be tried by itself. */
  readonly nextAttemptAtMs: number | null;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  /** The latest try, or null. */
  readonly lastAttempt: WebhookAttempt | null;
}

/** One try. `durationMs` null = it is under way, or its process ended in the middle. */
export interface WebhookAttempt {
  readonly attemptNo: number;
  readonly startedAtMs: number;
  readonly durationMs: number | null;
  /** What the receiver answered; null = no answer came. */
  readonly statusCode: number | null;
  /** Null = delivered, or under way. */
  readonly errorClass: string | null;
}

export interface DeliveryFilter {
  readonly endpointId: string | null;
  readonly status: DeliveryStatus | null;
  /** Null = every merchant's, and those of none. */
  readonly merchantIds: readonly string[] | null;
}

type Row = Readonly<Record<string, unknown>>;

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const attemptOf = (row: Row): WebhookAttempt => ({
  attemptNo: Number(row['attempt_no']),
  startedAtMs: Number(row['started_at_ms']),
  durationMs: numberOrNull(row['duration_ms']),
  statusCode: numberOrNull(row['status_code']),
  errorClass: row['error_class'] as string | null,
});

const deliveryOf = (row: Row): WebhookDelivery => ({
  deliveryId: row['delivery_id'] as string,
  endpointId: row['endpoint_id'] as string,
  merchantId: row['merchant_id'] as string | null,
  messageId: row['message_id'] as string,
  eventType: row['event_type'] as string,
  eventSeq: Number(row['event_seq']),
  status: row['status'] as DeliveryStatus,
  attemptCount: Number(row['attempt_count']),
  nextAttemptAtMs: row['status'] === 'pending' ? Number(row['next_attempt_at_ms']) : null,
  createdAtMs: Number(row['created_at_ms']),
  finishedAtMs: numberOrNull(row['finished_at_ms']),
  lastAttempt: row['attempt_no'] === null ? null : attemptOf(row),
});

const DELIVERY = `d.delivery_id, d.endpoint_id, d.merchant_id, d.message_id, d.event_type, d.event_seq, d.status,
  d.attempt_count, d.next_attempt_at_ms, d.created_at_ms, d.finished_at_ms,
  a.attempt_no, a.started_at_ms, a.duration_ms, a.status_code, a.error_class
  FROM webhook_deliveries AS d
  LEFT JOIN webhook_attempts AS a
    ON a.tenant_id = d.tenant_id AND a.delivery_id = d.delivery_id AND a.attempt_no = d.attempt_count`;

/** The newest first, one more than the page holds. */
export async function listDeliveries(
  database: Queryable,
  tenantId: TenantId,
  { filter, page }: { filter: DeliveryFilter; page: { after: string | null; size: number } },
): Promise<readonly WebhookDelivery[]> {
  const { rows } = await database.query(
    `SELECT ${DELIVERY}
      WHERE d.tenant_id = $1
        AND ($2::text IS NULL OR d.endpoint_id = $2)
        AND ($3::text IS NULL OR d.status = $3)
        AND ($4::text[] IS NULL OR d.merchant_id = ANY ($4))
        AND ($5::text IS NULL OR d.delivery_id < $5)
      ORDER BY d.delivery_id DESC LIMIT $6`,
    [tenantId, filter.endpointId, filter.status, filter.merchantIds, page.after, page.size + 1],
  );
  return rows.map(deliveryOf);
}

export async function findDelivery(
  database: Queryable,
  tenantId: TenantId,
  deliveryId: string,
): Promise<WebhookDelivery | null> {
  const { rows } = await database.query(
    `SELECT ${DELIVERY} WHERE d.tenant_id = $1 AND d.delivery_id = $2`,
    [tenantId, deliveryId],
  );
  return rows[0] === undefined ? null : deliveryOf(rows[0]);
}

/** In their order. */
export async function listAttempts(
  database: Queryable,
  tenantId: TenantId,
  deliveryId: string,
): Promise<readonly WebhookAttempt[]> {
  const { rows } = await database.query(
    `SELECT attempt_no, started_at_ms, duration_ms, status_code, error_class FROM webhook_attempts
      WHERE tenant_id = $1 AND delivery_id = $2 ORDER BY attempt_no`,
    [tenantId, deliveryId],
  );
  return rows.map(attemptOf);
}

/** Makes a delivery due now with a whole round of tries; one that is under way keeps its try. */
export async function sendAgain(
  database: Queryable,
  { tenantId, deliveryId, atMs }: { tenantId: TenantId; deliveryId: string; atMs: number },
): Promise<void> {
  await database.query(
    `UPDATE webhook_deliveries
      SET status = 'pending', finished_at_ms = NULL, round_attempt_count = 0, next_attempt_at_ms = $3
      WHERE tenant_id = $1 AND delivery_id = $2 AND leased_until_ms <= $3`,
    [tenantId, deliveryId, atMs],
  );
}

/** What one try of one delivery came to. `nextAttemptAtMs` null = finished. */
export interface FinishedAttempt {
  readonly tenantId: TenantId;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly attemptNo: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly result: AttemptResult;
  readonly nextAttemptAtMs: number | null;
}

/**
 * Stores the result and answers since when nothing reaches the endpoint (null = this try did, or it lost its lease). A
 * try that lost its lease changes its delivery only if it delivered.
 */
export async function finishAttempt(
  database: Queryable,
  attempt: FinishedAttempt,
): Promise<number | null> {
  const { tenantId, deliveryId, endpointId, attemptNo, startedAtMs, endedAtMs, result } = attempt;
  const { rows } = await database.query<{ failing_since_ms: string }>(
    `WITH tried AS (
        UPDATE webhook_attempts SET duration_ms = $4::bigint - started_at_ms, status_code = $5::bigint, error_class = $6
        WHERE tenant_id = $1 AND delivery_id = $2 AND attempt_no = $3
      ), settled AS (
        UPDATE webhook_deliveries SET leased_until_ms = 0,
          status = CASE WHEN $6::text IS NULL THEN 'delivered' WHEN $7::bigint IS NULL THEN 'given_up' ELSE 'pending' END,
          next_attempt_at_ms = coalesce($7::bigint, next_attempt_at_ms),
          finished_at_ms = CASE WHEN $7::bigint IS NULL THEN $4::bigint END
        WHERE tenant_id = $1 AND delivery_id = $2 AND status = 'pending' AND (attempt_count = $3 OR $6::text IS NULL)
        RETURNING 1
      ), reached AS (
        DELETE FROM webhook_endpoint_failures WHERE tenant_id = $1 AND endpoint_id = $8 AND $6::text IS NULL
      )
      INSERT INTO webhook_endpoint_failures AS f (tenant_id, endpoint_id, failing_since_ms)
        SELECT $1, $8, $9::bigint FROM settled WHERE $6::text IS NOT NULL
        ON CONFLICT (tenant_id, endpoint_id) DO UPDATE SET failing_since_ms = f.failing_since_ms
        RETURNING failing_since_ms`,
    [
      tenantId,
      deliveryId,
      attemptNo,
      endedAtMs,
      result.statusCode,
      result.errorClass,
      attempt.nextAttemptAtMs,
      endpointId,
      startedAtMs,
    ],
  );
  return rows[0] === undefined ? null : Number(rows[0].failing_since_ms);
}

export async function forgetFailures(
  database: Queryable,
  { tenantId, endpointId }: { tenantId: TenantId; endpointId: string },
): Promise<void> {
  await database.query(
    'DELETE FROM webhook_endpoint_failures WHERE tenant_id = $1 AND endpoint_id = $2',
    [tenantId, endpointId],
  );
}

/**
 * Gives up what waits for endpoints that are disabled or deleted, and removes what was finished before `finishedBeforeMs`.
 * At most `limit` rows of each; answers how many.
 */
export async function tidyDeliveries(
  database: Queryable,
  { nowMs, finishedBeforeMs, limit }: { nowMs: number; finishedBeforeMs: number; limit: number },
): Promise<number> {
  const { rowCount: givenUp } = await database.query(
    `UPDATE webhook_deliveries AS d SET status = 'given_up', finished_at_ms = $1
      FROM (
        SELECT w.tenant_id, w.delivery_id FROM webhook_endpoints AS e CROSS JOIN LATERAL (
          SELECT tenant_id, delivery_id FROM webhook_deliveries
          WHERE tenant_id = e.tenant_id AND endpoint_id = e.endpoint_id AND status = 'pending' AND leased_until_ms <= $1
          LIMIT $2) AS w
        WHERE e.state <> 'active' LIMIT $2) AS waiting
      WHERE d.tenant_id = waiting.tenant_id AND d.delivery_id = waiting.delivery_id AND d.status = 'pending'`,
    [nowMs, limit],
  );
  const { rowCount: removed } = await database.query(
    `DELETE FROM webhook_deliveries WHERE (tenant_id, delivery_id) IN (
        SELECT tenant_id, delivery_id FROM webhook_deliveries
        WHERE status <> 'pending' AND finished_at_ms < $1 ORDER BY finished_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [finishedBeforeMs, limit],
  );
  return (givenUp ?? 0) + (removed ?? 0);
}
