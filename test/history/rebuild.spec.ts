import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DERIVED_HISTORY } from '../../src/base/history/index.js';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { PROJECTIONS } from '../../src/projections.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { type TestTenant, valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, sealedTenant, write } from './house.js';

let database: TestDatabase;
let room: HistoryHouse;
let superuser: pg.Client;
let tenant: TestTenant;
const signed: number[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  room = historyHouse({ database });
  const url = new URL(database.connectionString);
  url.username = SUPERUSER;
  superuser = new pg.Client({ connectionString: url.toString() });
  await superuser.connect();
  tenant = await sealedTenant(room.house);
  for (const count of [3, 300, 2]) {
    await write(room.house, tenant, count);
    signed.push(valueOf(await room.checkpoints.make(tenant.tenantId))?.size ?? 0);
  }
  // Behind what the tree has read: entries that no check may miss in it.
  await write(room.house, tenant, 4);
});
afterAll(() => superuser.end());

/** A line of its own for every signed head. */
const EVERY_HEAD = 'ledger_checkpoints [$EACH] row';
const each = (line: string): readonly string[] =>
  line === EVERY_HEAD ? signed.map((size) => line.replace('$EACH', String(size))) : [line];

const check = () =>
  checkRebuild(superuser, tenant.tenantId, {
    projections: PROJECTIONS,
    derived: [DERIVED_HISTORY],
    sealer: room.house.writer.sealer,
  });

/** What the check says of tables that a statement changed; the change is taken back. */
async function differencesAfter(statement: string): Promise<string[]> {
  await superuser.query('BEGIN');
  try {
    await superuser.query(statement);
    // In the same transaction: the check's own BEGIN and ROLLBACK are left out.
    const inside = {
      query: (text: string, values?: unknown[]) =>
        /^(BEGIN|SET LOCAL|ROLLBACK)/.test(text)
          ? Promise.resolve({ rows: [], rowCount: 0 })
          : superuser.query(text, values),
    };
    const report = await checkRebuild(inside as never, tenant.tenantId, {
      ...{ projections: [], sealer: null },
      derived: [DERIVED_HISTORY],
    });
    return report.differences.map(({ table, key, member }) => `${table} ${key} ${member}`);
  } finally {
    await superuser.query('ROLLBACK');
  }
}

describe('rebuild --check of a history', () => {
  // Each case changes the tables and is taken back.
  beforeEach(async () => {
    await superuser.query('SET session_replication_role = replica');
  });

  it('finds the same tree, nodes, runs and signed heads', async () => {
    const report = await check();
    expect(report.differences).toEqual([]);
    // One tree, one node of 256 leaves, one run, and what was signed.
    expect(report.rowCount).toBeGreaterThanOrEqual(3 + signed.length);
  });

  it.each([
    [
      `UPDATE ledger_trees SET peaks = decode(repeat('cd', octet_length(peaks)), 'hex') WHERE tenant_id = $T`,
      ['ledger_trees $T peaks'],
    ],
    [
      `DELETE FROM ledger_trees WHERE tenant_id = $T`,
      ['tree_nodes [8,0] row', 'tree_runs [0] row', EVERY_HEAD],
    ],
    [
      `UPDATE ledger_trees SET last_link = repeat('ab', 32) WHERE tenant_id = $T`,
      ['ledger_trees $T last_link'],
    ],
    [
      `UPDATE ledger_trees SET next_seq = next_seq + 2 WHERE tenant_id = $T`,
      [
        'ledger_trees $T size',
        'ledger_trees $T last_seq',
        'ledger_trees $T last_link',
        'ledger_trees $T peaks',
      ],
    ],
    [
      `UPDATE tree_nodes SET hash = decode(repeat('ab', 32), 'hex') WHERE tenant_id = $T`,
      ['tree_nodes [8,0] hash'],
    ],
    [`DELETE FROM tree_nodes WHERE tenant_id = $T`, ['tree_nodes [8,0] row']],
    [
      `INSERT INTO tree_nodes VALUES ($T, 8, 1, decode(repeat('ab', 32), 'hex'))`,
      ['tree_nodes [8,1] row'],
    ],
    [`UPDATE tree_runs SET first_seq = 1 WHERE tenant_id = $T`, ['tree_runs [0] first_seq']],
    [`DELETE FROM tree_runs WHERE tenant_id = $T`, ['tree_runs [0] row']],
    [`INSERT INTO tree_runs VALUES ($T, 7, 9)`, ['tree_runs [7] row']],
    [
      `UPDATE ledger_checkpoints SET root = decode(repeat('ab', 32), 'hex') WHERE tenant_id = $T AND size = $FIRST`,
      ['ledger_checkpoints [$FIRST] root'],
    ],
    [
      `UPDATE ledger_checkpoints SET note_text = note_text || 'x' WHERE tenant_id = $T AND size = $FIRST`,
      ['ledger_checkpoints [$FIRST] note_text'],
    ],
    [
      `UPDATE ledger_checkpoints SET seq = seq - 1, link = repeat('ab', 32) WHERE tenant_id = $T AND size = $FIRST`,
      ['ledger_checkpoints [$FIRST] seq', 'ledger_checkpoints [$FIRST] link'],
    ],
    [
      `UPDATE ledger_checkpoints SET size = 100000 WHERE tenant_id = $T AND size = $FIRST`,
      ['ledger_checkpoints [100000] row'],
    ],
  ] as const)('%s', async (statement, expected) => {
    const filled = (text: string) =>
      text.replaceAll('$FIRST', String(signed[0])).replaceAll('$T', tenant.tenantId);
    const told = await differencesAfter(filled(statement.replaceAll('$T', `'${tenant.tenantId}'`)));
    expect(told.toSorted()).toEqual(expected.flatMap(each).map(filled).toSorted());
  });

  it('tells an entry that is gone before the roots that no longer follow', async () => {
    const told = await differencesAfter(
      `DELETE FROM entries WHERE tenant_id = '${tenant.tenantId}' AND seq = 1`,
    );
    expect(told[0]).toBe('entries 2 sequence_gap');
    expect(told).toContain(`ledger_checkpoints [${String(signed[0])}] root`);
  });
});
