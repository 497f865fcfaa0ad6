import { describe, expect, it } from 'vitest';
import { ok } from '../../src/core/kernel/index.js';
import { event, type LedgerEvent } from '../../src/base/ledger/index.js';
import { SignedStatusChecker, statusFloorRaised } from '../../src/trust/status/index.js';
import {
  slotBound,
  slotsReserved,
  statusChanged,
} from '../../src/trust/status/status-slots.ledger.js';
import { startFakeAuthority, statusListToken } from '../support/fake-authority.js';
import { createTestTenant, testHouse, valueOf } from '../support/tenants.js';
import { AT_MS, type DeskOptions, statusDesk } from './status-desk.js';

// The one way to ask: our own rows, floors and signed lists together.

const house = testHouse({ quiet: true });
const LINEAGE = 'price|p1';
const ISSUER = 'https://issuer.example';

/** A desk whose tenant has a ledger, the checker over it, and places 0 to 3 of its list reserved; 1 is bound. */
async function scene(options: DeskOptions = {}) {
  const desk = await statusDesk(options);
  const tenant = await createTestTenant(house);
  const { tenantId } = tenant;
  const uri = desk.authority.newListUri(tenantId);
  const { ownOrigin } = desk.trust;
  const { database } = house;
  const write = async (...events: readonly LedgerEvent[]) =>
    valueOf(
      await house.writer.execute({
        ...tenant.context(),
        name: 'test.write',
        reads: [],
        decide: () => ok({ events }),
        answer: () => null,
      }),
    );
  const bound = { listUri: uri, index: 1, lineage: LINEAGE, merchantIds: ['shop-1'] };
  await write(
    event(slotsReserved, { listUri: uri, indexes: [0, 1, 2, 3] }),
    event(slotBound, bound),
  );
  const checker = new SignedStatusChecker({ database, lists: desk.lists, ownOrigin });
  const place = (
    index: number,
    more: { lineage?: string | null; issuer?: string; uri?: string } = {},
  ) => ({
    ...{ uri, lineage: LINEAGE, issuer: ISSUER, index },
    ...more,
  });
  const said = (asked: readonly ReturnType<typeof place>[], deadline?: AbortSignal) =>
    checker.check(tenantId, asked, {
      atMs: desk.atMs,
      ...(deadline === undefined ? {} : { deadline }),
    });
  return {
    ...{ desk, tenantId, uri, write, place, said, checker },
    publish: (draft: Parameters<typeof desk.publish>[0] = {}) => desk.publish({ uri, ...draft }),
    /** `verdict` alone, or `verdict fault`. */
    verdicts: async (...asked: ReturnType<typeof place>[]) =>
      (await said(asked)).map(({ verdict, fault }) =>
        fault === null ? verdict : `${verdict} ${fault}`,
      ),
    change: (index: number, from: 'valid' | 'suspended', to: 'revoked' | 'suspended') =>
      write(
        event(statusChanged, {
          ...{ revocationId: `rev_${index}_${to}`, listUri: uri, index, from, to, version: 2 },
          ...{ reasonCode: 'recall', subjectId: null, cause: 'request', rootSubjectId: null },
        }),
      ),
  };
}

