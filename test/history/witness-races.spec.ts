import { beforeEach, describe, expect, it } from 'vitest';
import { RoundWork } from '../../src/base/history/witnesses/round-work.js';
import { parsePolicy, parseVkey } from '../../src/core/chain/index.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { testHouse, type TestTenant, valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, sealedTenant, write } from './house.js';
import { checkHistory } from './whole-history.js';
import { startWitness, type TestWitness } from './witness.js';

/** Of its own for each test: a sweep is for the ledgers of a whole database. */
let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});

const policyOf = ({ key, url }: TestWitness) => {
  const policy = parsePolicy(`witness w ${key.text} ${url}\nquorum w\n`);
  if (!policy.ok) throw new Error(policy.error);
  return policy.value;
};

async function trusts(witness: TestWitness, room: HistoryHouse, tenant: TestTenant): Promise<void> {
  const key = parseVkey(valueOf(await room.checkpoints.logKey(tenant.tenantId)));
  if (!key.ok) throw new Error(key.error);
  witness.trusted.set((await room.checkpoints.originOf(tenant.tenantId)) ?? '', [key.value]);
}

/** As many processes as asked for, on one ledger that witnessing is on for. */
async function processes(count: number) {
  const witness = await startWitness();
  const policy = policyOf(witness);
  const rooms = Array.from({ length: count }, () =>
    historyHouse({ database, policy, house: testHouse({ database }) }),
  );
  const [room] = rooms;
  if (room === undefined) throw new Error('one at least');
  const tenant = await sealedTenant(room.house);
  await trusts(witness, room, tenant);
  valueOf(await room.witnessing.switch(tenant.context(), true));
  return { witness, rooms, room, tenant };
}

