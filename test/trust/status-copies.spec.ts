import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startFakeAuthority } from '../support/fake-authority.js';
import { AT_MS, type StatusDesk, statusDesk } from './status-desk.js';

// How long a copy counts, on which clock, and when it is fetched anew.

/** The last millisecond after now at which the copy that is held still counts, and what it says one later. */
async function lifeOf(desk: StatusDesk): Promise<readonly [number, unknown]> {
  await desk.lists.stop();
  let low = 0;
  let high = 3_600_000;
  const clock = desk.clock.monotonicMs();
  // Each step asks a process of its own: one that saw a later time never goes back before it.
  const at = async (afterMs: number) => {
    const lists = desk.another();
    desk.atMs = AT_MS;
    expect(await desk.ask(0, { lists })).toBe(0);
    desk.pass(afterMs);
    const said = desk.look(0, { lists });
    await lists.stop();
    return said;
  };
  expect(clock).toBeGreaterThan(0);
  let after: unknown = null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const said = await at(middle);
    if (said === 0) low = middle;
    else [high, after] = [middle, said];
  }
  return [low, after];
}

describe('a copy counts until', () => {
  it.each([
    ['iat + ttl', { ttl: 60 }, {}, 60_000, 'status_stale'],
    ['the shortest ttl', { ttl: 1 }, {}, 1_000, 'status_stale'],
    [
      '600 s and no longer',
      { ttl: 600 },
      { 'cache-control': 'max-age=86400' },
      600_000,
      'status_stale',
    ],
    ['exp, exclusive', { exp: AT_MS / 1_000 + 40 }, {}, 39_999, 'status_expired'],
    ['max-age', {}, { 'cache-control': 'public, max-age=30' }, 30_000, 'status_copy_too_old'],
    [
      'max-age less Age',
      {},
      { 'cache-control': 'max-age=30', age: '12' },
      18_000,
      'status_copy_too_old',
    ],
    ['ttl when nothing else is said', {}, { 'cache-control': 'public' }, 60_000, 'status_stale'],
    [
      'the lower of two max-ages',
      {},
      { 'cache-control': 'max-age=50, max-age=20' },
      20_000,
      'status_copy_too_old',
    ],
  ] as const)('%s', async (_name, claims, headers, lifeMs, fault) => {
    const desk = await statusDesk();
    desk.publish({ claims }, headers);
    expect(await lifeOf(desk)).toEqual([lifeMs, fault]);
  });

  it.each([
    ['it was signed before', { atMs: AT_MS - 45_000 }, 15_000, 'status_stale'],
    [
      'the issuer\u2019s clock is ahead, and the fetch ends it',
      { atMs: AT_MS + 30_000 },
      60_000,
      'status_copy_too_old',
    ],
  ] as const)('its own end when %s', async (_name, draft, lifeMs, fault) => {
    const desk = await statusDesk();
    desk.publish(draft);
    expect(await lifeOf(desk)).toEqual([lifeMs, fault]);
  });

  it.each([
    ['is older than it may be', { 'cache-control': 'max-age=30', age: '31' }],
    ['lived as long as it may', { 'cache-control': 'max-age=0' }],
    ['must not be stored', { 'cache-control': 'no-store' }],
    ['must be asked about each time', { 'cache-control': 'max-age=60, no-cache' }],
    ['has an age that is no number', { 'cache-control': 'max-age=60', age: 'yesterday' }],
    ['has a max-age that is no number', { 'cache-control': 'max-age=never' }],
  ])('not at all when it %s', async (_name, headers) => {
    const desk = await statusDesk();
    desk.publish({}, headers);
    const asked = desk.ask();
    const release = desk.authority.hold();
    await desk.authority.nextRequest();
    // The fetch takes a moment, so a life of none is over when it ends.
    desk.clock.advance(1);
    release();
    expect(await asked).toBe('status_copy_too_old');
  });

  it('its Age on the way is counted from the request, not from the answer', async () => {
    const desk = await statusDesk();
    desk.publish({}, { 'cache-control': 'max-age=10' });
    const release = desk.authority.hold();
    const arrived = desk.authority.nextRequest();
    const asked = desk.ask();
    await arrived;
    desk.pass(2_000);
    release();
    expect(await asked).toBe(0);
    desk.pass(8_000);
    expect(desk.look()).toBe(0);
    desk.pass(1);
    expect(desk.look()).toBe('status_copy_too_old');
  });
});

