import type { CanonicalValue, TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

export interface StoredSite {
  readonly world: World;
  readonly mode: string | null;
  readonly allowedAgents: CanonicalValue | null;
  readonly origins: readonly string[];
}

/** Null: no such tenant. */
export async function findSite(
  database: Queryable,
  tenantId: TenantId,
): Promise<StoredSite | null> {
  const { rows } = await database.query<{
    world: World;
    mode: string | null;
    allowed_agents: string | null;
    origins: string[];
  }>(
    `SELECT t.world, s.mode, s.allowed_agents,
        ARRAY(SELECT origin FROM tenant_origins o
               WHERE o.tenant_id = t.tenant_id AND o.retired_at_ms IS NULL ORDER BY origin) AS origins
       FROM tenants t LEFT JOIN signature_settings s USING (tenant_id)
      WHERE t.tenant_id = $1`,
    [tenantId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { world, mode, allowed_agents, origins } = row;
  const allowedAgents =
    allowed_agents === null ? null : (JSON.parse(allowed_agents) as CanonicalValue);
  return { world, mode, allowedAgents, origins };
}
