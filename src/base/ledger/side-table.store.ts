import type { TenantId } from '../../core/kernel/index.js';
import type { ErasableTable, SideErasure, SideTable, SideWrite } from './command.js';
import type { Statement } from './session.store.js';
import { sqlName, sqlValue } from './sql-value.js';

/** One insert per table. A row that is there already is left as it is: see {@link SideTable}. */
export function sideStatements(writes: readonly SideWrite[]): readonly Statement[] {
  const byTable = new Map<SideTable, SideWrite[]>();
  for (const write of writes) {
    const group = byTable.get(write.table);
    if (group === undefined) byTable.set(write.table, [write]);
    else group.push(write);
  }
  return [...byTable].map(([table, group]) => insertRows(table, group));
}

function insertRows(table: SideTable, writes: readonly SideWrite[]): Statement {
  const columns = Object.entries(table.columns).map(([name, type]) => ({
    name: sqlName(name),
    type,
    values: writes.map(({ row }) => sqlValue(row[name], `${table.table}.${name}`)),
  }));
  const names = columns.map((column) => column.name).join(', ');
  const key = table.key === undefined ? '' : `(${table.key.map(sqlName).join(', ')})`;
  const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`).join(', ');
  return {
    name: `side_${sqlName(table.table)}`.slice(0, 63),
    text: `INSERT INTO ${table.table} (${names}) SELECT * FROM unnest(${arrays}) ON CONFLICT ${key} DO NOTHING`,
    values: columns.map((column) => column.values),
  };
}

/** An erasure with its tenant and the entry that speaks of it. */
export interface NamedErasure extends SideErasure {
  readonly tenantId: TenantId;
  readonly entrySeq: number;
}

/** One statement per table and column; they run after the inserts of the batch. */
export function erasureStatements(erasures: readonly NamedErasure[]): readonly Statement[] {
  const byTable = new Map<ErasableTable, NamedErasure[]>();
  for (const erasure of erasures)
    byTable.set(erasure.table, [...(byTable.get(erasure.table) ?? []), erasure]);
  return [...byTable].map(([table, group]) => eraseRows(table, group));
}

function eraseRows(
  { table, by, takes }: ErasableTable,
  erasures: readonly NamedErasure[],
): Statement {
  const [name, column] = [sqlName(table), sqlName(by)];
  const named = `unnest($1::text[], $2::text[], $3::bigint[]) AS k(tenant, key, seq)
    WHERE t.tenant_id = k.tenant AND t.${column} = k.key`;
  return {
    name: `erase_${name}_${column}`.slice(0, 63),
    text:
      takes === 'rows'
        ? `DELETE FROM ${name} AS t USING ${named}`
        : `UPDATE ${name} AS t SET bytes = NULL, erased_entry_seq = k.seq FROM ${named}
            AND t.erasable AND t.bytes IS NOT NULL`,
    values: [
      erasures.map(({ tenantId }) => tenantId),
      erasures.map(({ key }) => key),
      erasures.map(({ entrySeq }) => entrySeq),
    ],
  };
}
