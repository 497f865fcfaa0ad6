import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/base/platform/index.js';
import { testDatabase } from '../support/database.js';
import type { ListDraft } from '../support/fake-authority.js';
import { makeKey } from '../support/issuer.js';
import { findMark, raiseMark } from '../../src/trust/status/status-marks.store.js';
import { type StatusDesk, statusDesk } from './status-desk.js';

// An older list is never believed again, in whatever order lists arrive, and whoever saw the newer one.

/** The next ask finds its copy over, so it fetches. */
const later = async (desk: StatusDesk) => {
  await desk.lists.stop();
  desk.pass(61_000);
};
const markOf = (desk: StatusDesk) => findMark(testDatabase().pool, desk);

describe('lists of our own authority', () => {
  it.each([
    ['an older version', { claims: { version: 4 } }, 'status_rollback'],
    [
      'an older version that takes a revocation back',
      { claims: { version: 4 }, values: {} },
      'status_rollback',
    ],
    [
      'an older version, whatever else is wrong with it',
      { claims: { version: 4, status_list: { bits: 2, lst: '=' } } },
      'status_rollback',
    ],
    ['the same version with other places', { values: { 3: 1, 4: 1 } }, 'status_equivocation'],
    ['the same version signed anew', {}, 1],
    ['a newer version', { claims: { version: 6 }, values: { 3: 1, 4: 2 } }, 1],
    [
      'a newer version that takes a revocation back',
      { claims: { version: 6 }, values: {} },
      'status_unrevoked',
    ],
    [
      'a newer version that suspends what was revoked',
      { claims: { version: 6 }, values: { 3: 2 } },
      'status_unrevoked',
    ],
  ])('%s', async (_name, draft, answer) => {
    const desk = await statusDesk();
    const base = { claims: { version: 5 }, values: { 3: 1 } };
    desk.publish(base);
    expect(await desk.ask(3)).toBe(1);
    await later(desk);
    desk.publish({ ...base, ...draft });
    expect(await desk.ask(3)).toBe(answer);
  });

  it('lift a suspension', async () => {
    const desk = await statusDesk();
    desk.publish({ values: { 3: 2 } });
    expect(await desk.ask(3)).toBe(2);
    await later(desk);
    desk.publish({ claims: { version: 2 } });
    expect(await desk.ask(3)).toBe(0);
  });

  it('that are refused leave the mark where it was', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { version: 5 }, values: { 3: 1 } });
    await desk.ask();
    await later(desk);
    for (const draft of [
      { claims: { version: 99 }, values: {} },
      { claims: { version: 99, ttl: 0 } },
      { claims: { version: 99 }, places: 4 },
    ]) {
      desk.publish(draft);
      desk.pass(1_001);
      expect(await desk.ask()).not.toBe(0);
    }
    expect((await markOf(desk))?.version).toBe(5);
    desk.publish({ claims: { version: 6 }, values: { 3: 1 } });
    desk.pass(1_001);
    expect(await desk.ask()).toBe(0);
    expect((await markOf(desk))?.version).toBe(6);
  });

  it('are judged by the mark after a restart, long after their expiry', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { version: 5 }, values: { 3: 1 } });
    await desk.ask();
    desk.pass(30 * 86_400_000);
    desk.publish({ claims: { version: 4 }, values: {} });
    expect(await desk.ask(3, { lists: desk.another() })).toBe('status_rollback');
    desk.publish({ claims: { version: 5 }, values: {} });
    expect(await desk.ask(3, { lists: desk.another() })).toBe('status_equivocation');
    desk.publish({ claims: { version: 5 }, values: { 3: 1 } });
    expect(await desk.ask(3, { lists: desk.another() })).toBe(1);
  });

  it('that one replica saw are the least that another believes', async () => {
    const desk = await statusDesk();
    const [one, other] = [desk.another(), desk.another()];
    desk.publish({ claims: { version: 5 } });
    expect(await desk.ask(0, { lists: one })).toBe(0);
    desk.publish({ claims: { version: 7 }, values: { 0: 1 } });
    expect(await desk.ask(0, { lists: other })).toBe(1);
    await one.stop();
    desk.pass(61_000);
    desk.publish({ claims: { version: 6 } });
    expect(await desk.ask(0, { lists: one })).toBe('status_rollback');
  });
});

describe('a replica that is faster by a moment', () => {
  it.each([
    ['saw a newer list', 7, 'status_rollback'],
    ['saw another list of the same version', 5, 'status_equivocation'],
  ])('%s', async (_name, version, fault) => {
    const desk = await statusDesk();
    const pool: Queryable = testDatabase().pool;
    const mark = { version, issuedAtMs: desk.atMs, sha256: 'f'.repeat(64), kid: desk.key.kid };
    desk.database.current = {
      async query<Row extends object>(text: string, values?: readonly unknown[]) {
        if (text.startsWith('INSERT')) await raiseMark(pool, desk, { mark, distrustedKid: null });
        return pool.query<Row>(text, values);
      },
    };
    desk.publish({ claims: { version: 5 } });
    expect(await desk.ask()).toBe(fault);
    expect(await markOf(desk)).toEqual(mark);
  });
});

