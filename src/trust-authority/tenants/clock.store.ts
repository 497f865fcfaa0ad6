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
