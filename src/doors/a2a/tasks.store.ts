import type { MerchantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { TASKS_PER_CALLER_MAX } from './limits.js';
import type { Owner } from './names.js';

export type EndedState = 'completed' | 'rejected';

/** Whose tasks, and of which merchants the key that asks may see any; null = all. */
export interface Viewer extends Owner {
  readonly merchantIds: readonly MerchantId[] | null;
}

/** A task as it stands. `text` is its JSON in the form of version 1.0. */
export interface StoredTask {
  readonly taskId: string;
  readonly contextId: string;
  readonly merchantId: string;
  readonly requestHash: string;
  readonly state: EndedState;
  readonly statusAtMs: number;
  readonly text: string;
}

export interface TaskFilter {
  readonly contextId: string | null;
  /** Null = any. */
  readonly states: readonly EndedState[] | null;
  readonly afterMs: number | null;
  /** Tasks behind this place, in the order of the list. */
  readonly after: TaskPlace | null;
}

export interface TaskPlace {
  readonly statusAtMs: number;
  readonly taskId: string;
}

type Row = Readonly<Record<string, unknown>>;

const taskOf = (row: Row): StoredTask => ({
  taskId: row['task_id'] as string,
  contextId: row['context_id'] as string,
  merchantId: row['merchant_id'] as string,
  requestHash: row['request_hash'] as string,
  state: row['state'] as EndedState,
  statusAtMs: Number(row['status_at_ms']),
  text: row['task'] as string,
});

const COLUMNS = 'task_id, context_id, merchant_id, request_hash, state, status_at_ms, task';
const SEEN = 'tenant_id = $1 AND caller_id = $2 AND ($3::text[] IS NULL OR merchant_id = ANY ($3))';

const seenBy = ({ tenantId, callerId, merchantIds }: Viewer) => [tenantId, callerId, merchantIds];

export async function findTask(
  database: Queryable,
  viewer: Viewer,
  taskId: string,
): Promise<StoredTask | null> {
  const { rows } = await database.query(
    `SELECT ${COLUMNS} FROM a2a_tasks WHERE ${SEEN} AND task_id = $4`,
    [...seenBy(viewer), taskId],
  );
  return rows[0] === undefined ? null : taskOf(rows[0]);
}

/** Writes an ended task, once: one that stands already stays as it is. The caller's oldest go when there are too many. */
export async function addTask(
  database: Queryable,
  { tenantId, callerId }: Owner,
  { task, createdAtMs }: { readonly task: StoredTask; readonly createdAtMs: number },
): Promise<void> {
  await database.query(
    `WITH added AS (
        INSERT INTO a2a_tasks (tenant_id, caller_id, task_id, context_id, merchant_id, request_hash, state, status_at_ms,
          created_at_ms, task)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
      )
      DELETE FROM a2a_tasks WHERE tenant_id = $1 AND caller_id = $2 AND created_at_ms < (
        SELECT created_at_ms FROM a2a_tasks WHERE tenant_id = $1 AND caller_id = $2
        ORDER BY created_at_ms DESC OFFSET $11 LIMIT 1)`,
    [
      tenantId,
      callerId,
      task.taskId,
      task.contextId,
      task.merchantId,
      task.requestHash,
      task.state,
      task.statusAtMs,
      createdAtMs,
      task.text,
      TASKS_PER_CALLER_MAX - 1,
    ],
  );
}

/** The latest first, at most `size`; `total` counts what the filter finds on all pages. */
export async function listTasks(
  database: Queryable,
  viewer: Viewer,
  { filter, size }: { readonly filter: TaskFilter; readonly size: number },
): Promise<{ readonly tasks: readonly StoredTask[]; readonly total: number }> {
  const found = `FROM a2a_tasks WHERE ${SEEN} AND ($4::text IS NULL OR context_id = $4)
    AND ($5::text[] IS NULL OR state = ANY ($5)) AND ($6::bigint IS NULL OR status_at_ms > $6)`;
  const values = [...seenBy(viewer), filter.contextId, filter.states, filter.afterMs];
  const [page, count] = await Promise.all([
    database.query(
      `SELECT ${COLUMNS} ${found} AND ($7::bigint IS NULL OR (status_at_ms, task_id) < ($7::bigint, $8))
        ORDER BY status_at_ms DESC, task_id DESC LIMIT $9`,
      [...values, filter.after?.statusAtMs ?? null, filter.after?.taskId ?? null, size],
    ),
    database.query(`SELECT count(*) AS count ${found}`, values),
  ]);
  return {
    tasks: page.rows.map((row) => taskOf(row as Row)),
    total: Number((count.rows[0] as Row)['count']),
  };
}

/** Tasks that were made before an instant go, with where they were to be told; answers how many. */
export async function sweepTasks(
  database: Queryable,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM a2a_tasks WHERE (tenant_id, caller_id, task_id) IN (
        SELECT tenant_id, caller_id, task_id FROM a2a_tasks WHERE created_at_ms < $1 ORDER BY created_at_ms LIMIT $2)`,
    [beforeMs, limit],
  );
  return rowCount ?? 0;
}
