import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { AnyProjection } from './projection.js';
import type { Statement } from './session.store.js';
import { snakeCase, sqlName, type SqlValue, sqlValue } from './sql-value.js';

export type Key = readonly (string | number)[];
export type AnyRow = Readonly<Record<string, unknown>>;

/** Names one row of one tenant. */
export interface RowName {
  readonly tenantId: TenantId;
  readonly key: Key;
}

/** A row to be written, with the entry that wrote it last. */
export interface RowWrite extends RowName {
  readonly row: AnyRow;
  readonly entrySeq: number;
}

interface TableSql {
  readonly load: Statement;
  readonly write: Statement;
  readonly members: readonly string[];
}

/** Reads many rows by key in one statement: one array per key column. */
export function loadStatement(projection: AnyProjection, names: readonly RowName[]): Statement {
  const keys = projection.key.map((member, index) =>
    names.map(({ key }) => columnValue(projection, member, key[index])),
  );
  return { ...sqlOf(projection).load, values: [names.map(({ tenantId }) => tenantId), ...keys] };
}

/** Writes many rows in one statement. Rows of an `append` projection are only ever inserted. */
export function writeStatement(projection: AnyProjection, writes: readonly RowWrite[]): Statement {
  const columns = sqlOf(projection).members.map((member) =>
    writes.map(({ row }) => columnValue(projection, member, row[member])),
  );
  return {
    ...sqlOf(projection).write,
    values: [
      writes.map(({ tenantId }) => tenantId),
      ...columns,
      writes.map(({ entrySeq }) => entrySeq),
    ],
  };
}

/** The row's members out of a database row. */
export function rowOf(projection: AnyProjection, stored: AnyRow): AnyRow {
  const row: Record<string, unknown> = {};
  for (const member of Object.keys(projection.columns)) {
    row[member] = columnOf(projection, member).fromSql(stored[snakeCase(member)]);
  }
  return row;
}

export const keyOf = (projection: AnyProjection, row: AnyRow): Key =>
  projection.key.map((member) => {
    const value = row[member];
    invariant(
      typeof value === 'string' || typeof value === 'number',
      `${projection.table}.${member} is a key of text or integers`,
    );
    return value;
  });

/** The row's value of a member as the database is given it. */
export const columnValue = (projection: AnyProjection, member: string, value: unknown): SqlValue =>
  sqlValue(columnOf(projection, member).toSql(value), `${projection.table}.${snakeCase(member)}`);

export function columnOf(projection: AnyProjection, member: string) {
  const column = projection.columns[member];
  invariant(column !== undefined, `${projection.table} has a column for ${member}`);
  return column;
}

const prepared = new WeakMap<AnyProjection, TableSql>();

function sqlOf(projection: AnyProjection): TableSql {
  const known = prepared.get(projection);
  if (known !== undefined) return known;
  const table = sqlName(projection.table);
  const members = Object.keys(projection.columns);
  const columns = members.map(snakeCase);
  const keys = ['tenant_id', ...projection.key.map(snakeCase)];
  const keyTypes = ['text', ...projection.key.map((member) => columnOf(projection, member).pgType)];
  const types = ['text', ...members.map((member) => columnOf(projection, member).pgType), 'bigint'];
  const stored = ['tenant_id', ...columns, 'entry_seq'];
  const changed = [...columns.filter((name) => !keys.includes(name)), 'entry_seq'];
  const sql: TableSql = {
    members,
    load: {
      name: `load_${table}`.slice(0, 63),
      text: `SELECT ${stored.map((name) => `p.${name}`).join(', ')}
        FROM unnest(${arrays(keyTypes)}) AS k(${keys.join(', ')}) JOIN ${table} AS p USING (${keys.join(', ')})`,
    },
    write: {
      name: `write_${table}`.slice(0, 63),
      text: `INSERT INTO ${table} (${stored.join(', ')}) SELECT * FROM unnest(${arrays(types)})${
        projection.mode === 'append'
          ? ''
          : ` ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changed
              .map((name) => `${name} = EXCLUDED.${name}`)
              .join(', ')}`
      }`,
    },
  };
  prepared.set(projection, sql);
  return sql;
}

const arrays = (types: readonly string[]): string =>
  types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
