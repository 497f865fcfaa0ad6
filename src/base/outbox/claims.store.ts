import type { TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

/** A delivery whose next try belongs to this process until the lease ends. */
export interface Claim {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  /** `secrets` of the endpoint's row, as it is stored. */
  readonly secrets: string;
  readonly eventSeq: number;
  readonly attemptNo: number;
  readonly roundAttemptCount: number;
}

export interface ClaimRequest {
  readonly tenantId: TenantId | null;
  /** Tenants of which enough is under way here. */
  readonly busyTenantIds: readonly TenantId[];
  readonly limit: number;
  readonly perEndpoint: number;
  readonly nowMs: number;
  readonly leaseMs: number;
}

/**
 * Takes due deliveries of active endpoints, a few of each endpoint, and stores that a try begins. No other process
 * takes them until the lease ends: then the process is taken to be gone, its try is marked and the next one begins.
 */
export async function claimDeliveries(
  database: Queryable,
  { tenantId, busyTenantIds, limit, perEndpoint, nowMs, leaseMs }: ClaimRequest,
): Promise<readonly Claim[]> {
  const { rows } = await database.query(
    `WITH due AS (
        SELECT w.tenant_id, w.delivery_id, e.url, e.secrets
        FROM webhook_endpoints AS e CROSS JOIN LATERAL (
          SELECT tenant_id, delivery_id FROM webhook_deliveries
          WHERE tenant_id = e.tenant_id AND endpoint_id = e.endpoint_id AND status = 'pending'
            AND next_attempt_at_ms <= $1::bigint AND leased_until_ms <= $1::bigint
          ORDER BY next_attempt_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED) AS w
        WHERE e.state = 'active' AND ($3::text IS NULL OR e.tenant_id = $3) AND e.tenant_id <> ALL ($4::text[])
        ORDER BY random() LIMIT $5
      ), interrupted AS (
        UPDATE webhook_attempts AS a SET error_class = 'interrupted' FROM due
        WHERE a.tenant_id = due.tenant_id AND a.delivery_id = due.delivery_id
          AND a.duration_ms IS NULL AND a.error_class IS NULL
      ), claimed AS (
        UPDATE webhook_deliveries AS d SET attempt_count = attempt_count + 1,
          round_attempt_count = round_attempt_count + 1, leased_until_ms = $1::bigint + $6::bigint
        FROM due WHERE d.tenant_id = due.tenant_id AND d.delivery_id = due.delivery_id
        RETURNING d.tenant_id, d.delivery_id, d.endpoint_id, d.event_seq, d.attempt_count, d.round_attempt_count,
          due.url, due.secrets
      ), begun AS (
        INSERT INTO webhook_attempts (tenant_id, delivery_id, attempt_no, started_at_ms)
        SELECT tenant_id, delivery_id, attempt_count, $1::bigint FROM claimed
      )
      SELECT claimed.*, t.world FROM claimed JOIN tenants AS t USING (tenant_id)`,
    [nowMs, perEndpoint, tenantId, busyTenantIds, limit, leaseMs],
  );
  return rows.map((row) => ({
    tenantId: row['tenant_id'] as TenantId,
    world: row['world'] as World,
    deliveryId: row['delivery_id'] as string,
    endpointId: row['endpoint_id'] as string,
    url: row['url'] as string,
    secrets: row['secrets'] as string,
    eventSeq: Number(row['event_seq']),
    attemptNo: Number(row['attempt_count']),
    roundAttemptCount: Number(row['round_attempt_count']),
  }));
}

/** Wrapped signing secrets of an endpoint by their names. */
export async function readSecrets(
  database: Queryable,
  { tenantId, endpointId }: { tenantId: TenantId; endpointId: string },
): Promise<ReadonlyMap<string, { readonly kekId: string; readonly wrapped: Buffer }>> {
  const { rows } = await database.query<{ secret_id: string; kek_id: string; wrapped: Buffer }>(
    'SELECT secret_id, kek_id, wrapped FROM webhook_endpoint_secrets WHERE tenant_id = $1 AND endpoint_id = $2',
    [tenantId, endpointId],
  );
  return new Map(rows.map((row) => [row.secret_id, { kekId: row.kek_id, wrapped: row.wrapped }]));
}
