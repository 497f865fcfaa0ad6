import type { SideTable, SideWrite } from './command.js';
import type { Statement } from './session.store.js';
import { sqlName, sqlValue } from './sql-value.js';

/** One insert per table. A row whose key exists already is left as it is. */
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
  const arrays = columns.map((column, index) => `$${index + 1}::${column.type}[]`).join(', ');
  return {
    name: `side_${sqlName(table.table)}`.slice(0, 63),
    text: `INSERT INTO ${table.table} (${names}) SELECT * FROM unnest(${arrays}) ON CONFLICT DO NOTHING`,
    values: columns.map((column) => column.values),
  };
}
