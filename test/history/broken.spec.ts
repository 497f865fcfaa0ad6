import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DERIVED_HISTORY } from '../../src/base/history/index.js';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { problemOf, type TestTenant, valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, sealedTenant, write } from './house.js';
import { checkHistory } from './whole-history.js';
import { startWitness } from './witness.js';

let database: TestDatabase;
let room: HistoryHouse;
let superuser: pg.Client;
let tenant: TestTenant;

beforeAll(async () => {
  database = await freshDatabase();
  room = historyHouse({ database });
  const url = new URL(database.connectionString);
  url.username = SUPERUSER;
  superuser = new pg.Client({ connectionString: url.toString() });
  await superuser.connect();
  await superuser.query('SET session_replication_role = replica');
});
afterAll(() => superuser.end());

beforeEach(async () => {
  tenant = await sealedTenant(room.house);
  await write(room.house, tenant, 4);
  valueOf(await room.checkpoints.make(tenant.tenantId));
  await write(room.house, tenant, 4);
});

/** As a superuser who switches every trigger and foreign key off. */
const tamper = (statement: string) =>
  superuser.query(statement.replaceAll('$T', `'${tenant.tenantId}'`));

const OTHER = `repeat('ab', 32)`;
const OTHER_BYTES = `decode(${OTHER}, 'hex')`;

/** What somebody changed who may, and what of it is found before the next signature. */
const CASES: readonly {
  readonly what: string;
  readonly statement: string;
  readonly breaks: string;
}[] = [
  {
    what: 'a link under the newest checkpoint',
    statement: `UPDATE entries SET link = ${OTHER} WHERE tenant_id = $T AND seq = 2`,
    breaks: 'tree_is_whole',
  },
  {
    what: 'the link that the next entry has to name',
    statement: `UPDATE entries SET prev = ${OTHER} WHERE tenant_id = $T AND seq = (SELECT last_seq + 1 FROM ledger_trees WHERE tenant_id = $T)`,
    breaks: 'chain_continues',
  },
  {
    what: 'an entry that is gone before it was read',
    statement: `DELETE FROM entries WHERE tenant_id = $T AND seq = (SELECT last_seq + 1 FROM ledger_trees WHERE tenant_id = $T)`,
    breaks: 'chain_continues',
  },
  {
    what: 'the peaks of the tree',
    statement: `UPDATE ledger_trees SET peaks = substr(peaks, 1, 0) || decode(repeat('cd', octet_length(peaks)), 'hex') WHERE tenant_id = $T`,
    breaks: 'tree_is_whole',
  },
  {
    what: 'the root that was signed',
    statement: `UPDATE ledger_checkpoints SET root = ${OTHER_BYTES} WHERE tenant_id = $T`,
    breaks: 'tree_extends_checkpoint',
  },
  {
    what: 'a checkpoint of a larger tree than there is',
    statement: `UPDATE ledger_checkpoints SET size = 1000 WHERE tenant_id = $T`,
    breaks: 'tree_extends_checkpoint',
  },
];

const readinessOf = async (of: HistoryHouse) =>
  of.checks.find(({ name }) => name === 'history')?.check();
const readiness = () => readinessOf(room);

