import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** Whose log has the origin of this digest; null = nobody's. */
export async function tenantOfLog(
  database: Queryable,
  originSha256: string,
): Promise<TenantId | null> {
  const { rows } = await database.query<{ tenant_id: TenantId }>(
    'SELECT tenant_id FROM witnessed_logs WHERE origin_sha256 = $1',
    [originSha256],
  );
  return rows[0]?.tenant_id ?? null;
}
