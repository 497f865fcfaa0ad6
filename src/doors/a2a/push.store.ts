import type { TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { Owner } from './names.js';
import type { Version } from './version.js';

/** A wrapped secret; null = the receiver asked for none. */
export type WrappedSecret = { readonly kekId: string; readonly wrapped: Buffer } | null;

export interface PushConfig {
  readonly configId: string;
  readonly version: Version;
  readonly url: string;
  readonly scheme: string | null;
  readonly secret: WrappedSecret;
  readonly messageId: string;
}

type Row = Readonly<Record<string, unknown>>;

const secretOf = (row: Row): WrappedSecret =>
  row['wrapped'] === null
    ? null
    : { kekId: row['kek_id'] as string, wrapped: row['wrapped'] as Buffer };

const configOf = (row: Row): PushConfig => ({
  configId: row['config_id'] as string,
  version: row['wire_version'] as Version,
  url: row['url'] as string,
  scheme: row['scheme'] as string | null,
  secret: secretOf(row),
  messageId: row['message_id'] as string,
});

/**
 * Stores where the end of a task is told, and makes that due now. One of the same name is replaced; `isKept`: it stays as it
 * is, for a message that is repeated. The message keeps its id whatever is changed about where it goes. False = there
 * are `configsMax` others.
 */
export async function savePushConfig(
  database: Queryable,
  { tenantId, callerId, taskId }: Owner & { readonly taskId: string },
  { config, isKept, nowMs, configsMax }: NewPushConfig,
): Promise<boolean> {
  const { rows } = await database.query(
    `WITH others AS (
        SELECT count(*) AS count FROM a2a_push_configs
        WHERE tenant_id = $1 AND caller_id = $2 AND task_id = $3 AND config_id <> $4
      ), written AS (
        INSERT INTO a2a_push_configs AS c (tenant_id, caller_id, task_id, config_id, wire_version, url, scheme, kek_id,
          wrapped, message_id, next_attempt_at_ms, created_at_ms)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11 FROM others WHERE count < $12
        ON CONFLICT (tenant_id, caller_id, task_id, config_id) DO UPDATE SET
          wire_version = excluded.wire_version, url = excluded.url, scheme = excluded.scheme, kek_id = excluded.kek_id,
          wrapped = excluded.wrapped, status = 'pending', attempt_count = 0, next_attempt_at_ms = $11
        WHERE NOT $13::boolean
      )
      SELECT count < $12 AS is_room FROM others`,
    [
      tenantId,
      callerId,
      taskId,
      config.configId,
      config.version,
      config.url,
      config.scheme,
      config.secret?.kekId ?? null,
      config.secret?.wrapped ?? null,
      config.messageId,
      nowMs,
      configsMax,
      isKept,
    ],
  );
  return (rows[0] as Row)['is_room'] as boolean;
}

export interface NewPushConfig {
  readonly config: PushConfig;
  readonly isKept: boolean;
  readonly nowMs: number;
  readonly configsMax: number;
}

export async function listPushConfigs(
  database: Queryable,
  { tenantId, callerId, taskId }: Owner & { readonly taskId: string },
): Promise<readonly PushConfig[]> {
  const { rows } = await database.query(
    `SELECT config_id, wire_version, url, scheme, kek_id, wrapped, message_id FROM a2a_push_configs
      WHERE tenant_id = $1 AND caller_id = $2 AND task_id = $3 ORDER BY created_at_ms, config_id`,
    [tenantId, callerId, taskId],
  );
  return rows.map((row) => configOf(row as Row));
}

export async function deletePushConfig(
  database: Queryable,
  { tenantId, callerId, taskId }: Owner & { readonly taskId: string },
  configId: string,
): Promise<void> {
  await database.query(
    `DELETE FROM a2a_push_configs
      WHERE tenant_id = $1 AND caller_id = $2 AND task_id = $3 AND config_id = $4`,
    [tenantId, callerId, taskId, configId],
  );
}

/** A message whose next try belongs to this process until the lease ends. */
export interface PushClaim extends PushConfig {
  readonly tenantId: TenantId;
  readonly callerId: string;
  readonly taskId: string;
  readonly world: World;
  readonly attemptCount: number;
  /** The task's JSON in the form of version 1.0. */
  readonly task: string;
}

const DUE = `status = 'pending' AND next_attempt_at_ms <= $1::bigint AND leased_until_ms <= $1::bigint
  AND tenant_id <> ALL ($2::text[])`;
const KEY = 'tenant_id, caller_id, task_id, config_id';

/**
 * Takes due messages, a few of each tenant, and stores that a try of each begins: nobody else takes them until the lease
 * ends. Without the bound one tenant's slow receivers would keep those of all others waiting.
 */
export async function claimPushes(
  database: Queryable,
  claim: {
    readonly busyTenantIds: readonly TenantId[];
    readonly limit: number;
    readonly perTenant: number;
    readonly nowMs: number;
    readonly leaseMs: number;
  },
): Promise<readonly PushClaim[]> {
  const { rows } = await database.query(
    `WITH due AS (
        SELECT ${KEY} FROM a2a_push_configs
        WHERE ${DUE} AND (${KEY}) IN (
          SELECT ${KEY} FROM (
            SELECT ${KEY}, row_number() OVER (PARTITION BY tenant_id ORDER BY next_attempt_at_ms) AS place
            FROM a2a_push_configs WHERE ${DUE}) AS ranked
          WHERE place <= $5)
        ORDER BY next_attempt_at_ms LIMIT $3 FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE a2a_push_configs AS c SET attempt_count = attempt_count + 1, leased_until_ms = $1::bigint + $4::bigint
        FROM due WHERE (c.tenant_id, c.caller_id, c.task_id, c.config_id)
          = (due.tenant_id, due.caller_id, due.task_id, due.config_id)
        RETURNING c.*
      )
      SELECT claimed.*, tasks.task, tenants.world FROM claimed
        JOIN a2a_tasks AS tasks USING (tenant_id, caller_id, task_id) JOIN tenants USING (tenant_id)`,
    [claim.nowMs, claim.busyTenantIds, claim.limit, claim.leaseMs, claim.perTenant],
  );
  return rows.map((row: Row) => ({
    ...configOf(row),
    tenantId: row['tenant_id'] as TenantId,
    callerId: row['caller_id'] as string,
    taskId: row['task_id'] as string,
    world: row['world'] as World,
    attemptCount: Number(row['attempt_count']),
    task: row['task'] as string,
  }));
}

/** How a try ended. `nextAttemptAtMs` null = it is over: delivered without an error class, else given up. */
export async function finishPush(
  database: Queryable,
  { tenantId, callerId, taskId, configId, attemptCount }: PushClaim,
  result: {
    readonly statusCode: number | null;
    readonly errorClass: string | null;
    readonly nextAttemptAtMs: number | null;
  },
): Promise<void> {
  // A configuration that was replaced meanwhile counts its tries anew: what the old one's try found says nothing about it.
  await database.query(
    `UPDATE a2a_push_configs SET leased_until_ms = 0, last_status_code = $6, last_error_class = $7,
        status = CASE WHEN $7::text IS NULL THEN 'delivered' WHEN $8::bigint IS NULL THEN 'given_up' ELSE 'pending' END,
        next_attempt_at_ms = coalesce($8::bigint, next_attempt_at_ms)
      WHERE tenant_id = $1 AND caller_id = $2 AND task_id = $3 AND config_id = $4 AND attempt_count = $5
        AND status = 'pending'`,
    [
      tenantId,
      callerId,
      taskId,
      configId,
      attemptCount,
      result.statusCode,
      result.errorClass,
      result.nextAttemptAtMs,
    ],
  );
}
