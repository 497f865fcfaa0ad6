import pg from 'pg';
import { inject } from 'vitest';
import { beforeEach, describe, expect, it } from 'vitest';
import { witnessCheck } from '../../src/base/history/alarms.js';
import { RoundWork } from '../../src/base/history/witnesses/round-work.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { problemOf, testHouse, type TestTenant, valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, sealedTenant, write } from './house.js';
import { checkHistory } from './whole-history.js';
import { startWitness, type TestWitness } from './witness.js';
import { policyOf, trusts } from './witnessed.js';

/** A database that was restored from an older copy, while witnesses remember what came after it. */

/** A new database with everything that stands in `from` now. */
async function copyOf(from: TestDatabase): Promise<TestDatabase> {
  const copy = await freshDatabase();
  const nameOf = ({ connectionString }: TestDatabase) =>
    new URL(connectionString).pathname.slice(1);
  const maintenance = new pg.Client({ connectionString: inject('maintenanceUrl') });
  await maintenance.connect();
  try {
    await maintenance.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1',
      [nameOf(from)],
    );
    await maintenance.query(`DROP DATABASE ${nameOf(copy)} WITH (FORCE)`);
    await maintenance.query(`CREATE DATABASE ${nameOf(copy)} TEMPLATE ${nameOf(from)}`);
  } finally {
    await maintenance.end();
  }
  return copy;
}

const processOn = (database: TestDatabase, witnesses: readonly TestWitness[]): HistoryHouse =>
  historyHouse({
    ...{ database, policy: policyOf(witnesses, 1) },
    house: testHouse({ database, quiet: true }),
  });

interface Restored {
  readonly witnesses: readonly [TestWitness, TestWitness];
  readonly tenant: TestTenant;
  /** Of the newest checkpoint in the copy. */
  readonly size: number;
  readonly origin: string;
  /** A new process on the copy, where two other entries were written. */
  readonly room: HistoryHouse;
}

let restored: Restored;
/** The copy was made after the first round; `cosignedSince` entries were written and cosigned after it. */
async function restore(cosignedSince: number, isOn = true): Promise<Restored> {
  const database = await freshDatabase();
  const witnesses = [await startWitness(), await startWitness()] as const;
  const before = processOn(database, witnesses);
  const tenant = await sealedTenant(before.house);
  await write(before.house, tenant, 3);
  for (const witness of witnesses) await trusts(witness, before, tenant);
  if (isOn) valueOf(await before.witnessing.switch(tenant.context(), true));
  const { checkpoint } = valueOf(await before.witnessing.round(tenant.tenantId));
  const copy = await copyOf(database);
  if (cosignedSince > 0) {
    const lost = processOn(database, witnesses);
    await write(lost.house, tenant, cosignedSince);
    valueOf(await lost.witnessing.round(tenant.tenantId));
  }
  for (const witness of witnesses) witness.told.length = 0;
  const room = processOn(copy, witnesses);
  await write(room.house, tenant, 2);
  const origin = (await room.checkpoints.originOf(tenant.tenantId)) ?? '';
  return { witnesses, tenant, size: checkpoint?.size ?? 0, origin, room };
}

const storedSizes = async ({ room, tenant }: Restored): Promise<readonly number[]> => {
  const { rows } = await room.pool.query<{ size: string }>(
    'SELECT size FROM ledger_checkpoints WHERE tenant_id = $1 ORDER BY size',
    [tenant.tenantId],
  );
  return rows.map(({ size }) => Number(size));
};

const REFUSED = { code: 'unavailable', detail: expect.stringContaining('later history') as string };

