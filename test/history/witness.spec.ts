import { beforeAll, describe, expect, it } from 'vitest';
import { witnessCheck } from '../../src/base/history/alarms.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, sealedTenant, write } from './house.js';
import { checkHistory } from './whole-history.js';
import { startWitness } from './witness.js';
import { cosignedOnce, forged, policyOf, trusts } from './witnessed.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});

describe('a witness', () => {
  it('cosigns what grows, told the size that it cosigned before', async () => {
    const { witness, room, tenant, first } = await cosignedOnce(database);
    await write(room.house, tenant, 2);
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    const size = first + 2;
    expect(round.checkpoint).toMatchObject({ size, cosigners: [witness.name], quorum: true });
    expect(
      round.checkpoint?.note.split('\n').filter((line) => line.startsWith('\u2014')),
    ).toHaveLength(2);
    expect(witness.told).toEqual([`0 -> ${first} = 200`, `${first} -> ${size} = 200`]);
    const again = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(again.witnesses).toEqual([{ name: witness.name, outcome: 'known', detail: null }]);
    expect(witness.told).toHaveLength(2);
    expect(await room.checkpoints.newestWitnessed(tenant.tenantId)).toEqual(round.checkpoint);
    expect(await room.checkpoints.newestWitnessed(tenant.tenantId, size + 1)).toBeNull();
    expect(
      (await room.checkpoints.listWitnessed(tenant.tenantId, 1_000, 10)).map((one) => one.size),
    ).toEqual([first, size]);
    expect(await room.checkpoints.listWitnessed(tenant.tenantId, 1_000, 1)).toEqual([
      round.checkpoint,
    ]);
    expect(await room.checkpoints.listWitnessed(tenant.tenantId, first - 1, 10)).toHaveLength(1);
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('that lost what it had, or holds an older tree, is given the proof from there', async () => {
    const { witness, room, tenant, first } = await cosignedOnce(database);
    const [[origin, held] = ['', { size: 0, root: Buffer.alloc(32) }]] = witness.logs;
    await write(room.house, tenant, 2);
    valueOf(await room.witnessing.round(tenant.tenantId));
    witness.logs.set(origin, held);
    await write(room.house, tenant, 2);
    const back = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(back.witnesses[0]?.outcome).toBe('cosigned');
    expect(witness.told.slice(2)).toEqual([
      `${first + 2} -> ${first + 4} = 409`,
      `${first} -> ${first + 4} = 200`,
    ]);
    witness.logs.delete(origin);
    await write(room.house, tenant, 1);
    const fresh = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(fresh.witnesses[0]?.outcome).toBe('cosigned');
    expect(witness.told.slice(4)).toEqual([
      `${first + 4} -> ${first + 5} = 409`,
      `0 -> ${first + 5} = 200`,
    ]);
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('that is one day told a size it does not hold, because a process died in between, catches up', async () => {
    const { witness, room, tenant, first } = await cosignedOnce(database);
    // It cosigned, and the answer was lost.
    witness.misbehave = ({ honest }) => ({ ...honest(), cut: true });
    await write(room.house, tenant, 1);
    expect(valueOf(await room.witnessing.round(tenant.tenantId)).witnesses[0]?.outcome).toBe(
      'away',
    );
    witness.misbehave = null;
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(round.witnesses[0]?.outcome).toBe('cosigned');
    expect(witness.told.slice(1)).toEqual([
      `${first} -> ${first + 1} = cut`,
      `${first} -> ${first + 1} = 409`,
      `${first + 1} -> ${first + 1} = 200`,
    ]);
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });
});

describe('a witness that disagrees', () => {
  const readiness = (room: HistoryHouse) => witnessCheck(room.pool);

  it('refuses a right proof: an alarm, a line of the log, a word in readiness, and nothing stops', async () => {
    const { witness, room, tenant, first } = await cosignedOnce(database);
    // It holds another tree of the same size: somebody showed it another history under our name.
    const [origin = ''] = witness.logs.keys();
    witness.logs.set(origin, { size: first, root: Buffer.alloc(32, 7) });
    await write(room.house, tenant, 2);
    for (let times = 0; times < 2; times += 1) {
      const round = valueOf(await room.witnessing.round(tenant.tenantId));
      expect(round.witnesses).toMatchObject([{ outcome: 'disagrees' }]);
    }
    const invariant = 'witness_accepts_extension';
    const standing = await room.witnessing.standing(tenant.tenantId);
    expect(standing).toMatchObject({
      brokenInvariant: null,
      alarms: [{ invariant, witnessName: witness.name }],
      witnesses: [{ disagreement: invariant }],
    });
    expect(room.log).toMatchObject([{ details: { invariant, witness: witness.name } }]);
    const said = readiness(room);
    expect(said.decidesReadiness).toBe(false);
    expect(await said.check()).toEqual({
      healthy: false,
      detail: `${invariant} is broken: ledgers 1`,
    });
    await write(room.house, tenant, 1);
    await checkHistory(room, tenant.tenantId, [witness.key]);
    // It was its own fault, and is mended: the alarm stays, the state does not.
    witness.logs.delete(origin);
    expect(valueOf(await room.witnessing.round(tenant.tenantId)).witnesses[0]?.outcome).toBe(
      'cosigned',
    );
    expect(await said.check()).toEqual({ healthy: true });
    expect(await room.witnessing.standing(tenant.tenantId)).toMatchObject({
      alarms: [{ invariant }],
      witnesses: [{ disagreement: null, failing: null }],
    });
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('holds another root of the very size that is sent', async () => {
    const { witness, room, tenant, first } = await cosignedOnce(database);
    await write(room.house, tenant, 2);
    const [origin = ''] = witness.logs.keys();
    witness.logs.set(origin, { size: first + 2, root: Buffer.alloc(32, 7) });
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(round.witnesses).toMatchObject([{ outcome: 'disagrees' }]);
    expect(witness.told.slice(1)).toEqual([
      `${first} -> ${first + 2} = 409`,
      `${first + 2} -> ${first + 2} = 422`,
    ]);
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('holds a larger tree than was ever signed here: this ledger was rolled back, or has a twin', async () => {
    const { witness, room, tenant, first } = await cosignedOnce(database);
    const [origin = ''] = witness.logs.keys();
    witness.logs.set(origin, { size: 5_000, root: Buffer.alloc(32, 7) });
    await write(room.house, tenant, 2);
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(round.witnesses).toMatchObject([{ outcome: 'disagrees' }]);
    expect(round.witnesses[0]?.detail).toContain(
      `5000 leaves, this ledger has signed ${first + 2}`,
    );
    expect((await room.witnessing.standing(tenant.tenantId)).alarms).toMatchObject([
      { invariant: 'ledger_is_newest' },
    ]);
    witness.logs.delete(origin);
    valueOf(await room.witnessing.round(tenant.tenantId));
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });
});

describe('several witnesses', () => {
  async function three(quorum: number) {
    const witnesses = await Promise.all([startWitness(), startWitness(), startWitness()]);
    const room = historyHouse({ database, policy: policyOf(witnesses, quorum) });
    const tenant = await sealedTenant(room.house);
    for (const witness of witnesses) await trusts(witness, room, tenant);
    return { witnesses, room, tenant, keys: witnesses.map(({ key }) => key) };
  }

  it('are a quorum of two with one that lies', async () => {
    const { witnesses, room, tenant, keys } = await three(2);
    const [good, , liar] = witnesses;
    if (good === undefined || liar === undefined) throw new Error('three are there');
    liar.misbehave = ({ text }) => ({ status: 200, body: forged(liar.name, liar.key.keyId, text) });
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(round.checkpoint).toMatchObject({ quorum: true });
    expect(round.checkpoint?.cosigners).toHaveLength(2);
    liar.misbehave = () => ({ status: 422 });
    good.misbehave = () => ({ status: 0, silent: true });
    await write(room.house, tenant, 2);
    const poor = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(poor.checkpoint).toMatchObject({ quorum: false });
    expect(poor.checkpoint?.cosigners).toHaveLength(1);
    expect(poor.witnesses.map(({ outcome }) => outcome).toSorted()).toEqual([
      'away',
      'cosigned',
      'disagrees',
    ]);
    // What is missing is asked for again: one more, and they are enough.
    good.misbehave = null;
    const enough = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(enough.checkpoint).toMatchObject({ size: poor.checkpoint?.size, quorum: true });
    await checkHistory(room, tenant.tenantId, keys);
  });

  it('are asked at once: a silent one costs the others nothing', async () => {
    const { witnesses, room, tenant } = await three(2);
    const order: string[] = [];
    let release = (): void => undefined;
    const others = new Promise<void>((resolve) => (release = resolve));
    const [slow, ...quick] = witnesses;
    if (slow === undefined) throw new Error('three are there');
    slow.misbehave = async ({ honest }) => {
      await others;
      order.push('slow');
      return honest();
    };
    let answered = 0;
    for (const witness of quick)
      witness.misbehave = ({ honest }) => {
        order.push('quick');
        answered += 1;
        if (answered === quick.length) release();
        return honest();
      };
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(order).toEqual(['quick', 'quick', 'slow']);
    expect(round.checkpoint?.cosigners).toHaveLength(3);
  });
});
