import type { TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

/** One organisation in one world, as its administrators see it. */
export interface Tenant {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly name: string;
  readonly siblingTenantId: string | null;
  readonly callerAssertedAllowed: boolean;
  readonly primaryOrigin: string | null;
}

interface TenantColumns {
  tenant_id: TenantId;
  world: World;
  name: string;
  sibling_tenant_id: string | null;
  caller_asserted_allowed: boolean;
  primary_origin: string | null;
}

export async function findTenant(database: Queryable, tenantId: TenantId): Promise<Tenant | null> {
  const { rows } = await database.query<TenantColumns>(
    `SELECT tenant_id, world, name, sibling_tenant_id, caller_asserted_allowed, primary_origin
       FROM tenants WHERE tenant_id = $1`,
    [tenantId],
  );
  const [row] = rows;
  return row === undefined
    ? null
    : {
        tenantId: row.tenant_id,
        world: row.world,
        name: row.name,
        siblingTenantId: row.sibling_tenant_id,
        callerAssertedAllowed: row.caller_asserted_allowed,
        primaryOrigin: row.primary_origin,
      };
}
