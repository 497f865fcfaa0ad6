import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import { type AnyProjection, anyProjection, type Projection } from './projection.js';
import { type AnyRow, columnOf, columnValue, type Key, rowOf } from './projection.store.js';
import { snakeCase, sqlName } from './sql-value.js';

/** Rows of one answer at most. */
export const READ_ROWS_MAX = 1_000;

/** Which rows of one tenant: members that must be equal (null matches null). */
export interface RowFilter<Row extends object> {
  readonly tenantId: TenantId;
  readonly where?: Partial<Row>;
}

/**
 * One page of rows. `order` 'key' sorts by the key's members, 'entry' by the entry that wrote the row last and then by
 * key: for `append` projections that is the order of the ledger. `after` is the `next` of the page before.
 */
export interface PageRequest<Row extends object> extends RowFilter<Row> {
  readonly order: 'key' | 'entry';
  readonly descending?: boolean;
  readonly after?: Key | null;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null = this was the last one. */
  readonly next: Key | null;
}

/** The row with this key, outside any lock; undefined when there is none. */
export async function readRow<Row extends object>(
  database: Queryable,
  projection: Projection<Row>,
  { tenantId, key }: { readonly tenantId: TenantId; readonly key: Key },
): Promise<Row | undefined> {
  invariant(
    key.length === projection.key.length,
    `${projection.table} is asked for with a whole key`,
  );
  const where = Object.fromEntries(projection.key.map((member, index) => [member, key[index]]));
  const [row] = await readRows(database, projection, { tenantId, where: where as Partial<Row> });
  return row;
}

/** All rows that match, by key; more than {@link READ_ROWS_MAX} of them is a broken invariant: read pages. */
export async function readRows<Row extends object>(
  database: Queryable,
  projection: Projection<Row>,
  filter: RowFilter<Row>,
): Promise<readonly Row[]> {
  const page = await readPage(database, projection, {
    ...filter,
    order: 'key',
    limit: READ_ROWS_MAX,
  });
  invariant(page.next === null, `rows of ${projection.table} are read in pages`);
  return page.rows;
}

/** One page, by keyset: no offset, so a page costs the same wherever it lies. */
export async function readPage<Row extends object>(
  database: Queryable,
  projection: Projection<Row>,
  request: PageRequest<Row>,
): Promise<Page<Row>> {
  const any = anyProjection(projection);
  const { rows, next } = await readStoredPage(database, any, {
    ...request,
    select: Object.keys(projection.columns).map(snakeCase).join(', '),
  });
  return { rows: rows.map((stored) => rowOf(any, stored) as Row), next };
}

/** As {@link readPage}, with the columns as they are stored. `select` is made from column names of our own. */
export async function readStoredPage(
  database: Queryable,
  projection: AnyProjection,
  request: PageRequest<AnyRow> & { readonly select: string },
): Promise<Page<AnyRow>> {
  const { tenantId, where = {}, order, descending = false, after = null, limit } = request;
  invariant(limit > 0 && limit <= READ_ROWS_MAX, `a page has 1 to ${READ_ROWS_MAX} rows`);
  const values: unknown[] = [tenantId];
  const conditions = ['tenant_id = $1'];
  for (const [member, value] of Object.entries(where)) {
    values.push(columnValue(projection, member, value));
    conditions.push(`${snakeCase(member)} IS NOT DISTINCT FROM $${values.length}`);
  }
  const sorted = [
    ...(order === 'entry' ? [{ name: 'entry_seq', type: 'bigint' }] : []),
    ...projection.key.map((member) => ({
      name: snakeCase(member),
      type: columnOf(projection, member).pgType,
    })),
  ];
  if (after !== null) {
    invariant(after.length === sorted.length, 'a cursor names one value per sorted column');
    const places = after.map((value, index) => {
      values.push(value);
      return `$${values.length}::${sorted[index]?.type ?? 'text'}`;
    });
    const names = sorted.map(({ name }) => name).join(', ');
    conditions.push(`(${names}) ${descending ? '<' : '>'} (${places.join(', ')})`);
  }
  // A projection with no key beside the tenant has one row: nothing to sort by.
  const cursor = sorted.map(({ name }, index) => `, ${name} AS cursor_${index}`).join('');
  const direction = descending ? ' DESC' : '';
  const { rows } = await database.query<Record<string, unknown>>(
    `SELECT ${request.select}${cursor} FROM ${sqlName(projection.table)}
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${['tenant_id', ...sorted.map(({ name }) => name + direction)].join(', ')} LIMIT ${limit + 1}`,
    values,
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const next = last === undefined ? null : cursorOf(last, sorted);
  return { rows: rows.slice(0, limit), next };
}

const cursorOf = (row: AnyRow, sorted: readonly { readonly type: string }[]): Key =>
  sorted.map(({ type }, index) => {
    const value = row[`cursor_${index}`];
    return type === 'bigint' ? Number(value) : String(value);
  });