describe('lists of another authority', () => {
  it.each<[string, Partial<ListDraft>, unknown]>([
    ['signed before', { atMs: -1_000 }, 'status_rollback'],
    ['signed in the same second with other places', { values: { 4: 1 } }, 'status_equivocation'],
    ['the same once more', {}, 0],
    ['signed later, whatever its version says', { atMs: 1_000, claims: { version: 1 } }, 0],
    ['with places of another width', { atMs: 1_000, bits: 1 }, 'status_bits'],
    ['shorter by what was revoked', { atMs: 1_000, places: 8, values: {} }, 'status_unrevoked'],
    ['longer than before', { atMs: 1_000, places: 4_096, values: { 3: 1, 200: 1, 4_000: 1 } }, 0],
  ])('%s', async (_name, { atMs = 0, ...draft }, answer) => {
    const desk = await statusDesk({ kind: 'foreign' });
    const base = {
      atMs: desk.atMs,
      places: 1_024,
      values: { 3: 1, 200: 1 },
      claims: { ttl: 600, version: 9 },
    };
    desk.publish(base, { 'cache-control': 'max-age=10' });
    expect(await desk.ask()).toBe(0);
    await desk.lists.stop();
    desk.pass(11_000);
    desk.publish({ ...base, ...draft, atMs: base.atMs + atMs });
    expect(await desk.ask()).toBe(answer);
  });
});

describe('the mark', () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const mark = (version: number | null, issuedAtMs: number, text = 'a') => ({
    ...{ version, issuedAtMs, sha256: sha(text), kid: 'k1' },
  });

  it('only grows, whoever raises it in whatever order', async () => {
    const { pool } = testDatabase();
    const desk = await statusDesk();
    const raise = (version: number) =>
      raiseMark(pool, desk, { mark: mark(version, 1_000 - version), distrustedKid: null });
    const versions = [5, 3, 9, 1, 9, 7, 2, 8];
    const raised = await Promise.all(versions.map(raise));
    expect((await markOf(desk))?.version).toBe(9);
    expect(raised.filter(Boolean).length).toBeGreaterThanOrEqual(1);
    expect(await raise(9)).toBe(false);
    expect(await raise(8)).toBe(false);
    expect(await raise(10)).toBe(true);
  });

  it('of lists without a version goes by their time', async () => {
    const { pool } = testDatabase();
    const desk = await statusDesk();
    const raise = (issuedAtMs: number) =>
      raiseMark(pool, desk, { mark: mark(null, issuedAtMs), distrustedKid: null });
    expect([
      await raise(2_000),
      await raise(1_000),
      await raise(2_000),
      await raise(3_000),
    ]).toEqual([true, false, false, true]);
  });

  it('of a key that is compromised shuts nobody out, and its copies prove nothing', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { version: 1_000_000 }, values: { 3: 1 } });
    expect(await desk.ask(3)).toBe(1);
    await later(desk);
    desk.trust.believe(desk.key, { compromisedSinceAtMs: desk.atMs });
    desk.publish({ claims: { version: 1_000_001 } });
    expect(await desk.ask(3)).toBe('status_key_state');
    expect(desk.look(3)).toBe('status_unavailable');
    const fresh = makeKey('ES256');
    desk.trust.believe(fresh);
    Object.assign(desk.key, fresh);
    desk.publish({ claims: { version: 6 } });
    desk.pass(1_001);
    expect(await desk.ask(3)).toBe(0);
    expect(await markOf(desk)).toMatchObject({ version: 6, kid: fresh.kid });
  });

  it('of a key that was only retired stands', async () => {
    const desk = await statusDesk();
    desk.publish({ claims: { version: 5 }, values: { 3: 1 } });
    await desk.ask();
    await later(desk);
    const { key } = desk;
    desk.trust.believe(key, { retiredAtMs: desk.atMs });
    const fresh = makeKey('EdDSA');
    desk.trust.believe(fresh);
    Object.assign(desk.key, fresh);
    desk.publish({ claims: { version: 4 }, values: { 3: 1 } });
    expect(await desk.ask()).toBe('status_rollback');
    desk.pass(1_001);
    desk.publish({ claims: { version: 6 }, values: {} });
    expect(await desk.ask()).toBe('status_unrevoked');
    desk.pass(1_001);
    desk.publish({ claims: { version: 6 }, values: { 3: 1 } });
    expect(await desk.ask()).toBe(0);
  });
});

describe('keys', () => {
  it('that are unknown are asked for once in 30 s, by however many lists', async () => {
    const desk = await statusDesk();
    const fresh = makeKey('EdDSA');
    Object.assign(desk.key, fresh);
    const other = desk.authority.newListUri(desk.tenantId);
    desk.publish();
    desk.publish({ uri: other });
    const ask = () => Promise.all([desk.ask(), desk.ask(0, { uri: other })]);
    expect(await ask()).toEqual(['status_key_unknown', 'status_key_unknown']);
    expect(desk.trust.refetches).toBe(1);
    desk.trust.published = [fresh];
    desk.pass(29_999);
    desk.publish();
    expect(await desk.ask()).toBe('status_key_unknown');
    desk.pass(1);
    // A fetch that failed is not repeated within a second.
    desk.pass(1_001);
    expect(await desk.ask()).toBe(0);
    expect(desk.trust.refetches).toBe(2);
  });

  it('that are new are found in the very fetch that meets them', async () => {
    const desk = await statusDesk();
    desk.publish();
    await desk.ask();
    await later(desk);
    const fresh = makeKey('ES256');
    desk.trust.published = [fresh];
    Object.assign(desk.key, fresh);
    desk.publish();
    expect(await desk.ask()).toBe(0);
  });

  it.each([
    ['retired before the list was signed', { retiredAtMs: 0 }],
    ['not yet in force', { notBeforeAtMs: Number.MAX_SAFE_INTEGER }],
    ['compromised', { compromisedSinceAtMs: Number.MAX_SAFE_INTEGER }],
  ])('%s sign no list', async (_name, state) => {
    const desk = await statusDesk();
    desk.trust.believe(desk.key, state);
    desk.publish();
    expect(await desk.ask()).toBe('status_key_state');
  });
});