describe('clocks that step', () => {
  it('commerce time that goes back brings no copy back, and lengthens none', async () => {
    const desk = await statusDesk();
    desk.publish();
    expect(await desk.ask()).toBe(0);
    await desk.lists.stop();
    desk.atMs = AT_MS + 60_001;
    expect(desk.look()).toBe('status_stale');
    desk.atMs = AT_MS;
    expect(desk.look()).toBe('status_stale');
  });

  it('a tenant whose time stands still is held to the clock that does not', async () => {
    const desk = await statusDesk();
    desk.publish();
    expect(await desk.ask()).toBe(0);
    await desk.lists.stop();
    desk.clock.advance(60_000);
    expect(desk.look()).toBe(0);
    desk.clock.advance(1);
    expect(desk.look()).toBe('status_copy_too_old');
  });

  it('commerce time that goes far back makes a copy unusable', async () => {
    const desk = await statusDesk();
    desk.publish();
    const early = desk.another();
    desk.atMs = AT_MS - 30_000;
    expect(await desk.ask(0, { lists: early })).toBe(0);
    desk.atMs = AT_MS - 30_001;
    expect(await desk.ask(0, { lists: desk.another() })).toBe('status_from_future');
  });

  it('a test clock that jumps finds the list that was signed for it, at once', async () => {
    const desk = await statusDesk();
    desk.publish();
    expect(await desk.ask()).toBe(0);
    desk.atMs += 86_400_000;
    expect(await desk.ask()).toBe('status_expired');
    desk.atMs += 1_001;
    desk.publish({ claims: { version: 2 }, values: { 0: 2 } });
    expect(await desk.ask()).toBe(2);
  });

  it('whatever the times are, nothing counts beyond any of its bounds', async () => {
    const desk = await statusDesk();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ttl: fc.integer({ min: 1, max: 600 }),
          life: fc.integer({ min: 1, max: 1_200 }),
          signedAgo: fc.integer({ min: -30, max: 700 }),
          maxAge: fc.option(fc.integer({ min: 1, max: 900 })),
          age: fc.integer({ min: 0, max: 900 }),
          steps: fc.array(
            fc.record({
              commerceMs: fc.integer({ min: -90_000, max: 300_000 }),
              monoMs: fc.nat(300_000),
            }),
            { maxLength: 6 },
          ),
        }),
        async ({ ttl, life, signedAgo, maxAge, age, steps }) => {
          desk.atMs = AT_MS;
          const uri = desk.authority.newListUri(desk.tenantId);
          const issuedAtMs = AT_MS - signedAgo * 1_000;
          const claims = { ttl, exp: issuedAtMs / 1_000 + life };
          const cache = maxAge === null ? 'public' : `max-age=${maxAge}`;
          desk.publish(
            { uri, atMs: issuedAtMs, claims },
            { 'cache-control': cache, age: `${age}` },
          );
          const lists = desk.another();
          const fetchedMonoMs = desk.clock.monotonicMs();
          await desk.ask(0, { uri, lists });
          await lists.stop();
          let latestMs = AT_MS;
          for (const { commerceMs, monoMs } of [{ commerceMs: 0, monoMs: 0 }, ...steps]) {
            desk.atMs += commerceMs;
            desk.clock.advance(monoMs);
            latestMs = Math.max(latestMs, desk.atMs);
            const livedMs = desk.clock.monotonicMs() - fetchedMonoMs;
            const counts =
              latestMs <= issuedAtMs + Math.min(ttl, 600) * 1_000 &&
              latestMs < issuedAtMs + life * 1_000 &&
              latestMs >= issuedAtMs - 30_000 &&
              livedMs <= ttl * 1_000 &&
              (maxAge === null || livedMs <= Math.max(0, maxAge - age) * 1_000);
            expect(desk.look(0, { uri, lists }) === 0).toBe(counts);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('one fetch', () => {
  it('serves a thousand who miss the list at once', async () => {
    const desk = await statusDesk();
    desk.publish({ values: { 5: 2 } });
    const asked = Array.from({ length: 1_000 }, (_, index) => desk.ask(index % 10));
    const answers = await Promise.all(asked);
    expect(answers).toEqual(answers.map((_, index) => (index % 10 === 5 ? 2 : 0)));
    expect(desk.fetches()).toBe(1);
  });

  it('fails a thousand at once, and is not repeated for them', async () => {
    const desk = await statusDesk();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => desk.ask()));
    expect(new Set(answers)).toEqual(new Set(['status_http']));
    expect(desk.fetches()).toBe(1);
  });

  it('that failed is repeated after a second, not before', async () => {
    const desk = await statusDesk();
    expect(await desk.ask()).toBe('status_http');
    desk.publish();
    desk.pass(1_000);
    expect(await desk.ask()).toBe('status_http');
    expect(desk.fetches()).toBe(1);
    desk.pass(1);
    expect(await desk.ask()).toBe(0);
  });

  it('is waited for by each no longer than its own deadline, and goes on for the others', async () => {
    const desk = await statusDesk({ authority: await startFakeAuthority() });
    desk.publish();
    const release = desk.authority.hold();
    const arrived = desk.authority.nextRequest();
    const patient = desk.lists.ensure(desk.question());
    await arrived;
    const hurried = new AbortController();
    const gaveUp = desk.lists.ensure(desk.question(), hurried.signal);
    hurried.abort();
    expect(await gaveUp).toBe('status_timeout');
    expect(await desk.lists.ensure(desk.question(), AbortSignal.abort())).toBe('status_timeout');
    release();
    expect(await patient).toBeNull();
    expect(desk.fetches()).toBe(1);
    await desk.authority.stop();
  });

  it('of one list does not wait for another, and does not fail with it', async () => {
    const desk = await statusDesk();
    desk.publish();
    const other = desk.authority.newListUri(desk.tenantId);
    expect(await Promise.all([desk.ask(), desk.ask(0, { uri: other })])).toEqual([
      0,
      'status_http',
    ]);
  });

  it('that hangs in our own house ends for everybody', async () => {
    const desk = await statusDesk();
    desk.publish();
    const looked = new Promise<void>((resolve) => {
      desk.database.current = {
        query() {
          resolve();
          return new Promise(() => undefined);
        },
      };
    });
    const asked = Promise.all([desk.ask(), desk.ask()]);
    await looked;
    desk.clock.advance(5_000);
    expect(await asked).toEqual(['status_timeout', 'status_timeout']);
  });

  it('is made for each tenant: copies are never shared', async () => {
    const desk = await statusDesk({ kind: 'foreign' });
    desk.publish();
    const tenantId = 'tnt_other' as typeof desk.tenantId;
    expect(await desk.ask()).toBe(0);
    expect(desk.look(0, { tenantId })).toBe('status_unavailable');
    expect(await desk.ask(0, { tenantId })).toBe(0);
    expect(desk.fetches()).toBe(2);
  });
});

describe('a floor', () => {
  it('that the copy is below is a fetch at once, and the copy of before is none for it', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { version: 4 } });
    expect(await desk.ask(0, { minVersion: 4 })).toBe(0);
    desk.publish({ claims: { version: 5 }, values: { 0: 1 } });
    expect(desk.look(0, { minVersion: 5 })).toBe('status_below_floor');
    expect(await desk.ask(0, { minVersion: 5 })).toBe(1);
    expect(desk.fetches()).toBe(2);
  });

  it('that the list does not reach is a fault, asked for again after a second or for a higher one', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { version: 4 } });
    expect(await desk.ask(0, { minVersion: 5 })).toBe('status_below_floor');
    expect(await desk.ask(0, { minVersion: 5 })).toBe('status_below_floor');
    expect(desk.fetches()).toBe(1);
    expect(await desk.ask(0, { minVersion: 6 })).toBe('status_below_floor');
    expect(desk.fetches()).toBe(2);
    // Who has no such floor is not concerned.
    expect(await desk.ask(0)).toBe(0);
    desk.pass(1_001);
    expect(await desk.ask(0, { minVersion: 5 })).toBe('status_below_floor');
    expect(desk.fetches()).toBe(3);
  });

  it('that was raised while a fetch was under way starts another after it', async () => {
    const desk = await statusDesk({ authority: await startFakeAuthority() });
    desk.publish({ claims: { version: 4 } });
    const release = desk.authority.hold();
    const arrived = desk.authority.nextRequest();
    const before = desk.ask(0, { minVersion: 4 });
    await arrived;
    const after = desk.ask(0, { minVersion: 5 });
    release();
    expect(await before).toBe(0);
    desk.publish({ claims: { version: 5 }, values: { 0: 1 } });
    expect(await after).toBe(1);
    expect(desk.fetches()).toBe(2);
    await desk.authority.stop();
  });

  it('is never reached by a list without versions', async () => {
    const desk = await statusDesk({ kind: 'foreign' });
    desk.publish({ claims: { version: 9 } });
    expect(await desk.ask(0, { minVersion: 0 })).toBe('status_below_floor');
    expect(await desk.ask()).toBe(0);
  });
});
