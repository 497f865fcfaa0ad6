import { readdirSync, readFileSync } from 'node:fs';
import type { PoolClient } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { A2A_TABLES } from './constraint-cases/a2a.js';
import { CATALOG_TABLES } from './constraint-cases/catalog.js';
import { EXPORT_TABLES } from './constraint-cases/exports.js';
import { HISTORY_TABLES } from './constraint-cases/history.js';
import { MONEY_TABLES } from './constraint-cases/money.js';
import { OTHER_TABLES } from './constraint-cases/others.js';
import { REVOCATION_TABLES } from './constraint-cases/revocation.js';
import {
  type Attempt,
  type Attempts,
  refusals,
  type Row,
  type TableCases,
} from './constraint-cases/shape.js';
import { TRUST_TABLES } from './constraint-cases/trust.js';

/**
 * Every constraint, unique index and trigger of the tables that the migrations since 0050 made or altered: each refuses a
 * statement alone, all others of its table being gone, and when it is gone too the statement is taken. What is there is
 * read from the database, so a new one without a case fails here. Left out: NOT NULL, and what a foreign key does on
 * DELETE. Earlier tables: test/ledger/tables.spec.ts and writer.spec.ts; the book's on rows that the service wrote:
 * test/book/constraints.spec.ts.
 */
const SINCE = '0050';

const TABLES: Readonly<Record<string, TableCases>> = {
  ...MONEY_TABLES,
  ...OTHER_TABLES,
  ...REVOCATION_TABLES,
  ...A2A_TABLES,
  ...CATALOG_TABLES,
  ...TRUST_TABLES,
  ...HISTORY_TABLES,
  ...EXPORT_TABLES,
};

/** What `arbiter_declare` gives every projection. */
const declaredFor = (table: string): Attempts => ({
  // The entry is there, and another transaction wrote it than the row says.
  [`${table}_from_entry`]: { insert: {} },
  [`${table}_transaction`]: [
    { stamps: `SELECT tx_id = pg_current_xact_id() AS stamped FROM ${table}` },
    { stamps: `UPDATE ${table} SET tx_id = '1' RETURNING tx_id = pg_current_xact_id() AS stamped` },
  ],
  [`${table}_kept`]: refusals(
    [`DELETE FROM ${table}`, `TRUNCATE ${table}`],
    new RegExp(` of ${table} is refused`),
  ),
});

interface Guard {
  readonly name: string;
  readonly kind: 'constraint' | 'index' | 'trigger';
}

interface Found extends Guard {
  readonly table: string;
}

const GUARDS = `
  SELECT conrelid::regclass::text AS table, conname AS name, 'constraint' AS kind FROM pg_constraint
    WHERE conrelid::regclass::text = ANY($1) AND contype NOT IN ('n', 't')
  UNION ALL
  SELECT indrelid::regclass::text, indexrelid::regclass::text, 'index' FROM pg_index
    WHERE indrelid::regclass::text = ANY($1) AND indisunique
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)
  UNION ALL
  SELECT tgrelid::regclass::text, tgname, 'trigger' FROM pg_trigger
    WHERE tgrelid::regclass::text = ANY($1) AND NOT tgisinternal
  ORDER BY 1, 2`;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Those that must have a value and are given none. */
const COLUMNS = `
  SELECT table_name AS table, column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'`;

const TOUCHED =
  /^(?:(?:CREATE|ALTER) TABLE|CREATE UNIQUE INDEX \w+\s+ON|CREATE (?:CONSTRAINT )?TRIGGER[^;]*?\sON) (\w+)/gm;
const tables = tablesOf('migrations');
const cases = tables.flatMap((table) =>
  Object.entries(casesOf(table)).flatMap(([name, attempts]) =>
    [attempts].flat().map((attempt) => ({ table, name, attempt, does: JSON.stringify(attempt) })),
  ),
);

let database: TestDatabase;
let found: readonly Found[];
let columns: readonly Column[];
beforeAll(async () => {
  database = await freshDatabase();
  ({ rows: found } = await database.pool.query<Found>(GUARDS, [tables]));
  ({ rows: columns } = await database.pool.query<Column>(COLUMNS));
});

it('every constraint, unique index and trigger has its case, and every case is of one', () => {
  const named = ({ table, name }: { table: string; name: string }) => `${table}.${name}`;
  const told = new Set(cases.map(named));
  expect([...told].toSorted()).toEqual(found.map(named).toSorted());
});

