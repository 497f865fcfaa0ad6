import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { valueOf } from '../support/tenants.js';
import { write } from './house.js';
import { checkHistory } from './whole-history.js';
import type { Misbehaviour, TestWitness } from './witness.js';
import { cosignedOnce, forged, standingOf } from './witnessed.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});

const NOW_S = (): number => Math.floor(Date.now() / 1000);

/** Ways to fail that prove nothing about the ledger: an outage, however it looks. */
const OUTAGES: readonly {
  readonly what: string;
  readonly as: (witness: TestWitness) => Misbehaviour;
  readonly says: RegExp;
}[] = [
  {
    what: 'cuts the connection',
    as: () => () => ({ status: 0, cut: true }),
    says: /connect_failed/,
  },
  { what: 'never answers', as: () => () => ({ status: 0, silent: true }), says: /timeout/ },
  { what: 'answers 500', as: () => () => ({ status: 500 }), says: /status 500/ },
  { what: 'answers 503', as: () => () => ({ status: 503 }), says: /status 503/ },
  { what: 'answers 429', as: () => () => ({ status: 429 }), says: /status 429/ },
  { what: 'answers 400', as: () => () => ({ status: 400 }), says: /status 400/ },
  { what: 'sends us elsewhere', as: () => () => ({ status: 302 }), says: /redirect/ },
  {
    what: 'does not know the log',
    as: () => () => ({ status: 404 }),
    says: /does not know this log/,
  },
  {
    what: 'does not know the key',
    as: () => () => ({ status: 403 }),
    says: /does not know this log/,
  },
  {
    what: 'answers without end',
    as: () => () => ({ status: 200, body: Buffer.alloc(1_000_000, 'x') }),
    says: /too_large/,
  },
  {
    what: 'answers garbage',
    as: () => () => ({ status: 200, body: Buffer.from([0xff, 0xfe, 0, 1]) }),
    says: /holds no cosignature/,
  },
  { what: 'answers nothing', as: () => () => ({ status: 200 }), says: /holds no cosignature/ },
  {
    what: 'answers with the line of another key alone',
    as:
      () =>
      ({ text }) => ({ status: 200, body: forged('someone.else', '00000000', text) }),
    says: /holds no cosignature/,
  },
  {
    what: 'signs with another key under its name',
    as:
      (witness) =>
      ({ text }) => ({ status: 200, body: forged(witness.name, witness.key.keyId, text) }),
    says: /does not verify/,
  },
  {
    what: 'cosigns another checkpoint',
    as:
      () =>
      ({ line, text }) => ({
        status: 200,
        body: `${line(NOW_S(), text.replace(/\n\d+\n/, '\n1\n'))}\n`,
      }),
    says: /does not verify/,
  },
  {
    what: 'answers with a cut signature',
    as:
      () =>
      ({ line }) => ({ status: 200, body: `${line(NOW_S()).slice(0, -8)}AAAA=\n` }),
    says: /holds no cosignature|does not verify/,
  },
  {
    what: 'cosigned long before the checkpoint was made',
    as:
      () =>
      ({ line }) => ({ status: 200, body: `${line(NOW_S() - 7_200)}\n` }),
    says: /before the checkpoint was made/,
  },
  {
    what: 'cosigns at no time',
    as:
      () =>
      ({ line }) => ({ status: 200, body: `${line(0)}\n` }),
    says: /before the checkpoint was made/,
  },
  {
    what: 'cosigns in the future',
    as:
      () =>
      ({ line }) => ({ status: 200, body: `${line(NOW_S() + 7_200)}\n` }),
    says: /in the future/,
  },
  {
    what: 'answers 409 without its type',
    as: () => () => ({ status: 409, body: '1\n' }),
    says: /without the size/,
  },
  {
    what: 'answers 409 with no number',
    as: () => () => ({ status: 409, type: 'text/x.tlog.size', body: '-1\n' }),
    says: /without the size/,
  },
  {
    what: 'answers 409 with the size that it was told',
    as:
      () =>
      ({ oldSize }) => ({ status: 409, type: 'text/x.tlog.size', body: `${oldSize}\n` }),
    says: /another size again/,
  },
  {
    what: 'answers 409 with another size each time',
    as:
      () =>
      ({ oldSize }) => ({
        status: 409,
        type: 'text/x.tlog.size',
        body: `${oldSize === 1 ? 2 : 1}\n`,
      }),
    says: /another size again/,
  },
];

describe('an outage of a witness', () => {
  let met: Awaited<ReturnType<typeof cosignedOnce>>;
  beforeEach(async () => {
    met = await cosignedOnce(database);
  });

  it.each(OUTAGES)('$what: told, and over when it answers again', async ({ as, says }) => {
    const { witness, room, tenant, first } = met;
    witness.misbehave = as(witness);
    await write(room.house, tenant, 2);
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(round.witnesses).toMatchObject([{ name: witness.name, outcome: 'away' }]);
    expect(round.witnesses[0]?.detail).toMatch(says);
    // The checkpoint stands, unwitnessed; the newest one that is witnessed is the one before.
    expect(round.checkpoint).toMatchObject({ size: first + 2, cosigners: [], quorum: false });
    expect(await room.checkpoints.newestWitnessed(tenant.tenantId)).toMatchObject({ size: first });
    const standing = await room.witnessing.standing(tenant.tenantId);
    expect(standing).toMatchObject({
      brokenInvariant: null,
      alarms: [],
      witnesses: [{ size: first, disagreement: null, failing: {} }],
    });
    expect(standing.witnesses[0]?.failing?.reason).toMatch(says);
    expect(room.log).toEqual([]);
    await checkHistory(room, tenant.tenantId, [witness.key]);
    // Entries go on being written, and what is cosigned later covers them all.
    await write(room.house, tenant, 1);
    witness.misbehave = null;
    const after = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(after.checkpoint).toMatchObject({
      size: first + 3,
      cosigners: [witness.name],
      quorum: true,
    });
    expect(await standingOf(room, tenant, witness.name)).toMatchObject({
      failing: null,
      size: first + 3,
    });
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('is the same when nothing listens there', async () => {
    const { witness, room, tenant } = met;
    await witness.stop();
    await write(room.house, tenant, 2);
    const round = valueOf(await room.witnessing.round(tenant.tenantId));
    expect(round.witnesses).toMatchObject([{ outcome: 'away', detail: 'connect_failed' }]);
    await checkHistory(room, tenant.tenantId, [witness.key]);
  });

  it('is asked about again after pauses that grow, up to an hour; a clock that went back ends a pause', async () => {
    const { witness, room, tenant } = met;
    const { clock } = room.house;
    const startMs = clock.nowMs;
    witness.misbehave = () => ({ status: 500 });
    await write(room.house, tenant, 1);
    const asked = async (): Promise<boolean> => {
      const before = witness.told.length;
      valueOf(await room.witnessing.runRound(tenant.tenantId, { patient: true }));
      return witness.told.length > before;
    };
    expect(await asked()).toBe(true);
    for (const pauseS of [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
      clock.nowMs += pauseS * 1000 - 1;
      expect(await asked()).toBe(false);
      clock.nowMs += 1;
      expect(await asked()).toBe(true);
    }
    expect(await asked()).toBe(false);
    clock.nowMs = startMs;
    expect(await asked()).toBe(true);
    witness.misbehave = null;
    clock.nowMs += 3_600_000;
    // Its cosignature is of the real time, which lies an hour behind the clock, but not behind the checkpoint.
    expect(await asked()).toBe(true);
    expect(await standingOf(room, tenant, witness.name)).toMatchObject({ failing: null });
  });
});
