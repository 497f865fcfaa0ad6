import { createHash } from 'node:crypto';
import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

/** A broken invariant that was seen: an own one, or one between us and a witness. */
export interface Alarm {
  readonly invariant: string;
  /** Null = an invariant of our own. */
  readonly witnessName: string | null;
  readonly detail: string;
  readonly raisedAtMs: number;
}

/** Keeps an alarm; false = the same one was raised before. */
export async function insertAlarm(
  database: Queryable,
  tenantId: TenantId,
  { invariant, witnessName, detail, raisedAtMs }: Alarm,
): Promise<boolean> {
  const named = [invariant, witnessName ?? '', detail].join('\n');
  const { rowCount } = await database.query(
    `INSERT INTO ledger_alarms (tenant_id, alarm_id, invariant, witness_name, detail, raised_at_ms)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [
      tenantId,
      createHash('sha256').update(named).digest('hex').slice(0, 32),
      invariant,
      witnessName,
      detail,
      raisedAtMs,
    ],
  );
  return rowCount === 1;
}

/** The newest alarms of a tenant, newest first. */
export async function listAlarms(
  database: Queryable,
  tenantId: TenantId,
  limit: number,
): Promise<readonly Alarm[]> {
  const { rows } = await database.query<{
    invariant: string;
    witness_name: string | null;
    detail: string;
    raised_at_ms: string;
  }>(
    `SELECT invariant, witness_name, detail, raised_at_ms FROM ledger_alarms WHERE tenant_id = $1
      ORDER BY raised_at_ms DESC, alarm_id LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map((row) => ({
    invariant: row.invariant,
    witnessName: row.witness_name,
    detail: row.detail,
    raisedAtMs: Number(row.raised_at_ms),
  }));
}

/** How many tenants each broken invariant concerns now. */
export interface BrokenCount {
  readonly invariant: string;
  readonly tenantCount: number;
}

export async function countBrokenTrees(database: Queryable): Promise<readonly BrokenCount[]> {
  return counted(
    database,
    `SELECT broken_invariant AS invariant, count(*) AS tenants FROM ledger_trees
      WHERE broken_invariant IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
}

export async function countDisagreements(database: Queryable): Promise<readonly BrokenCount[]> {
  return counted(
    database,
    `SELECT disagreement AS invariant, count(DISTINCT tenant_id) AS tenants FROM witness_states
      WHERE disagreement IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
}

async function counted(database: Queryable, text: string): Promise<readonly BrokenCount[]> {
  const { rows } = await database.query<{ invariant: string; tenants: string }>(text);
  return rows.map((row) => ({ invariant: row.invariant, tenantCount: Number(row.tenants) }));
}