describe('rounds of several processes', () => {
  it('at once end with everything cosigned and nothing but one history', async () => {
    const { witness, rooms, room, tenant } = await processes(3);
    for (let times = 0; times < 6; times += 1) {
      const rounds = await Promise.all([
        write(room.house, tenant, 5).then(() => null),
        ...rooms.map(({ witnessing }) => witnessing.round(tenant.tenantId)),
        ...rooms.map(({ witnessing }) => witnessing.round(tenant.tenantId)),
      ]);
      for (const round of rounds) {
        const outcomes =
          round?.ok === true ? round.value.witnesses.map(({ outcome }) => outcome) : [];
        expect(outcomes).not.toContain('disagrees');
      }
    }
    const last = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(last.checkpoint).toMatchObject({ quorum: true, cosigners: [witness.name] });
    expect(await room.witnessing.standing(tenant.tenantId)).toMatchObject({
      alarms: [],
      brokenInvariant: null,
      witnesses: [{ disagreement: null, failing: null }],
    });
    expect(witness.told.some((line) => line.endsWith('422'))).toBe(false);
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('one that is overtaken asks for the newer checkpoint instead of raising an alarm', async () => {
    const { witness, rooms, tenant } = await processes(2);
    const [slow, quick] = rooms;
    if (slow === undefined || quick === undefined) throw new Error('two');
    let isHeldUp = true;
    witness.misbehave = async ({ honest }) => {
      if (!isHeldUp) return honest();
      isHeldUp = false;
      // While the first request is on its way, another process makes a newer checkpoint and has it cosigned.
      await write(quick.house, tenant, 3);
      const newer = valueOf(await quick.witnessing.round(tenant.tenantId));
      expect(newer.witnesses[0]?.outcome).toBe('cosigned');
      return honest();
    };
    const round = valueOf(await slow.witnessing.round(tenant.tenantId));
    expect(round.witnesses[0]?.outcome).toBe('cosigned');
    // The quick one shows what stands before it signs, and then what it signed.
    expect(witness.told.map((line) => line.replace(/^\d+ -> \d+ = /, ''))).toEqual([
      '200',
      '200',
      '409',
      '200',
    ]);
    expect((await slow.witnessing.standing(tenant.tenantId)).alarms).toEqual([]);
    await checkHistory(slow, tenant.tenantId, [witness.key]);
  });
});

describe('rounds that are due', () => {
  const workOf = (room: HistoryHouse) =>
    new RoundWork({
      pool: room.pool,
      witnessing: room.witnessing,
      intervalMs: 60_000,
      log: { error: (message, details) => void room.log.push({ message, details }) },
      nowMs: () => room.house.clock.nowMs,
    });
  const all = { tenantId: null, limit: 100 };
  const sizeTold = (line: string): string => / -> (\d+) = /.exec(line)?.[1] ?? '';
  async function swept(work: RoundWork): Promise<number> {
    const count = await work.sweepDue(all);
    await work.idle();
    return count;
  }

  it('are made once an interval, by one of the processes, while there is something to cosign', async () => {
    const { witness, rooms, room, tenant } = await processes(3);
    const works = rooms.map(workOf);
    const together = async () =>
      (await Promise.all(works.map(swept))).reduce((sum, count) => sum + count, 0);
    const move = (ms: number) => {
      for (const { house } of rooms) house.clock.nowMs += ms;
      witness.clockAheadS += ms / 1000;
    };
    // A process that signs for the first time shows what stands before, which the witness has.
    const grownCount = () =>
      new Set(witness.told.filter((line) => line.endsWith('= 200')).map(sizeTold)).size;
    expect(await together()).toBe(1);
    expect(grownCount()).toBe(1);
    await write(room.house, tenant, 1);
    expect(await together()).toBe(0);
    move(60_000);
    expect(await together()).toBe(1);
    expect(grownCount()).toBe(2);
    // Nothing was written: nothing is due, however long.
    move(600_000);
    expect(await together()).toBe(0);
    await write(room.house, tenant, 1);
    expect(await together()).toBe(1);
    // Somebody else signed meanwhile: that one is due too.
    await write(room.house, tenant, 1);
    valueOf(await room.checkpoints.make(tenant.tenantId));
    move(60_000);
    expect(await together()).toBe(1);
    expect(grownCount()).toBe(4);
    expect(await room.checkpoints.newest(tenant.tenantId)).toMatchObject({ quorum: true });
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('wait for no witness, and are made again when it was away', async () => {
    const { witness, room, tenant } = await processes(1);
    const work = workOf(room);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    witness.misbehave = async () => {
      await held;
      return { status: 503 };
    };
    expect(await work.sweepDue(all)).toBeGreaterThanOrEqual(1);
    await write(room.house, tenant, 2);
    release();
    await work.idle();
    witness.misbehave = null;
    room.house.clock.nowMs += 60_000;
    await swept(work);
    expect(await room.checkpoints.newest(tenant.tenantId)).toMatchObject({ quorum: true });
  });

  it('are not lost to a clock that went back', async () => {
    const { witness, room, tenant } = await processes(1);
    const work = workOf(room);
    await swept(work);
    const told = witness.told.length;
    await write(room.house, tenant, 1);
    room.house.clock.nowMs -= 86_400_000;
    await swept(work);
    expect(witness.told.length).toBe(told + 1);
    // The witness's time lies a day ahead of ours, and is not believed; it is asked again when our clock is right.
    expect((await room.witnessing.standing(tenant.tenantId)).witnesses[0]?.failing?.reason).toMatch(
      /in the future/,
    );
    room.house.clock.nowMs += 86_400_000;
    await swept(work);
    expect(await room.checkpoints.newest(tenant.tenantId)).toMatchObject({ quorum: true });
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('are for ledgers that witnessing is on for, of sealed entries, and not for a moved test clock', async () => {
    const { witness, room, tenant } = await processes(1);
    const work = workOf(room);
    expect(await work.sweepDue({ tenantId: tenant.tenantId, limit: 100 })).toBe(0);
    valueOf(await room.witnessing.switch(tenant.context(), false));
    await swept(work);
    expect(witness.told).toEqual([]);
    valueOf(await room.witnessing.switch(tenant.context(), true));
    await work.stop();
    expect(await work.sweepDue(all)).toBe(0);
  });
});

describe('the switch', () => {
  it('is an entry each time it is turned, and none when it is so already', async () => {
    const room = historyHouse({ database });
    const tenant = await sealedTenant(room.house);
    expect(await room.witnessing.isOn(tenant.tenantId)).toBe(false);
    for (const on of [false, true, true, false, false])
      expect(await room.witnessing.switch(tenant.context(), on)).toEqual({
        ok: true,
        value: { on },
      });
    const { rows } = await room.pool.query<{ type: string }>(
      `SELECT type FROM entries WHERE tenant_id = $1 AND (type LIKE 'ledger.w%' OR type LIKE 'signing%') ORDER BY seq`,
      [tenant.tenantId],
    );
    // The key that signs checkpoints is made with the first switching on.
    expect(rows.map(({ type }) => type)).toEqual([
      'signing_key.created',
      'ledger.witnessing_switched',
      'ledger.witnessing_switched',
    ]);
    await checkHistory(room, tenant.tenantId);
  });
});