describe('a ledger of which the witnesses hold more than the database', () => {
  beforeEach(async () => {
    restored = await restore(3);
  });

  it('is not signed for: shown the newest stored checkpoint, they say so first', async () => {
    const { witnesses, tenant, size, room } = restored;
    expect(problemOf(await room.checkpoints.make(tenant.tenantId))).toMatchObject(REFUSED);
    expect(await storedSizes(restored)).toEqual([size]);
    for (const { told } of witnesses) expect(told).toEqual([`${size} -> ${size} = 409`]);
    const standing = await room.witnessing.standing(tenant.tenantId);
    const invariant = 'ledger_is_newest';
    expect(standing.brokenInvariant).toBeNull();
    expect(standing.alarms.map((alarm) => alarm.invariant)).toEqual([invariant, invariant]);
    expect(standing.witnesses.map(({ disagreement }) => disagreement)).toEqual([
      invariant,
      invariant,
    ]);
    expect(room.log).toHaveLength(2);
    expect(await witnessCheck(room.pool).check()).toEqual({
      healthy: false,
      detail: `${invariant} is broken: ledgers 1`,
    });
    expect(await room.checks.find(({ name }) => name === 'history')?.check()).toMatchObject({
      healthy: true,
    });
    // Commerce goes on.
    await write(room.house, tenant, 1);
    expect(problemOf(await room.witnessing.round(tenant.tenantId))).toMatchObject(REFUSED);
    expect(await storedSizes(restored)).toEqual([size]);
  });

  it('is asked about again once an interval, and signed for when nobody holds more', async () => {
    const { witnesses, tenant, size, origin, room } = restored;
    const [first, second] = witnesses;
    const make = () => room.checkpoints.make(tenant.tenantId);
    const work = new RoundWork({
      ...{ pool: room.pool, witnessing: room.witnessing, intervalMs: 60_000 },
      log: { error: (message, details) => void room.log.push({ message, details }) },
      nowMs: () => room.house.clock.nowMs,
    });
    expect(await work.sweepDue({ tenantId: null, limit: 10 })).toBe(1);
    await work.idle();
    expect(room.log.at(-1)?.message).toBe('No round with the witnesses');
    for (let times = 0; times < 3; times += 1) problemOf(await make());
    room.house.clock.nowMs += 59_999;
    problemOf(await make());
    expect([first.told.length, second.told.length]).toEqual([1, 1]);
    room.house.clock.nowMs += 1;
    // One of them still holds more.
    const kept = {
      size,
      root: Buffer.from((await room.checkpoints.newest(tenant.tenantId))?.rootHex ?? '', 'hex'),
    };
    first.logs.set(origin, kept);
    expect(problemOf(await make())).toMatchObject(REFUSED);
    expect([first.told.length, second.told.length]).toEqual([2, 2]);
    room.house.clock.nowMs += 60_000;
    second.logs.set(origin, kept);
    expect(valueOf(await make())?.size).toBe(size + 2);
    for (const { told } of witnesses) expect(told.at(-1)).toBe(`${size} -> ${size} = 200`);
    await checkHistory(
      room,
      tenant.tenantId,
      witnesses.map(({ key }) => key),
    );
  });

  it('is asked about once by all who want a checkpoint at the same time', async () => {
    const { witnesses, tenant, room } = restored;
    const made = await Promise.all(
      Array.from({ length: 6 }, () => room.checkpoints.make(tenant.tenantId)),
    );
    for (const one of made) expect(problemOf(one)).toMatchObject(REFUSED);
    for (const { told } of witnesses) expect(told).toHaveLength(1);
  });

  it('is not signed for while one says so and the other is away', async () => {
    const { witnesses, tenant, room } = restored;
    witnesses[0].misbehave = () => ({ status: 0, cut: true });
    expect(problemOf(await room.checkpoints.make(tenant.tenantId))).toMatchObject(REFUSED);
  });

  it('is signed for when no witness answers: an outage holds nothing up, and the log says it', async () => {
    const { witnesses, tenant, size, room } = restored;
    const [first, second] = witnesses;
    first.misbehave = () => ({ status: 0, cut: true });
    second.misbehave = () => ({ status: 0, silent: true });
    expect(valueOf(await room.checkpoints.make(tenant.tenantId))?.size).toBe(size + 2);
    expect(room.log).toMatchObject([
      { message: expect.stringContaining('no witness said') as string, details: { size } },
    ]);
    // That was the answer for this process.
    await write(room.house, tenant, 1);
    valueOf(await room.checkpoints.make(tenant.tenantId));
    for (const { told } of witnesses) expect(told).toHaveLength(1);
  });

  it('is signed for without asking while witnessing is off', async () => {
    const { witnesses, tenant, room } = restored;
    valueOf(await room.witnessing.switch(tenant.context(), false));
    expect(valueOf(await room.checkpoints.make(tenant.tenantId))).not.toBeNull();
    for (const { told } of witnesses) expect(told).toEqual([]);
    valueOf(await room.witnessing.switch(tenant.context(), true));
    expect(problemOf(await room.checkpoints.make(tenant.tenantId))).toMatchObject(REFUSED);
  });
});