describe('a place is valid', () => {
  it('only where row and list say so; the answer names the list', async () => {
    const { place, said, publish, uri } = await scene();
    publish({ claims: { version: 3 }, values: { 2: 1, 3: 2 } });
    const common = { listUri: uri, listIssuedAtMs: AT_MS, listVersion: 3, fault: null };
    expect(await said([place(0), place(1), place(2), place(3)])).toEqual([
      { ...common, index: 0, verdict: 'valid' },
      { ...common, index: 1, verdict: 'valid' },
      { ...common, index: 2, verdict: 'revoked' },
      { ...common, index: 3, verdict: 'suspended' },
    ]);
  });

  it('not when the row says otherwise, whatever the list says, and even without one', async () => {
    const { place, verdicts, change, publish } = await scene();
    await change(1, 'valid', 'revoked');
    await change(2, 'valid', 'suspended');
    expect(await verdicts(place(1), place(2))).toEqual(['revoked', 'suspended']);
    publish();
    expect(await verdicts(place(1), place(2), place(0))).toEqual(['revoked', 'suspended', 'valid']);
  });

  it('not for another object than the one it is bound to; for whoever asks at the use it is', async () => {
    const { place, verdicts, publish } = await scene();
    publish();
    expect(
      await verdicts(
        place(1, { lineage: 'price|p2' }),
        place(0, { lineage: 'price|p2' }),
        place(1, { lineage: null }),
      ),
    ).toEqual(['unavailable status_slot_of_another', 'valid', 'valid']);
  });

  it('when nobody reserved it, only for what the authority signed itself', async () => {
    const { place, verdicts, publish, desk } = await scene();
    publish({ values: { 9: 1 } });
    const { origin: issuer } = desk.authority;
    expect(
      await verdicts(
        place(8),
        place(8, { issuer }),
        place(9, { issuer }),
        place(8, { lineage: null }),
      ),
    ).toEqual(['unavailable status_slot_unknown', 'valid', 'revoked', 'valid']);
  });

  it.each([
    [-1, 'status_ref_malformed'],
    [1.5, 'status_ref_malformed'],
    [Number.NaN, 'status_ref_malformed'],
    [131_072, 'status_index'],
    [2 ** 31, 'status_index'],
  ])('not at %d, and the others are answered all the same', async (index, fault) => {
    const { place, verdicts, publish, desk } = await scene();
    publish();
    const { origin: issuer } = desk.authority;
    expect(await verdicts(place(index, { issuer }), place(0))).toEqual([
      `unavailable ${fault}`,
      'valid',
    ]);
  });

  it('not with a value that nobody explained', async () => {
    const { place, verdicts, publish } = await scene();
    publish({ values: { 0: 3 } });
    expect(await verdicts(place(0))).toEqual(['unavailable status_value']);
  });

  it.each(['', 'urn:arbiter:status-list:tnt_1:1', 'https://x\0y.example/1'])(
    'not on %j',
    async (uri) => {
      const { place, verdicts } = await scene();
      const [verdict] = await verdicts(place(0, { uri, lineage: null }));
      expect(verdict).toMatch(/^unavailable status_(ref_malformed|uri_refused)$/);
    },
  );
});

describe('several lists', () => {
  it('with the same places are not mixed up, and one that is dead takes none with it', async () => {
    const { place, verdicts, publish, write, desk, tenantId } = await scene();
    const other = desk.authority.newListUri(tenantId);
    const dead = desk.authority.newListUri(tenantId);
    for (const listUri of [other, dead])
      await write(event(slotsReserved, { listUri, indexes: [0, 1] }));
    publish({ values: { 0: 1 } });
    publish({ uri: other, values: { 1: 1 } });
    expect(
      await verdicts(
        ...[place(0), place(1), place(0, { uri: other })],
        ...[place(1, { uri: other }), place(0, { uri: dead })],
      ),
    ).toEqual(['revoked', 'valid', 'valid', 'revoked', 'unavailable status_http']);
  });

  it('that are slow cost their own places only, when the deadline is there', async () => {
    const { place, said, publish, write, desk, tenantId } = await scene({
      authority: await startFakeAuthority(),
    });
    const slow = desk.authority.newListUri(tenantId);
    await write(event(slotsReserved, { listUri: slow, indexes: [0] }));
    publish();
    await said([place(0)]);
    desk.authority.serve(slow, () => undefined);
    const arrived = desk.authority.nextRequest();
    const deadline = new AbortController();
    const asked = said([place(0, { uri: slow }), place(0)], deadline.signal);
    await arrived;
    deadline.abort();
    expect((await asked).map(({ verdict, fault }) => [verdict, fault])).toEqual([
      ['unavailable', 'status_timeout'],
      ['valid', null],
    ]);
    await desk.authority.stop();
  });
});

