import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

export interface TenantOrigin {
  readonly origin: string;
  readonly primary: boolean;
}

/** The origins under which the tenant answers; the primary first. A tenant has a handful. */
export async function listOrigins(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly TenantOrigin[]> {
  const { rows } = await database.query<{ origin: string; is_primary: boolean }>(
    `SELECT o.origin, o.origin = t.primary_origin AS is_primary
       FROM tenant_origins o JOIN tenants t USING (tenant_id)
      WHERE o.tenant_id = $1 AND o.retired_at_ms IS NULL
      ORDER BY is_primary DESC NULLS LAST, o.origin`,
    [tenantId],
  );
  return rows.map((row) => ({ origin: row.origin, primary: row.is_primary }));
}

/** The origin of this host (with its port, if it has one) and whose it is, or null. */
export async function findOriginOfHost(
  database: Queryable,
  host: string,
): Promise<{ readonly tenantId: TenantId; readonly origin: string } | null> {
  const { rows } = await database.query<{ tenant_id: TenantId; origin: string }>(
    'SELECT tenant_id, origin FROM tenant_origins WHERE host = $1 AND retired_at_ms IS NULL',
    [host],
  );
  return rows[0] === undefined ? null : { tenantId: rows[0].tenant_id, origin: rows[0].origin };
}
