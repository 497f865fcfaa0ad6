import type { Queryable } from '../../../base/platform/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { NewEvent } from './sandbox.store.js';

/** One message on its way. `attemptCount` counts this try. */
export interface DueEvent {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly body: string;
  readonly attemptCount: number;
}

/** Tells of something that happened at once, when no row had to move. */
export async function insertEvent(
  database: Queryable,
  tenantId: TenantId,
  { eventId, type, body, copies }: NewEvent,
): Promise<void> {
  await database.query(
    `INSERT INTO sandbox_events (tenant_id, event_id, type, body, copies, next_try_at_ms)
     VALUES ($1, $2, $3, $4, $5::bigint, CASE WHEN $5::bigint > 0 THEN arbiter_clock_ms() END)`,
    [tenantId, eventId, type, body, copies],
  );
}

/** Takes what is due for `leaseMs`: another process leaves it alone meanwhile, and takes it when this one dies. */
export async function leaseDueEvents(
  database: Queryable,
  scope: { readonly tenantId: TenantId | null; readonly limit: number; readonly leaseMs: number },
): Promise<readonly DueEvent[]> {
  const { rows } = await database.query<{
    tenant_id: TenantId;
    event_id: string;
    body: string;
    attempt_count: string;
  }>(
    `UPDATE sandbox_events e
        SET attempt_count = e.attempt_count + 1, next_try_at_ms = arbiter_clock_ms() + $3::bigint
       FROM (SELECT tenant_id, event_id FROM sandbox_events
              WHERE next_try_at_ms <= arbiter_clock_ms() AND ($1::text IS NULL OR tenant_id = $1)
              ORDER BY next_try_at_ms, seq LIMIT $2 FOR UPDATE SKIP LOCKED) due
      WHERE e.tenant_id = due.tenant_id AND e.event_id = due.event_id
      RETURNING e.tenant_id, e.event_id, e.body, e.attempt_count`,
    [scope.tenantId, scope.limit, scope.leaseMs],
  );
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    eventId: row.event_id,
    body: row.body,
    attemptCount: Number(row.attempt_count),
  }));
}

/** Writes how a try ended. `retryAfterMs` null = given up. */
export async function finishTry(
  database: Queryable,
  { tenantId, eventId }: Pick<DueEvent, 'tenantId' | 'eventId'>,
  end: {
    readonly delivered: boolean;
    readonly status: number | null;
    readonly error: string | null;
    readonly retryAfterMs: number | null;
  },
): Promise<void> {
  await database.query(
    `UPDATE sandbox_events
        SET delivered_count = delivered_count + CASE WHEN $3 THEN 1 ELSE 0 END,
            last_status = $4::bigint, last_error = $5,
            next_try_at_ms = CASE
              WHEN $3 AND delivered_count + 1 >= copies THEN NULL
              WHEN $3 THEN arbiter_clock_ms()
              ELSE arbiter_clock_ms() + $6::bigint END
      WHERE tenant_id = $1 AND event_id = $2`,
    [tenantId, eventId, end.delivered, end.status, end.error, end.retryAfterMs],
  );
}

/** An event as a person sees it who asks what the sandbox sent. */
export interface SentEvent {
  readonly eventId: string;
  readonly type: string;
  readonly createdAtMs: number;
  readonly deliveredCount: number;
  readonly attemptCount: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly nextTryAtMs: number | null;
}

/** The newest first. */
export async function recentEvents(
  database: Queryable,
  tenantId: TenantId,
  limit: number,
): Promise<readonly SentEvent[]> {
  const { rows } = await database.query<{
    event_id: string;
    type: string;
    created_at_ms: string;
    delivered_count: string;
    attempt_count: string;
    last_status: string | null;
    last_error: string | null;
    next_try_at_ms: string | null;
  }>(
    `SELECT event_id, type, created_at_ms, delivered_count, attempt_count, last_status, last_error, next_try_at_ms
       FROM sandbox_events WHERE tenant_id = $1 ORDER BY seq DESC LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    type: row.type,
    createdAtMs: Number(row.created_at_ms),
    deliveredCount: Number(row.delivered_count),
    attemptCount: Number(row.attempt_count),
    lastStatus: row.last_status === null ? null : Number(row.last_status),
    lastError: row.last_error,
    nextTryAtMs: row.next_try_at_ms === null ? null : Number(row.next_try_at_ms),
  }));
}
