import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** Commerce time of a tenant; null = it has no ledger here. */
export async function commerceTime(
  database: Queryable,
  tenantId: TenantId,
): Promise<InstantMs | null> {
  const { rows } = await database.query<{ now_ms: string }>(
    'SELECT now_ms FROM tenant_clocks WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0] === undefined ? null : Number(rows[0].now_ms);
}

/** Whether commerce time of a tenant is real time: nobody has stopped its clock. */
export async function isClockRunning(database: Queryable, tenantId: TenantId): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT FROM heads WHERE tenant_id = $1 AND test_clock_at_ms IS NULL',
    [tenantId],
  );
  return rowCount === 1;
}
