import { describe, expect, it } from 'vitest';
import { declaredTables } from '../../src/base/ledger/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { testDatabase } from '../support/database.js';

const snake = (member: string) => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function columnsOf(table: string) {
  const { rows } = await testDatabase().pool.query<{ name: string; type: string; is_key: boolean }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type,
        coalesce(a.attnum = ANY(i.indkey), false) AS is_key
      FROM pg_attribute AS a LEFT JOIN pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname`,
    [table],
  );
  return rows.map(({ name, type, is_key }) => `${name} ${type}${is_key ? ' key' : ''}`);
}

describe('the projections of the house', () => {
  it('are exactly the tables that declare themselves one', async () => {
    const declared = (await declaredTables(testDatabase().pool)).filter(
      (table) => table.class === 'projection',
    );
    expect(declared.map(({ table }) => table)).toEqual(
      PROJECTIONS.map(({ table }) => table).sort(),
    );
  });

  it.each(PROJECTIONS.map((projection) => ({ table: projection.table, projection })))(
    '$table has the columns and the key that its description says',
    async ({ table, projection }) => {
      const members = Object.entries(projection.columns).map(
        ([member, { pgType }]) =>
          `${snake(member)} ${pgType}${projection.key.includes(member) ? ' key' : ''}`,
      );
      const common = ['tenant_id text key', 'entry_seq bigint', 'tx_id xid8'];
      expect(await columnsOf(table)).toEqual([...members, ...common].sort());
    },
  );
});