describe('a floor', () => {
  it('is seen by the next ask on every replica: the copy is fetched anew, or is none', async () => {
    const { place, verdicts, publish, write, uri } = await scene();
    publish({ claims: { version: 1 } });
    expect(await verdicts(place(0))).toEqual(['valid']);
    await write(event(statusFloorRaised, { listUri: uri, version: 2 }));
    expect(await verdicts(place(0))).toEqual(['unavailable status_below_floor']);
    await write(event(statusFloorRaised, { listUri: uri, version: 3 }));
    publish({ claims: { version: 3 }, values: { 0: 1 } });
    expect(await verdicts(place(0), place(1))).toEqual(['revoked', 'valid']);
  });
});

describe('a list of another authority', () => {
  it('counts without a row, at a million places and at the last of them', async () => {
    const { place, verdicts, desk } = await scene({ kind: 'foreign' });
    const uri = `${desk.authority.origin}/lists/big`;
    const places = 1_048_576;
    const token = statusListToken(desk.key, {
      uri,
      atMs: AT_MS,
      places,
      values: { [places - 1]: 1, 131_072: 2 },
    });
    desk.authority.serve(uri, { token });
    const asked = [0, 131_071, 131_072, places - 1, places].map((index) => place(index, { uri }));
    expect(await verdicts(...asked)).toEqual([
      ...['valid', 'valid', 'suspended', 'revoked', 'unavailable status_index'],
    ]);
  });

  it('that the tenant does not trust is refused without a question', async () => {
    const { place, verdicts, desk } = await scene({ kind: 'foreign' });
    const uri = `${desk.authority.origin}/lists/small`;
    desk.trust.isTrusting = false;
    expect(await verdicts(place(0, { uri }))).toEqual(['unavailable status_uri_refused']);
    expect(desk.authority.requestsOf(uri)).toEqual([]);
  });
});

it('our own database away: nothing is valid, nothing is thrown', async () => {
  const { desk, place } = await scene();
  const ownOrigin = desk.authority.origin;
  for (const query of [
    () => Promise.reject(new Error('gone')),
    () => new Promise<never>(() => undefined),
  ]) {
    const checker = new SignedStatusChecker({ database: { query }, lists: desk.lists, ownOrigin });
    const moment = { atMs: AT_MS, deadline: AbortSignal.timeout(20) };
    const [status] = await checker.check(
      desk.tenantId,
      [{ ...place(0), lineage: LINEAGE }],
      moment,
    );
    expect(status).toMatchObject({ verdict: 'unavailable', fault: 'status_unavailable' });
  }
});

it('no questions: nothing is looked up', async () => {
  const { desk } = await scene();
  const query = () => Promise.reject(new Error('asked'));
  const checker = new SignedStatusChecker({
    database: { query },
    lists: desk.lists,
    ownOrigin: 'https://x.example',
  });
  expect(await checker.check(desk.tenantId, [], { atMs: AT_MS })).toEqual([]);
});

describe('memory', () => {
  it('is bounded: the list that was not used for the longest time goes first', async () => {
    // Each entry takes 32,768 bytes of places and 1,024 beside them; there is room for three.
    const desk = await statusDesk({ bytesMax: 3 * 33_792 });
    const uris = [1, 2, 3, 4].map(() => desk.authority.newListUri(desk.tenantId));
    for (const uri of uris) desk.publish({ uri });
    const [first = '', second = '', third = '', fourth = ''] = uris;
    for (const uri of [first, second, third]) expect(await desk.ask(0, { uri })).toBe(0);
    expect(desk.lists.bytes).toBe(3 * 33_792);
    expect(desk.look(0, { uri: first })).toBe(0);
    expect(await desk.ask(0, { uri: fourth })).toBe(0);
    expect(uris.map((uri) => desk.look(0, { uri }))).toEqual([0, 'status_unavailable', 0, 0]);
    expect(desk.lists.bytes).toBe(3 * 33_792);
    expect(desk.clock.waiting()).toHaveLength(3);
  });

  it('is not taken by lists that never come', async () => {
    const desk = await statusDesk({ bytesMax: 3 * 33_792 });
    for (let count = 0; count < 200; count += 1)
      await desk.ask(0, { uri: desk.authority.newListUri(desk.tenantId) });
    expect(desk.lists.bytes).toBeLessThanOrEqual(3 * 33_792);
  });
});
