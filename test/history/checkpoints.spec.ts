import { beforeAll, describe, expect, it } from 'vitest';
import { switchSealing } from '../../src/base/ledger/index.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { createTestTenant, problemOf, testHouse, valueOf } from '../support/tenants.js';
import { historyHouse, type HistoryHouse, LOG_NAME, sealedTenant, write } from './house.js';
import { checkHistory } from './whole-history.js';

let database: TestDatabase;
let room: HistoryHouse;
beforeAll(async () => {
  database = await freshDatabase();
  room = historyHouse({ database });
});

describe('a checkpoint', () => {
  it('is of all sealed entries, signed under the name of the log, and made once', async () => {
    const { house, checkpoints } = room;
    const tenant = await sealedTenant(house);
    await write(house, tenant, 5);
    const made = valueOf(await checkpoints.make(tenant.tenantId));
    expect(await checkpoints.make(tenant.tenantId)).toEqual({ ok: true, value: made });
    expect(made).toMatchObject({ cosigners: [], quorum: false });
    expect(made?.note).toBe(made?.anchorNote);
    expect(made?.note.split('\n').slice(0, 2)).toEqual([
      `${LOG_NAME}/${tenant.tenantId}`,
      String(made?.size),
    ]);
    expect(await checkHistory(room, tenant.tenantId)).toEqual([made?.size]);
    expect(await checkpoints.newest(tenant.tenantId)).toEqual(made);
    expect(await checkpoints.newestWitnessed(tenant.tenantId)).toBeNull();
    expect(await checkpoints.listWitnessed(tenant.tenantId, 1_000, 10)).toEqual([]);
  });

  it('is none where nothing is sealed, and then no key is made', async () => {
    const tenant = await createTestTenant(room.house);
    expect(await room.checkpoints.make(tenant.tenantId)).toEqual({ ok: true, value: null });
    expect(await room.house.signingKeys.list(tenant.tenantId)).toEqual([]);
  });

  it('is none of a ledger that is not there', async () => {
    expect(problemOf(await room.checkpoints.make('tnt_nobody')).code).toBe('not_found');
    expect(problemOf(await room.checkpoints.logKey('tnt_nobody')).code).toBe('not_found');
    expect(await room.checkpoints.logKeys('tnt_nobody')).toEqual([]);
  });

  it('goes on through pauses of sealing and rotations of both keys', async () => {
    const { house, checkpoints } = room;
    const tenant = await sealedTenant(house);
    const sizes: (number | undefined)[] = [];
    const sign = async () => sizes.push(valueOf(await checkpoints.make(tenant.tenantId))?.size);
    await sign();
    for (const kid of [null, 'k2', 'k3', null]) {
      valueOf(await house.writer.execute(switchSealing(tenant.context(), kid)));
      await write(house, tenant, 3);
      await sign();
    }
    valueOf(
      await house.signingKeys.rotate(tenant.context(), {
        purpose: 'checkpoint',
        overlapSeconds: 700_000,
      }),
    );
    valueOf(await house.writer.execute(switchSealing(tenant.context(), 'k4')));
    await sign();
    expect(sizes.length).toBe(new Set(sizes).size);
    expect((await checkpoints.logKeys(tenant.tenantId)).length).toBe(2);
    expect(await checkHistory(room, tenant.tenantId)).toEqual(sizes);
  });

  it('is one of a size, whoever signs at once, in several processes', async () => {
    const { house } = room;
    const tenant = await sealedTenant(house);
    const others = [1, 2, 3].map(() => historyHouse({ database, house: testHouse({ database }) }));
    for (let times = 0; times < 5; times += 1) {
      const [, ...made] = await Promise.all([
        write(house, tenant, 8),
        ...[room, ...others].map(({ checkpoints }) => checkpoints.make(tenant.tenantId)),
      ]);
      expect(made.map((one) => one.ok)).toEqual([true, true, true, true]);
    }
    await checkHistory(room, tenant.tenantId);
  });

  it('keeps its own instants in order of nobody: a clock that goes back changes nothing', async () => {
    const { house, checkpoints } = room;
    const tenant = await sealedTenant(house);
    valueOf(await checkpoints.make(tenant.tenantId));
    house.clock.nowMs -= 3_600_000;
    await write(house, tenant, 2);
    expect(valueOf(await checkpoints.make(tenant.tenantId))?.madeAtMs).toBe(house.clock.nowMs);
    house.clock.nowMs += 3_600_000;
    await checkHistory(room, tenant.tenantId);
  });
});
