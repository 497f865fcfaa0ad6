import { beforeEach, describe, expect, it } from 'vitest';
import type { ResolvedKey } from '../../src/trust/peers/index.js';
import { type DirectoryHouse, directoryHouse, jwksAt } from './directory-house.js';
import { agentKey, answering, directoryOf, DirectoryServer } from './directory-server.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PATH = '/keys.json';
const [key, newer] = [agentKey(), agentKey()];
const keysWith = (headers: Readonly<Record<string, string>> = {}, ...keys: (typeof key)[]) =>
  answering(directoryOf(...(keys.length === 0 ? [key] : keys)), {
    'content-type': 'application/json',
    ...headers,
  });
const maxAge = (seconds: number) => ({ 'cache-control': `max-age=${seconds}` });

let server: DirectoryServer;
let house: DirectoryHouse;
beforeEach(async () => {
  server = await DirectoryServer.start();
  house = directoryHouse();
});

const ask = (keyId = key.thumbprint, waitMs?: number): Promise<ResolvedKey> =>
  house.resolve(jwksAt(server.url(PATH)), keyId, waitMs === undefined ? {} : { waitMs });
const wordOf = (resolved: ResolvedKey): string => {
  if (resolved.kind === 'none') return resolved.reason;
  return resolved.notes.isStale ? 'stale' : 'found';
};
/** What the resolver says at these instants after the start, and how often the directory was asked by then. */
async function at(ms: number, keyId?: string): Promise<[string, number]> {
  house.clock.ms = ms;
  const word = wordOf(await ask(keyId));
  return [word, server.countOf(PATH)];
}

describe('a copy lives', () => {
  it.each([
    ['ten minutes when nothing is said', {}, 10 * MINUTE_MS],
    ['as long as max-age says', maxAge(1_800), 30 * MINUTE_MS],
    ['less its Age', { ...maxAge(1_800), age: '600' }, 20 * MINUTE_MS],
    ['a minute at least', maxAge(1), MINUTE_MS],
    ['a minute with no-store', { 'cache-control': 'no-store, max-age=3600' }, MINUTE_MS],
    ['a minute when what is said cannot be read', maxAge(Number.NaN), MINUTE_MS],
    ['a day at most', maxAge(7 * 86_400), 24 * HOUR_MS],
  ])('%s', async (_name, headers, lifeMs) => {
    server.on(PATH, keysWith(headers));
    expect(await at(0)).toEqual(['found', 1]);
    expect(await at(lifeMs * 0.8)).toEqual(['found', 1]);
    server.on(PATH, keysWith({}, newer));
    expect(await at(lifeMs, key.thumbprint)).toEqual(['key_not_found', 2]);
  });

  it('on when the directory confirms it by its ETag', async () => {
    server.on(PATH, keysWith({ etag: '"v1"', ...maxAge(600) }));
    await at(0);
    server.on(PATH, (request, response) => {
      expect(request.headers['if-none-match']).toBe('"v1"');
      response.writeHead(304, maxAge(1_200)).end();
    });
    expect(await at(10 * MINUTE_MS)).toEqual(['found', 2]);
    expect(await at(24 * MINUTE_MS)).toEqual(['found', 2]);
    expect(house.fetches.map(({ outcome }) => outcome)).toEqual(['fetched', 'not_modified']);
    server.on(PATH, keysWith({ etag: 'not quoted' }));
    expect(await at(30 * MINUTE_MS)).toEqual(['found', 3]);
    server.on(PATH, (request, response) => {
      expect(request.headers['if-none-match']).toBeUndefined();
      keysWith()(request, response);
    });
    expect(await at(40 * MINUTE_MS)).toEqual(['found', 4]);
  });

  it('and is asked for again behind a request before it ends, at a moment drawn for it', async () => {
    server.on(PATH, keysWith());
    await at(0);
    // Drawn 0.5: from 85 % of ten minutes on.
    expect(await at(8.5 * MINUTE_MS - 1)).toEqual(['found', 1]);
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((asked) => {
      server.on(PATH, (request, response) => {
        answer = () => keysWith()(request, response) as void;
        asked();
      });
    });
    house.clock.ms = 8.5 * MINUTE_MS;
    // It waits for nobody, and asks once.
    expect(wordOf(await ask())).toBe('found');
    expect(wordOf(await ask())).toBe('found');
    await isAsked;
    answer();
    await house.untilFetched(2);
    expect(await at(17 * MINUTE_MS - 1)).toEqual(['found', 2]);
  });
});

