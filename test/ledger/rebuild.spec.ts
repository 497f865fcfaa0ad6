import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import {
  checkRebuild,
  type LedgerWriter,
  moveClock,
  Sealer,
  switchSealing,
} from '../../src/base/ledger/index.js';
import type { TestDatabase } from '../support/database.js';
import {
  add,
  contextOf,
  newTenant,
  opening,
  TOY_PROJECTIONS,
  toyDatabase,
  toyWriter,
} from './toy.js';

let database: TestDatabase;
let writer: LedgerWriter;
let connection: pg.Client;
let superuser: pg.Client;
let tenantId: `tnt_${string}`;

beforeAll(async () => {
  database = await toyDatabase();
  ({ writer } = toyWriter(database.connectionString));
  connection = new pg.Client({ connectionString: database.connectionString });
  const url = new URL(database.connectionString);
  url.username = SUPERUSER;
  superuser = new pg.Client({ connectionString: url.toString() });
  await Promise.all([connection.connect(), superuser.connect()]);
});
afterAll(() => Promise.all([writer.close(), connection.end(), superuser.end()]));

beforeEach(async () => {
  tenantId = newTenant();
  await writer.open(opening(tenantId, { idSeed: 'seed', testClockAtMs: 1_000 }));
  await writer.execute(add(tenantId, { receipt: 'r1', amount: 5 }));
  await writer.execute(switchSealing(contextOf(tenantId), 'k1'));
  await writer.execute(add(tenantId, { receipt: 'r2', amount: 6, counter: '{"odd", \\ "é₹"}' }));
  await writer.execute(moveClock(contextOf(tenantId), 9_000));
  await writer.execute(add(tenantId, { receipt: 'r3', amount: 7 }));
});

const check = (scope: `tnt_${string}` | 'all' = tenantId) =>
  checkRebuild(connection, scope, { projections: TOY_PROJECTIONS, sealer: writer.sealer });

/** As a superuser who switches every trigger and foreign key off. */
async function tamper(statement: string): Promise<void> {
  await superuser.query('SET session_replication_role = replica');
  await superuser.query(statement.replaceAll('$T', `'${tenantId}'`));
}

const found = async () =>
  (await check()).differences.map(({ table, key, member }) => `${table} ${key} ${member}`);

