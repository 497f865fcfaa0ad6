import type { InstantMs, TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

export interface TenantClock {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly nowMs: InstantMs;
  /** It stands still until it is moved; never in the live world. */
  readonly isMoved: boolean;
}

interface ClockColumns {
  tenant_id: TenantId;
  world: World;
  now_ms: string;
  is_moved: boolean;
}

const CLOCK = 'tenant_id, h.world, c.now_ms, h.test_clock_at_ms IS NOT NULL AS is_moved';

const toClock = (row: ClockColumns): TenantClock => ({
  tenantId: row.tenant_id,
  world: row.world,
  nowMs: Number(row.now_ms),
  isMoved: row.is_moved,
});

/** World and commerce time of a tenant; null = no such tenant. */
export async function findTenantClock(
  database: Queryable,
  tenantId: TenantId,
): Promise<TenantClock | null> {
  const { rows } = await database.query<ClockColumns>(
    `SELECT ${CLOCK} FROM heads h JOIN tenant_clocks c USING (tenant_id) WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0] === undefined ? null : toClock(rows[0]);
}

/** Tenants with a moved clock that the authority was told less of. */
export async function findClocksBehind(
  database: Queryable,
  { tenantId, limit }: { tenantId: TenantId | null; limit: number },
): Promise<readonly TenantClock[]> {
  const { rows } = await database.query<ClockColumns>(
    `SELECT ${CLOCK} FROM authority_clocks t JOIN heads h USING (tenant_id) JOIN tenant_clocks c USING (tenant_id)
      WHERE h.test_clock_at_ms IS NOT NULL AND c.now_ms > t.told_at_ms AND ($1::text IS NULL OR tenant_id = $1)
      ORDER BY tenant_id LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map(toClock);
}

/** Remembers up to where the authority was told; never less than before. */
export async function keepTold(
  database: Queryable,
  { tenantId, nowMs }: Pick<TenantClock, 'tenantId' | 'nowMs'>,
): Promise<void> {
  await database.query(
    `INSERT INTO authority_clocks (tenant_id, told_at_ms) VALUES ($1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET told_at_ms = greatest(authority_clocks.told_at_ms, excluded.told_at_ms)`,
    [tenantId, nowMs],
  );
}
