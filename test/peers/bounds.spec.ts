import { describe, expect, it } from 'vitest';
import type { ResolvedKey, ResolveOptions } from '../../src/trust/peers/index.js';
import { directoryAt, directoryHouse, jwksAt } from './directory-house.js';
import {
  agentKey,
  type Answering,
  answering,
  directoryOf,
  DirectoryServer,
} from './directory-server.js';

const key = agentKey();
const good = answering(directoryOf(key));
const asJson = answering(directoryOf(key), { 'content-type': 'application/json' });
const busy = { kind: 'none', reason: 'busy' };
const wordOf = (resolved: ResolvedKey) => (resolved.kind === 'none' ? resolved.reason : 'found');

/** So many hosts on this machine: 127.1.0.1, 127.1.0.2, ... */
const hostOf = (index: number) => `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('strangers', () => {
  it('who name 1,000 directories in a minute make us ask 100', async () => {
    const server = (await DirectoryServer.start()).otherwise(good);
    const house = directoryHouse();
    const words: string[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      house.clock.ms = index * 59;
      const source = directoryAt(server.url('', hostOf(index)));
      const clientAddress = `198.51.100.${index % 200}`;
      words.push(wordOf(await house.resolve(source, key.thumbprint, { clientAddress })));
    }
    expect(tally(words)).toEqual({ found: 100, busy: 900 });
    expect(server.asked).toHaveLength(100);
    expect(tally(house.fetches.map(({ outcome }) => outcome))).toEqual({
      fetched: 100,
      over_budget: 900,
    });
    // What is known goes on being answered, and a minute after the first one there is room again.
    const first = directoryAt(server.url('', hostOf(0)));
    expect(wordOf(await house.resolve(first, key.thumbprint))).toBe('found');
    const late = directoryAt(server.url('', hostOf(999)));
    expect(await house.resolve(late, key.thumbprint)).toEqual(busy);
    house.clock.ms = 60_000;
    expect(wordOf(await house.resolve(late, key.thumbprint))).toBe('found');
  });

  it('get ten new directories a minute each, whatever address of theirs they use', async () => {
    const server = (await DirectoryServer.start()).otherwise(good);
    const house = directoryHouse();
    let index = 0;
    const ask = async (clientAddress: string | null) => {
      index += 1;
      const source = directoryAt(server.url('', hostOf(index)));
      return wordOf(await house.resolve(source, key.thumbprint, { clientAddress }));
    };
    for (let count = 0; count < 10; count += 1)
      expect(await ask(`2001:db8:1:2::${count}`)).toBe('found');
    expect(await ask('2001:db8:1:2:ffff::1')).toBe('busy');
    expect(await ask('2001:db8:1:3::1')).toBe('found');
    for (let count = 0; count < 10; count += 1) expect(await ask('203.0.113.1')).toBe('found');
    expect(await ask('::ffff:203.0.113.1')).toBe('busy');
    expect(await ask(null)).toBe('found');
    house.clock.ms = 60_000;
    expect(await ask('203.0.113.1')).toBe('found');
    expect(await ask('2001:db8:1:2::1')).toBe('found');
  });

  it('who name many places of one host reach ten of them; its own directory is not among those', async () => {
    const server = (await DirectoryServer.start()).otherwise(asJson);
    const house = directoryHouse();
    const words: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const path =
        index % 2 === 0
          ? `/keys-${index}`
          : `/.well-known/http-message-signatures-directory?${index}`;
      const options = { isStrict: false, clientAddress: `198.51.100.${index}` };
      words.push(wordOf(await house.resolve(jwksAt(server.url(path)), key.thumbprint, options)));
    }
    expect(tally(words)).toEqual({ found: 10, busy: 20 });
    const own = await house.resolve(directoryAt(server.url('')), key.thumbprint, {
      isStrict: false,
    });
    expect(wordOf(own)).toBe('found');
  });

  it('use nothing up by naming what is known, pinned or refused', async () => {
    const server = (await DirectoryServer.start()).otherwise(good);
    const house = directoryHouse();
    const options = { clientAddress: '203.0.113.1' };
    const known = directoryAt(server.url('', hostOf(0)));
    for (let count = 0; count < 20; count += 1) {
      await house.resolve(known, key.thumbprint, options);
      await house.resolve(directoryAt('https://10.0.0.1'), key.thumbprint, options);
      await house.resolve({ kind: 'pinned' }, key.thumbprint, options);
    }
    for (let index = 1; index < 10; index += 1) {
      const source = directoryAt(server.url('', hostOf(index)));
      expect(wordOf(await house.resolve(source, key.thumbprint, options))).toBe('found');
    }
  });
});

/** A server whose answers wait until the test lets them go. */
async function holding(): Promise<{
  readonly server: DirectoryServer;
  readonly held: readonly (() => void)[];
  readonly until: (count: number) => Promise<void>;
}> {
  const held: (() => void)[] = [];
  const watchers = new Set<() => void>();
  const hold: Answering = (request, response) => {
    held.push(() => void good(request, response));
    for (const watch of watchers) watch();
  };
  const server = (await DirectoryServer.start()).otherwise(hold);
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      const watch = () => {
        if (held.length >= count) resolve();
      };
      watchers.add(watch);
      watch();
    });
  return { server, held, until };
}

const PATIENT_LIMITS = {
  connectMs: 20_000,
  headersMs: 20_000,
  totalMs: 20_000,
  bodyBytesMax: 65_536,
};

describe('fetches', () => {
  it('are eight at once, 64 wait, and who comes then is told that we are busy', async () => {
    const { server, held, until } = await holding();
    const house = directoryHouse({ limits: PATIENT_LIMITS });
    const ask = (index: number, options: Partial<ResolveOptions> = {}) =>
      house.resolve(directoryAt(server.url('', hostOf(index))), key.thumbprint, options);
    const asking = Array.from({ length: 72 }, (_, index) => ask(index));
    await until(8);
    expect(await ask(72)).toEqual(busy);
    expect(await ask(0, { waitMs: 0 })).toEqual({ kind: 'none', reason: 'key_pending' });
    expect(held).toHaveLength(8);
    expect(server.asked.map(({ headers }) => headers.host?.split(':')[0])).toEqual(
      expect.arrayContaining(Array.from({ length: 8 }, (_, index) => hostOf(index))),
    );
    held[0]?.();
    await until(9);
    expect(held).toHaveLength(9);
    for (let count = 1; count < 72; count += 1) {
      await until(count + 1);
      held[count]?.();
    }
    expect(tally((await Promise.all(asking)).map(wordOf))).toEqual({ found: 72 });
    // Being turned away cost nothing.
    server.otherwise(good);
    expect(wordOf(await ask(72))).toBe('found');
  });

  it('are one of a host; others are not held up by it', async () => {
    const { server, held, until } = await holding();
    const house = directoryHouse({ limits: PATIENT_LIMITS });
    const ask = (path: string, host: string) =>
      house.resolve(jwksAt(server.url(path, host)), key.thumbprint);
    const asking = [ask('/a', hostOf(1)), ask('/b', hostOf(1)), ask('/c', hostOf(2))];
    await until(2);
    expect(server.asked.map(({ url }) => url)).toEqual(expect.arrayContaining(['/a', '/c']));
    held[0]?.();
    held[1]?.();
    await until(3);
    expect(server.asked[2]?.url).toBe('/b');
    held[2]?.();
    expect(tally((await Promise.all(asking)).map(wordOf))).toEqual({ found: 3 });
  });
});