describe('a key', () => {
  it('that is unknown makes us ask again, once a minute', async () => {
    server.on(PATH, keysWith());
    await at(0);
    expect(await at(MINUTE_MS - 1, newer.thumbprint)).toEqual(['key_not_found', 1]);
    expect(await at(MINUTE_MS, newer.thumbprint)).toEqual(['key_not_found', 2]);
    server.on(PATH, keysWith({}, key, newer));
    expect(await at(2 * MINUTE_MS - 1, newer.thumbprint)).toEqual(['key_not_found', 2]);
    expect(await at(2 * MINUTE_MS, newer.thumbprint)).toEqual(['found', 3]);
    expect(await at(2 * MINUTE_MS, key.thumbprint)).toEqual(['found', 3]);
  });

  it('that is unknown while we ask already waits for the answer', async () => {
    server.on(PATH, keysWith());
    await at(0);
    server.on(PATH, keysWith({}, key, newer));
    house.clock.ms = 9 * MINUTE_MS;
    const [old, unknown] = await Promise.all([ask(), ask(newer.thumbprint)]);
    expect([wordOf(old), wordOf(unknown), server.countOf(PATH)]).toEqual(['found', 'found', 2]);
  });

  it('that was taken out is gone with the next answer, though its copy lived on', async () => {
    server.on(PATH, keysWith({}, key, newer));
    await at(0);
    server.on(PATH, keysWith({}, newer));
    expect(await at(MINUTE_MS)).toEqual(['found', 1]);
    // Somebody else's unknown key brings the new set.
    expect(await at(MINUTE_MS, agentKey().thumbprint)).toEqual(['key_not_found', 2]);
    expect(await at(MINUTE_MS)).toEqual(['key_not_found', 2]);
    server.on(PATH, answering('{"keys":[]}', { 'content-type': 'application/json' }));
    expect(await at(2 * MINUTE_MS)).toEqual(['key_not_found', 3]);
    expect(await at(2 * MINUTE_MS, newer.thumbprint)).toEqual(['key_not_found', 3]);
  });

  it('that is unknown to a directory which cannot be asked now: we cannot tell', async () => {
    server.on(PATH, keysWith());
    await at(0);
    server.on(PATH, answering('', {}, 503));
    expect(await at(2 * MINUTE_MS, newer.thumbprint)).toEqual(['key_source_unavailable', 2]);
    expect(await at(2 * MINUTE_MS)).toEqual(['found', 2]);
  });
});

describe('a directory that fails', () => {
  it.each([
    ['500', answering('', {}, 500)],
    ['429', answering('', {}, 429)],
    ['a cut connection', (request: { socket: { destroy(): unknown } }) => request.socket.destroy()],
  ])('by %s: the old key still works for a day after it was confirmed', async (_name, answer) => {
    server.on(PATH, keysWith());
    await at(0);
    server.on(PATH, answer);
    expect(await at(10 * MINUTE_MS)).toEqual(['stale', 2]);
    expect(await at(24 * HOUR_MS - 1)).toEqual(['stale', 3]);
    expect(await at(24 * HOUR_MS)).toEqual(['key_source_unavailable', 3]);
    expect(await at(25 * HOUR_MS)).toEqual(['key_source_unavailable', 4]);
    server.on(PATH, keysWith());
    expect(await at(26 * HOUR_MS)).toEqual(['found', 5]);
  });

  it.each([
    ['404', answering('', {}, 404)],
    ['a redirect', answering('', { location: 'https://agent.shop/' }, 302)],
    ['HTML', answering('<html></html>', { 'content-type': 'text/html' })],
    ['no JSON', answering('x', { 'content-type': 'application/json' })],
  ])(
    'by %s: it answered, and publishes no key; the copy ends with its life',
    async (_n, answer) => {
      server.on(PATH, keysWith());
      await at(0);
      server.on(PATH, answer);
      expect(await at(9 * MINUTE_MS)).toEqual(['found', expect.any(Number)]);
      await house.untilFetched(2);
      expect(await at(10 * MINUTE_MS)).toEqual(['key_source_unavailable', 3]);
    },
  );

  it('is left alone for half a minute to a minute, whoever asks for whatever', async () => {
    server.on(PATH, answering('', {}, 500));
    expect(await at(0)).toEqual(['key_source_unavailable', 1]);
    expect(await at(1)).toEqual(['key_source_unavailable', 1]);
    // Drawn 0.5.
    expect(await at(45_000 - 1, newer.thumbprint)).toEqual(['key_source_unavailable', 1]);
    server.on(PATH, keysWith());
    expect(await at(45_000)).toEqual(['found', 2]);
  });

  it('behind a request is left alone as long', async () => {
    server.on(PATH, keysWith());
    await at(0);
    server.on(PATH, answering('', {}, 500));
    expect((await at(9 * MINUTE_MS))[0]).toBe('found');
    await house.untilFetched(2);
    for (const ms of [1, 10_000, 44_999])
      expect(await at(9 * MINUTE_MS + ms)).toEqual(['found', 2]);
  });
});

describe('a slow directory', () => {
  it('does not hold a request up: the key is pending, the fetch goes on, the next request has it', async () => {
    let answer = (): void => undefined;
    server.on(PATH, (request, response) => {
      answer = () => keysWith()(request, response) as void;
    });
    expect(wordOf(await ask(key.thumbprint, 100))).toBe('key_pending');
    expect(wordOf(await ask(key.thumbprint, 0))).toBe('key_pending');
    answer();
    await house.untilFetched(1);
    expect(wordOf(await ask(key.thumbprint, 0))).toBe('found');
    expect(server.countOf(PATH)).toBe(1);
  });

  it('is asked once for fifty requests that come together', async () => {
    server.on(PATH, keysWith());
    const words = (await Promise.all(Array.from({ length: 50 }, () => ask()))).map(wordOf);
    expect(new Set(words)).toEqual(new Set(['found']));
    expect(server.countOf(PATH)).toBe(1);
    server.on(PATH, answering('', {}, 500));
    house.clock.ms = HOUR_MS;
    const stale = (await Promise.all(Array.from({ length: 50 }, () => ask()))).map(wordOf);
    expect(new Set(stale)).toEqual(new Set(['stale']));
    expect(server.countOf(PATH)).toBe(2);
  });
});