describe('rebuild --check', () => {
  it('finds the same tables after honest work, and counts what it read', async () => {
    expect(await check()).toEqual({
      tenantCount: 1,
      entryCount: 6,
      rowCount: 6,
      differenceCount: 0,
      differences: [],
    });
  });

  it('reads every tenant, page after page', async () => {
    const { writer: other } = toyWriter(database.connectionString);
    await Promise.all(Array.from({ length: 1_100 }, () => other.execute(add(tenantId))));
    await other.close();
    const report = await check();
    expect(report).toMatchObject({ entryCount: 1_106, differenceCount: 0 });
    expect(report.rowCount).toBe(1_106);
  });

  it.each([
    [
      `UPDATE toy_counters SET value = 12 WHERE tenant_id = $T AND counter = 'c' AND value = 12`,
      [],
    ],
    [
      `UPDATE toy_counters SET value = 13 WHERE tenant_id = $T AND counter = 'c'`,
      ['toy_counters ["c"] value'],
    ],
    [
      `UPDATE toy_counters SET entry_seq = 1 WHERE tenant_id = $T AND counter = 'c'`,
      ['toy_counters ["c"] entry_seq', 'toy_counters ["c"] tx_id'],
    ],
    [
      `UPDATE toy_counters SET tx_id = '1' WHERE tenant_id = $T AND counter = 'c'`,
      ['toy_counters ["c"] tx_id'],
    ],
    [
      `UPDATE toy_receipts SET counter = 'd' WHERE tenant_id = $T AND receipt = 'r1'`,
      ['toy_receipts ["r1"] counter'],
    ],
    [
      `UPDATE toy_receipts SET receipt = 'rx' WHERE tenant_id = $T AND receipt = 'r1'`,
      ['toy_receipts ["rx"] row', 'toy_receipts ["r1"] row'],
    ],
    [
      `DELETE FROM toy_receipts WHERE tenant_id = $T AND receipt = 'r2'`,
      ['toy_receipts ["r2"] row'],
    ],
    [`INSERT INTO toy_totals VALUES ($T, 'forged', 1, 0, '1')`, ['toy_totals ["forged"] row']],
    [`UPDATE heads SET test_clock_at_ms = 9001 WHERE tenant_id = $T`, [`heads $T testClockAtMs`]],
    [
      `UPDATE heads SET sealing_kid = NULL, sealing_since_seq = NULL WHERE tenant_id = $T`,
      ['heads $T sealingKid', 'heads $T sealingSinceSeq'],
    ],
    [`UPDATE heads SET last_link = repeat('0', 64) WHERE tenant_id = $T`, ['heads $T lastLink']],
    [`UPDATE heads SET id_seed = 'other' WHERE tenant_id = $T`, ['heads $T idSeed']],
    [`DELETE FROM heads WHERE tenant_id = $T`, ['heads $T row']],
    [
      `UPDATE entries SET body = replace(body, '"amount":6', '"amount":7') WHERE tenant_id = $T AND seq = 3`,
      [
        'entries 3 link_hash',
        'toy_counters ["{\\"odd\\", \\\\ \\"é₹\\"}"] value',
        'toy_receipts ["r2"] amount',
        'toy_totals ["all"] value',
      ],
    ],
    [
      `UPDATE entries SET body = replace(body, '"amount":5', '"amount":50') WHERE tenant_id = $T AND seq = 1`,
      ['toy_counters ["c"] value', 'toy_receipts ["r1"] amount', 'toy_totals ["all"] value'],
    ],
    [
      `UPDATE entries SET mac = repeat('0', 64) WHERE tenant_id = $T AND seq = 3`,
      ['entries 3 link_hash'],
    ],
    [
      `UPDATE entries SET kid = NULL, prev = NULL, mac = NULL, link = NULL WHERE tenant_id = $T AND seq = 5`,
      ['entries 5 previous_link', 'heads $T lastLink'],
    ],
    [`UPDATE entries SET at_ms = 1 WHERE tenant_id = $T AND seq = 1`, ['entries 1 body']],
    [`UPDATE entries SET type = 'toy.other' WHERE tenant_id = $T AND seq = 1`, ['entries 1 body']],
    [
      `UPDATE entries SET body = 'no json' WHERE tenant_id = $T AND seq = 1`,
      ['entries 1 body', 'entries 1 canonical_form'],
    ],
    [
      `DELETE FROM entries WHERE tenant_id = $T AND seq = 3`,
      [
        'entries 4 sequence_gap',
        'toy_counters ["{\\"odd\\", \\\\ \\"é₹\\"}"] row',
        'toy_receipts ["r2"] row',
        'toy_totals ["all"] value',
      ],
    ],
    [
      `DELETE FROM entries WHERE tenant_id = $T AND seq = 5`,
      [
        'heads $T lastSeq',
        'heads $T lastAtMs',
        'heads $T lastLink',
        'toy_counters ["c"] value',
        'toy_counters ["c"] additions',
        'toy_counters ["c"] entry_seq',
        'toy_counters ["c"] tx_id',
        'toy_receipts ["r3"] row',
        'toy_totals ["all"] value',
        'toy_totals ["all"] entry_seq',
        'toy_totals ["all"] tx_id',
      ],
    ],
  ])('%s', async (statement, expected) => {
    await tamper(statement);
    expect((await found()).sort()).toEqual(
      expected.map((line) => line.replace('$T', tenantId)).sort(),
    );
  });

  it('a chain sealed under another master secret is found by its macs', async () => {
    const report = await checkRebuild(connection, tenantId, {
      projections: TOY_PROJECTIONS,
      sealer: new Sealer(new Uint8Array(32)),
    });
    expect(report.differences).toMatchObject([{ table: 'entries', key: '2', member: 'signature' }]);
  });

  it('rows of a tenant that does not exist are found', async () => {
    await tamper(`INSERT INTO toy_totals VALUES ('tnt_nowhere', 'forged', 1, 0, '1')`);
    const report = await check('all');
    expect(report.differences).toContainEqual(
      expect.objectContaining({ tenantId: 'tnt_nowhere', table: 'toy_totals', member: 'row' }),
    );
  });

  it('writers go on while it reads one snapshot', async () => {
    const writing = Array.from({ length: 200 }, () => writer.execute(add(tenantId)));
    expect((await check()).differenceCount).toBe(0);
    await Promise.all(writing);
    expect((await check()).differenceCount).toBe(0);
  });
});