describe('with no program in between', () => {
  it.each(tables)('%s takes a row that breaks nothing', async (table) => {
    await inTransaction(async (client) => {
      await insertBase(client, table);
      await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    });
  });

  it.each(cases)('$table: $name alone refuses $does', async ({ table, name, attempt }) => {
    const others = found.filter((guard) => guard.table === table && guard.name !== name);
    const alone = await endOf(table, others, attempt);
    if ('stamps' in attempt) expect(alone).toBe('true');
    else if ('says' in attempt) expect(alone).toMatch(attempt.says);
    else expect(alone).toBe(name);
  });

  it.each(cases)('$table: nothing but $name refuses $does', async ({ table, attempt }) => {
    const all = found.filter((guard) => guard.table === table);
    expect(await endOf(table, all, attempt)).toBe('stamps' in attempt ? 'false' : 'taken');
  });
});

/** Every table that a migration since then makes, alters or adds a unique index or trigger to. */
function tablesOf(folder: string): readonly string[] {
  const names = readdirSync(folder)
    .filter((file) => file >= SINCE)
    .flatMap((file) => [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(TOUCHED)])
    .map(([, name = '']) => name);
  return [...new Set(names)].toSorted();
}

function casesOf(table: string): Attempts {
  const told = TABLES[table];
  if (told === undefined) return {};
  return { ...(told.isProjection === false ? {} : declaredFor(table)), ...told.guards };
}

/** How an attempt ends where these guards of the table are gone: taken, or by what it was refused. */
function endOf(table: string, gone: readonly Guard[], attempt: Attempt): Promise<string> {
  return inTransaction(async (client) => {
    for (const guard of gone) await client.query(dropping(table, guard));
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    const before = TABLES[table]?.after ?? [];
    for (const needed of before) await insertBase(client, needed);
    try {
      const { rows, rowCount } = await attempted(client, table, attempt);
      if (rowCount === 0) return 'nothing was touched';
      return 'stamps' in attempt ? String(rows[0]?.stamped) : 'taken';
    } catch (error) {
      return (error as { constraint?: string }).constraint ?? (error as Error).message;
    }
  });
}

function dropping(table: string, { kind, name }: Guard): string {
  if (kind === 'index') return `DROP INDEX ${name}`;
  if (kind === 'trigger') return `ALTER TABLE ${table} DISABLE TRIGGER ${name}`;
  return `ALTER TABLE ${table} DROP CONSTRAINT ${name} CASCADE`;
}

async function attempted(client: PoolClient, table: string, attempt: Attempt) {
  if ('insert' in attempt) return insert(client, table, attempt.insert);
  await insert(client, table, 'on' in attempt ? attempt.on : undefined);
  if ('again' in attempt) return insert(client, table, attempt.again);
  return client.query<{ stamped?: boolean }>(
    'stamps' in attempt ? attempt.stamps : attempt.statement,
  );
}

async function insertBase(client: PoolClient, table: string): Promise<void> {
  for (const needed of TABLES[table]?.after ?? []) await insertBase(client, needed);
  await insert(client, table);
}

/** The base row of a table, but for these columns. */
function insert(client: PoolClient, table: string, changes: Row = {}) {
  const needed = columns.filter((column) => column.table === table);
  const filled = Object.fromEntries(needed.map(({ name, type }) => [name, FILLED[type] ?? null]));
  const row = { ...filled, ...TABLES[table]?.base, ...changes };
  const names = Object.keys(row).join(', ');
  return client.query<{ stamped?: boolean }>(
    `INSERT INTO ${table} (${names})
      SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $1)`,
    [JSON.stringify(row)],
  );
}

/** What stands in a column that must have a value, by its type. */
const FILLED: Row = {
  text: 'x',
  bigint: 0,
  numeric: 1,
  boolean: false,
  jsonb: '{}',
  bytea: '',
  xid8: '1',
};

/** Runs the work where the tenant has one entry, of this transaction; takes all of it back. */
async function inTransaction<Value>(work: (client: PoolClient) => Promise<Value>): Promise<Value> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO entries (tenant_id, seq, entry_id, type, at_ms, body) VALUES ('x', 0, 'x', 'x', 0, '{}')`,
    );
    return await work(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