describe('a ledger of which the witnesses hold as much as the database', () => {
  beforeEach(async () => {
    restored = await restore(0);
  });

  it('is signed for as soon as one said so; asked once in the life of a process', async () => {
    const { witnesses, tenant, size, room } = restored;
    witnesses[1].misbehave = () => ({ status: 503 });
    expect(valueOf(await room.checkpoints.make(tenant.tenantId))?.size).toBe(size + 2);
    expect(witnesses[0].told).toEqual([`${size} -> ${size} = 200`]);
    expect(room.log).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      await write(room.house, tenant, 1);
      valueOf(await room.checkpoints.make(tenant.tenantId));
    }
    expect(witnesses[0].told).toHaveLength(1);
    await checkHistory(
      room,
      tenant.tenantId,
      witnesses.map(({ key }) => key),
    );
  });

  it('needs no asking where nothing is signed: the newest stored one is of the whole ledger', async () => {
    const { witnesses, tenant, room } = restored;
    valueOf(await room.checkpoints.make(tenant.tenantId));
    for (const { told } of witnesses) told.length = 0;
    const { stored } = { stored: await room.checkpoints.newest(tenant.tenantId) };
    const next = historyHouse({
      house: room.house,
      pool: room.pool,
      policy: policyOf(witnesses, 1),
    });
    expect(valueOf(await next.checkpoints.make(tenant.tenantId))?.size).toBe(stored?.size);
    for (const { told } of witnesses) expect(told).toEqual([]);
  });

  it.each<[string, TestWitness['misbehave']]>([
    ['422', null],
    [
      '409, as the newest document asks',
      ({ size }) => ({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` }),
    ],
  ])(
    'is not signed for when one holds another root of that size (%s)',
    async (_name, misbehave) => {
      const { witnesses, tenant, size, origin, room } = restored;
      witnesses[0].logs.set(origin, { size, root: Buffer.alloc(32, 7) });
      witnesses[0].misbehave = misbehave;
      expect(problemOf(await room.checkpoints.make(tenant.tenantId))).toMatchObject(REFUSED);
      expect(await storedSizes(restored)).toEqual([size]);
      expect((await room.witnessing.standing(tenant.tenantId)).alarms).toMatchObject([
        { invariant: 'witness_accepts_extension', witnessName: witnesses[0].name },
      ]);
    },
  );

  it('is signed for when one holds less, or forgot it: it cosigns what stands first', async () => {
    const { witnesses, tenant, size, origin, room } = restored;
    witnesses[0].logs.delete(origin);
    expect(valueOf(await room.checkpoints.make(tenant.tenantId))?.size).toBe(size + 2);
    expect(witnesses[0].told).toEqual([`${size} -> ${size} = 409`, `0 -> ${size} = 200`]);
    await checkHistory(
      room,
      tenant.tenantId,
      witnesses.map(({ key }) => key),
    );
  });

  it('is signed for when one refuses a proof from below: it holds nothing later', async () => {
    const { witnesses, tenant, size, origin, room } = restored;
    witnesses[0].logs.set(origin, { size: 1, root: Buffer.alloc(32, 7) });
    expect(valueOf(await room.checkpoints.make(tenant.tenantId))?.size).toBe(size + 2);
    expect(witnesses[0].told).toEqual([`${size} -> ${size} = 409`, `1 -> ${size} = 422`]);
  });
});
