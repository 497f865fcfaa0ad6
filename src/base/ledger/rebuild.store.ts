import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import type { AnyProjection } from './projection.js';
import { type AnyRow, columnOf, type Key } from './projection.store.js';
import { readStoredPage } from './read-rows.store.js';
import type { Statement } from './session.store.js';
import { snakeCase, sqlName } from './sql-value.js';

/** One snapshot for the fold and the tables it is compared with; writers are not held up. */
export const BEGIN_SNAPSHOT: readonly Statement[] = [
  { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' },
  // Large ledgers take their time; the connection's limit is meant for requests.
  { text: 'SET LOCAL statement_timeout = 0' },
];
export const END_SNAPSHOT: Statement = { text: 'ROLLBACK' };

export interface TenantSize {
  readonly tenantId: TenantId;
  readonly entryCount: number;
}

/** Every tenant of which anything stands in heads, entries or a projection. */
export async function listTenants(
  database: Queryable,
  projections: readonly AnyProjection[],
): Promise<readonly TenantSize[]> {
  const tables = ['heads', 'entries', ...projections.map(({ table }) => sqlName(table))];
  const named = tables.map((table) => `SELECT tenant_id FROM ${table}`).join(' UNION ');
  const { rows } = await database.query<{ tenant_id: TenantId; entry_count: string }>(
    `SELECT t.tenant_id, coalesce(h.last_seq, -1) + 1 AS entry_count
      FROM (${named}) AS t LEFT JOIN heads AS h USING (tenant_id) ORDER BY t.tenant_id`,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, entryCount: Number(row.entry_count) }));
}

/** A projection row as the database spells it, with the transaction of the entry that it names. */
export interface SpelledRow {
  readonly key: Key;
  readonly members: Readonly<Record<string, string | null>>;
  readonly entrySeq: string;
  readonly txId: string;
  readonly entryTxId: string | null;
}

/** All rows of one tenant, page by page, every value as text: what is compared is what stands there, not what we read into it. */
export async function* spelledRows(
  database: Queryable,
  projection: AnyProjection,
  tenantId: TenantId,
): AsyncGenerator<SpelledRow> {
  const table = sqlName(projection.table);
  const members = Object.keys(projection.columns);
  const select = [
    ...members.map((member) => `${snakeCase(member)}::text AS v_${snakeCase(member)}`),
    'entry_seq::text AS row_entry_seq',
    'tx_id::text AS row_tx_id',
    `(SELECT e.tx_id::text FROM entries AS e WHERE e.tenant_id = ${table}.tenant_id AND e.seq = ${table}.entry_seq)
      AS entry_tx_id`,
  ].join(', ');
  let after: Key | null = null;
  do {
    const page: { rows: readonly AnyRow[]; next: Key | null } = await readStoredPage(
      database,
      projection,
      { tenantId, order: 'key', after, limit: 1_000, select },
    );
    for (const row of page.rows) yield spelled(projection, row);
    after = page.next;
  } while (after !== null);
}

const spelled = (projection: AnyProjection, row: AnyRow): SpelledRow => ({
  key: projection.key.map((member, index) => {
    const value = row[`cursor_${index}`];
    return columnOf(projection, member).pgType === 'bigint' ? Number(value) : String(value);
  }),
  members: Object.fromEntries(
    Object.keys(projection.columns).map((member) => [
      member,
      row[`v_${snakeCase(member)}`] as string | null,
    ]),
  ),
  entrySeq: row['row_entry_seq'] as string,
  txId: row['row_tx_id'] as string,
  entryTxId: row['entry_tx_id'] as string | null,
});

/** Tables of the database that declare themselves a projection, or declare nothing at all (`class` null). */
export async function declaredTables(
  database: Queryable,
): Promise<readonly { readonly table: string; readonly class: string | null }[]> {
  const { rows } = await database.query<{ table: string; class: string | null }>(
    `SELECT c.relname AS table, substring(obj_description(c.oid, 'pg_class') FROM '^class: ([a-z]+)$') AS class
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      ORDER BY c.relname`,
  );
  return rows;
}
