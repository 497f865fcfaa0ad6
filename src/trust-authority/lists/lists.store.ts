import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** Number of the newest list of a tenant; 0 = it has none. */
export async function newestListNumber(database: Queryable, tenantId: TenantId): Promise<number> {
  const { rows } = await database.query<{ newest: string }>(
    'SELECT coalesce(max(list_number), 0) AS newest FROM status_lists WHERE tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0]?.newest ?? 0);
}

/** What the head of a list says, and commerce time; null = there is no such list. */
export async function readListHead(
  database: Queryable,
  tenantId: TenantId,
  listNumber: number,
): Promise<{ readonly version: number; readonly nowMs: InstantMs } | null> {
  const { rows } = await database.query<{ version: string; now_ms: string }>(
    `SELECT l.version, c.now_ms FROM status_lists AS l JOIN tenant_clocks AS c USING (tenant_id)
      WHERE l.tenant_id = $1 AND l.list_number = $2::bigint`,
    [tenantId, listNumber],
  );
  const [row] = rows;
  return row === undefined ? null : { version: Number(row.version), nowMs: Number(row.now_ms) };
}

/** A list at one moment: its version, commerce time, and every place that is not VALID. */
export interface ListSnapshot {
  readonly version: number;
  readonly nowMs: InstantMs;
  readonly places: readonly { readonly index: number; readonly value: number }[];
}

/** INVARIANT: version and places are of one statement, so they are of one moment. */
export async function readListSnapshot(
  database: Queryable,
  tenantId: TenantId,
  listNumber: number,
): Promise<ListSnapshot | null> {
  const { rows } = await database.query<{
    version: string;
    now_ms: string;
    indexes: number[] | null;
    slot_values: number[] | null;
  }>(
    `SELECT l.version, c.now_ms, s.indexes, s.slot_values
       FROM status_lists AS l JOIN tenant_clocks AS c USING (tenant_id),
       LATERAL (SELECT array_agg(slot_index::int) AS indexes, array_agg(value::int) AS slot_values
                  FROM slots WHERE slots.tenant_id = $1 AND slots.list_number = $2::bigint AND value <> 0) AS s
      WHERE l.tenant_id = $1 AND l.list_number = $2::bigint`,
    [tenantId, listNumber],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const values = row.slot_values ?? [];
  return {
    version: Number(row.version),
    nowMs: Number(row.now_ms),
    places: (row.indexes ?? []).map((index, place) => ({ index, value: values[place] ?? 0 })),
  };
}

/** Current versions of some lists of a tenant, by number. */
export async function readListVersions(
  database: Queryable,
  tenantId: TenantId,
  listNumbers: readonly number[],
): Promise<readonly { readonly listNumber: number; readonly version: number }[]> {
  const { rows } = await database.query<{ list_number: string; version: string }>(
    `SELECT list_number, version FROM status_lists
      WHERE tenant_id = $1 AND list_number = ANY ($2::bigint[]) ORDER BY list_number`,
    [tenantId, listNumbers],
  );
  return rows.map((row) => ({ listNumber: Number(row.list_number), version: Number(row.version) }));
}