describe('an own invariant that is broken', () => {
  it.each(CASES)('$what: $breaks; nothing is signed', async ({ statement, breaks }) => {
    await tamper(statement);
    const refused = problemOf(await room.checkpoints.make(tenant.tenantId));
    expect(refused.code).toBe('unavailable');
    expect(refused.detail).toContain(breaks);
    expect(problemOf(await room.witnessing.round(tenant.tenantId)).code).toBe('unavailable');
    expect(await room.witnessing.standing(tenant.tenantId)).toMatchObject({
      brokenInvariant: breaks,
      alarms: [{ invariant: breaks, witnessName: null }],
    });
    expect(await readiness()).toMatchObject({ healthy: false });
    expect(JSON.stringify(await readiness())).toContain(breaks);
    expect(room.log.filter(({ details }) => details['tenant_id'] === tenant.tenantId)).toHaveLength(
      1,
    );
    const { rows } = await room.pool.query(
      'SELECT 1 FROM ledger_checkpoints WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(1);
    // Commerce goes on: the writer knows nothing of it.
    await write(room.house, tenant, 1);
    // What is found by signing, the check that builds everything again finds too, and names the place.
    const { differences } = await checkRebuild(superuser, tenant.tenantId, {
      ...{ projections: [], sealer: null },
      derived: [DERIVED_HISTORY],
    });
    expect(differences.length).toBeGreaterThan(0);
  });

  it('is over when it was restored: then it is signed again', async () => {
    await tamper(
      `UPDATE ledger_trees SET peaks = decode(repeat('00', octet_length(peaks)), 'hex') WHERE tenant_id = $T`,
    );
    const { rows } = await room.pool.query('SELECT peaks FROM ledger_trees WHERE tenant_id = $1', [
      tenant.tenantId,
    ]);
    expect(rows).toHaveLength(1);
    problemOf(await room.checkpoints.make(tenant.tenantId));
    // The tree is derived: without it, it is built again.
    await tamper('DELETE FROM ledger_trees WHERE tenant_id = $T');
    await tamper('DELETE FROM tree_nodes WHERE tenant_id = $T');
    await tamper('DELETE FROM tree_runs WHERE tenant_id = $T');
    const made = valueOf(await room.checkpoints.make(tenant.tenantId));
    expect(made?.size).toBeGreaterThan(5);
    const standing = await room.witnessing.standing(tenant.tenantId);
    expect(standing).toMatchObject({ brokenInvariant: null, alarms: [{}] });
    await checkHistory(room, tenant.tenantId);
  });

  it('readiness says when each was last verified and over how many entries, or that none was', async () => {
    const never =
      /^(?:\w+ is broken: ledgers \d+; )*chain_continues: not verified [^;]*; tree_is_whole: not verified [^;]*; tree_extends_checkpoint: not verified since this process started$/;
    const fresh = await freshDatabase();
    const one = historyHouse({ database: fresh });
    expect(await readinessOf(one)).toEqual({ healthy: true, detail: expect.stringMatching(never) });
    const own = await sealedTenant(one.house);
    await write(one.house, own, 3);
    const first = valueOf(await one.checkpoints.make(own.tenantId))?.size ?? 0;
    const firstAt = new Date(one.house.clock.nowMs).toISOString();
    const since = 'since this process started';
    const extending = (text: string) => `tree_extends_checkpoint: ${text}`;
    expect((await readinessOf(one))?.detail).toMatch(
      new RegExp(
        `^chain_continues: last verified ${firstAt} over \\d+ entries, ${first} ${since}; ` +
          `tree_is_whole: last verified ${firstAt} over ${first} entries, ${first} ${since}; ` +
          `${extending('not verified')} ${since}$`,
      ),
    );
    one.house.clock.nowMs += 60_000;
    const secondAt = new Date(one.house.clock.nowMs).toISOString();
    await write(one.house, own, 2);
    valueOf(await one.checkpoints.make(own.tenantId));
    const second = first + 2;
    expect(await readinessOf(one)).toEqual({
      healthy: true,
      detail: [
        `chain_continues: last verified ${secondAt} over 2 entries, ${second} ${since}`,
        `tree_is_whole: last verified ${secondAt} over ${second} entries, ${first + second} ${since}`,
        extending(`last verified ${secondAt} over ${second} entries, ${second} ${since}`),
      ].join('; '),
    });
    // What was not looked at again is not told as looked at: nothing was written, so no link was read.
    one.house.clock.nowMs += 60_000;
    valueOf(await one.checkpoints.make(own.tenantId));
    expect((await readinessOf(one))?.detail).toContain(
      `chain_continues: last verified ${secondAt}`,
    );
    expect(JSON.stringify(await readinessOf(one))).not.toContain(own.tenantId);
    // A process that looked at nothing says so, whatever another one did.
    expect((await readinessOf(historyHouse({ database: fresh })))?.detail).toMatch(never);
  });

  it('keeps a witness from being asked with a proof that does not hold', async () => {
    const witness = await startWitness();
    room.sources.register({
      name: witness.name,
      isSelf: false,
      witness: () =>
        Promise.resolve({ ok: true, value: { url: witness.url, vkeys: [witness.key.text] } }),
      registerLog: () => Promise.resolve({ ok: true, value: null }),
    });
    await tamper(`UPDATE entries SET link = ${OTHER} WHERE tenant_id = $T AND seq = 2`);
    problemOf(await room.witnessing.round(tenant.tenantId));
    expect(witness.told).toEqual([]);
  });
});
