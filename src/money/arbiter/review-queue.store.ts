import type pg from 'pg';
import type { Pool, Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import { decisions } from './decision.events.js';

/** A refusal as it was copied. */
export interface QueuedRefusal {
  readonly decisionId: string;
  readonly merchantId: string;
  readonly flow: string;
  readonly agentId: string | null;
  readonly orderId: string | null;
  readonly failingRule: string;
  readonly reason: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly decidedAtMs: number;
  readonly seq: number;
}

export interface QueueFilter {
  /** Any of these merchants; null = every merchant. */
  readonly merchantIds: readonly string[] | null;
  readonly reason: string | null;
  /** Decided at this instant or later. */
  readonly sinceMs: number | null;
  /** Only refusals before this place in the ledger; null = from the newest on. */
  readonly beforeSeq: number | null;
  readonly limit: number;
}

/** A queue that somebody locks is left for the next round: other work waits behind this one. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`;

/** One statement in a transaction of its own that waits for no lock. */
async function unhindered<Row extends pg.QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(LOCK_TIMEOUT);
    const { rows } = await client.query<Row>(text, [...values]);
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Tenants that have a merchant with the option and a ledger that went on since it was last followed. */
export async function tenantsToFollow(
  pool: Pool,
  { tenantId, limit }: { readonly tenantId: TenantId | null; readonly limit: number },
): Promise<readonly TenantId[]> {
  const rows = await unhindered<{ tenant_id: TenantId }>(
    pool,
    `SELECT h.tenant_id FROM heads h
      LEFT JOIN review_cursors c ON c.tenant_id = h.tenant_id
      WHERE h.last_seq > coalesce(c.followed_seq, -1) AND ($1::text IS NULL OR h.tenant_id = $1)
        AND EXISTS (SELECT 1 FROM merchants m
          WHERE m.tenant_id = h.tenant_id AND m.review_copy_since_seq IS NOT NULL)
      ORDER BY h.tenant_id LIMIT $2`,
    [tenantId, limit],
  );
  return rows.map((row) => row.tenant_id);
}

/**
 * One statement, so one snapshot: heads, decisions and settings as one moment left them. A refusal counts if its merchant
 * has the option and had it already when the refusal was decided.
 */
const FOLLOW = `WITH place AS (
    SELECT coalesce((SELECT followed_seq FROM review_cursors WHERE tenant_id = $1), -1) AS seq
  ), found AS (
    SELECT d.* FROM decisions d
      JOIN merchants m ON m.tenant_id = d.tenant_id AND m.merchant_id = d.merchant_id
      WHERE d.tenant_id = $1 AND d.outcome = 'refuse' AND d.entry_seq > (SELECT seq FROM place)
        AND d.entry_seq > m.review_copy_since_seq
      ORDER BY d.entry_seq LIMIT $2
  ), copied AS (
    INSERT INTO review_queue (tenant_id, decision_id, merchant_id, flow, agent_id, order_id, failing_rule, reason,
        currency, amount_minor, decided_at_ms, decision_seq)
      SELECT tenant_id, decision_id, merchant_id, flow, agent_id, order_id, failing_rule, reason,
        currency, amount_minor, decided_at_ms, entry_seq
      FROM found ON CONFLICT DO NOTHING RETURNING 1
  ), followed AS (
    INSERT INTO review_cursors (tenant_id, followed_seq)
      SELECT $1, CASE WHEN count(*) < $2 THEN (SELECT last_seq FROM heads WHERE tenant_id = $1) ELSE max(entry_seq) END
      FROM found
      ON CONFLICT (tenant_id) DO UPDATE
        SET followed_seq = greatest(review_cursors.followed_seq, excluded.followed_seq)
  )
  SELECT count(*) FROM copied`;

/** Copies at most `limit` refusals and remembers how far the ledger was followed; answers how many were new. */
export async function copyRefusals(pool: Pool, tenantId: TenantId, limit: number): Promise<number> {
  const [row] = await unhindered<{ count: string }>(pool, FOLLOW, [tenantId, limit]);
  return Number(row?.count ?? 0);
}

const COLUMNS = `decision_id, merchant_id, flow, agent_id, order_id, failing_rule, reason, currency, amount_minor,
  decided_at_ms, decision_seq`;

/** Newest first. */
export async function findQueued(
  database: Queryable,
  tenantId: TenantId,
  filter: QueueFilter,
): Promise<readonly QueuedRefusal[]> {
  const { rows } = await database.query<Readonly<Record<string, unknown>>>(
    `SELECT ${COLUMNS} FROM review_queue
      WHERE tenant_id = $1
        AND ($2::text[] IS NULL OR merchant_id = ANY($2))
        AND ($3::text IS NULL OR reason = $3)
        AND ($4::bigint IS NULL OR decided_at_ms >= $4::bigint)
        AND ($5::bigint IS NULL OR decision_seq < $5::bigint)
      ORDER BY decision_seq DESC LIMIT $6`,
    [tenantId, filter.merchantIds, filter.reason, filter.sinceMs, filter.beforeSeq, filter.limit],
  );
  return rows.map(queuedOf);
}

const { columns } = decisions;

const queuedOf = (row: Readonly<Record<string, unknown>>): QueuedRefusal => ({
  decisionId: columns.decisionId.fromSql(row['decision_id']),
  merchantId: columns.merchantId.fromSql(row['merchant_id']),
  flow: columns.flow.fromSql(row['flow']),
  agentId: columns.agentId.fromSql(row['agent_id']),
  orderId: columns.orderId.fromSql(row['order_id']),
  failingRule: columns.flow.fromSql(row['failing_rule']),
  reason: columns.flow.fromSql(row['reason']),
  currency: columns.currency.fromSql(row['currency']),
  amountMinor: columns.amountMinor.fromSql(row['amount_minor']),
  decidedAtMs: columns.decidedAtMs.fromSql(row['decided_at_ms']),
  seq: columns.decidedAtMs.fromSql(row['decision_seq']),
});
