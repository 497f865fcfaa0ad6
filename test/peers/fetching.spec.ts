import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOutboundClient } from '../../src/base/platform/index.js';
import { directoryAt, directoryHouse, jwksAt, profileAt } from './directory-house.js';
import {
  agentKey,
  type Answering,
  answering,
  DIRECTORY_TYPE,
  directoryOf,
  DirectoryServer,
  WELL_KNOWN,
} from './directory-server.js';

const key = agentKey();
const GOOD = directoryOf(key);
const JSON_TYPE = { 'content-type': 'application/json' };
const found = { kind: 'found', key: { thumbprint: key.thumbprint } };
const unavailable = { kind: 'none', reason: 'key_source_unavailable' };

let server: DirectoryServer;
beforeAll(async () => {
  server = await DirectoryServer.start();
});

/** A path nobody used before, answering so. */
let paths = 0;
function pathOf(answer: Answering): string {
  paths += 1;
  const path = `/keys-${paths}.json`;
  server.on(path, answer);
  return path;
}

describe('a directory that behaves', () => {
  it('is asked plainly and answers with a key', async () => {
    server.on(WELL_KNOWN, answering(GOOD));
    const house = directoryHouse();
    const resolved = await house.resolve(directoryAt(server.url('')), key.thumbprint);
    expect(resolved).toMatchObject({
      ...found,
      url: server.url(WELL_KNOWN),
      notes: { proof: 'absent', isExactMediaType: true, isStale: false, isPinned: false },
    });
    const { headers, method } = server.asked.at(-1) ?? {};
    expect(method).toBe('GET');
    expect(headers).toMatchObject({
      accept: `${DIRECTORY_TYPE}, application/jwk-set+json;q=0.9, application/json;q=0.8`,
      'accept-encoding': 'identity',
    });
    expect(headers?.['user-agent']).toMatch(/^commerce-arbiter\/\d/);
    for (const name of ['cookie', 'authorization', 'referer', 'if-none-match'])
      expect(headers).not.toHaveProperty(name);
    expect(house.fetches).toMatchObject([
      { outcome: 'fetched', host: `127.0.0.1:${server.port}`, durationMs: 0 },
    ]);
  });

  it.each([
    ['application/json', true],
    ['application/jwk-set+json; charset=utf-8', true],
    [DIRECTORY_TYPE.toUpperCase(), true],
    ['application/vnd.a.b+json', true],
    ['text/html', false],
    ['text/html; charset=utf-8', false],
    ['text/plain', false],
    ['application/xhtml+xml', false],
    ['application/jsonp', false],
    ['application/json, text/html', false],
    ['', false],
  ])('elsewhere may answer any JSON and nothing else: %s', async (type, isRead) => {
    const path = pathOf(answering(GOOD, { 'content-type': type }));
    const resolved = await directoryHouse().resolve(jwksAt(server.url(path)), key.thumbprint);
    expect(resolved).toMatchObject(isRead ? found : unavailable);
  });

  it('at the well-known path has the exact media type, which is only told in log mode', async () => {
    const host = await DirectoryServer.start();
    host.on(WELL_KNOWN, answering(GOOD, JSON_TYPE));
    const house = directoryHouse();
    const ask = (isStrict: boolean) =>
      house.resolve(directoryAt(host.url('')), key.thumbprint, { isStrict });
    expect(await ask(true)).toEqual(unavailable);
    expect(await ask(false)).toMatchObject({ ...found, notes: { isExactMediaType: false } });
    host.on(WELL_KNOWN, answering(GOOD, { 'content-type': 'text/html' }));
    const other = directoryHouse();
    expect(
      await other.resolve(directoryAt(host.url('')), key.thumbprint, { isStrict: false }),
    ).toEqual(unavailable);
  });

  it('may list 32 keys, bad ones among them', async () => {
    const bad = [
      null,
      {},
      { ...key.jwk, x: 'AA' },
      { ...agentKey().jwk, d: 'AA' },
      { ...agentKey().jwk, use: 'enc' },
      { ...agentKey().jwk, nbf: 1_743_465_600_000 },
      { kty: 'oct', k: 'c2VjcmV0' },
      { kty: 'OKP', crv: 'Ed25519', x: `${'A'.repeat(42)}A` },
    ];
    const list = [...bad, ...Array.from({ length: 23 }, () => agentKey().jwk), key.jwk];
    expect(list).toHaveLength(32);
    const path = pathOf(answering(JSON.stringify({ keys: list }), JSON_TYPE));
    expect(await directoryHouse().resolve(jwksAt(server.url(path)), key.thumbprint)).toMatchObject(
      found,
    );
  });
});

describe('a directory that misbehaves is no source of keys', () => {
  const large = (bytes: number) =>
    directoryOf(key).replace('{', `{"pad":"${'x'.repeat(bytes - GOOD.length - 9)}",`);

  it('the table knows its sizes', () => {
    expect(large(64 * 1_024)).toHaveLength(64 * 1_024);
    expect(JSON.parse(large(64 * 1_024))).toMatchObject({ keys: [key.jwk] });
  });

  it.each<[string, string, Answering]>([
    ['65 KiB', 'too_large', answering(large(65 * 1_024), JSON_TYPE)],
    ['one byte over 64 KiB', 'too_large', answering(large(64 * 1_024 + 1), JSON_TYPE)],
    [
      'no end',
      'too_large',
      (_request, response) => {
        response.writeHead(200, JSON_TYPE);
        const more = () => void response.write('x'.repeat(16_384), more);
        more();
      },
    ],
    [
      'a gzip bomb',
      'encoded',
      answering(gzipSync(Buffer.alloc(20 * 1_024 * 1_024)), {
        ...JSON_TYPE,
        'content-encoding': 'gzip',
      }),
    ],
    ['gzip that says nothing', 'malformed', answering(gzipSync(GOOD), JSON_TYPE)],
    ['302', 'redirect', answering('', { location: '/good.json' }, 302)],
    ['301 to itself', 'redirect', answering('', { location: '?' }, 301)],
    ['304 that nobody asked for', 'http_status', answering('', {}, 304)],
    ['404 with keys', 'http_status', answering(GOOD, JSON_TYPE, 404)],
    ['206', 'http_status', answering(GOOD, JSON_TYPE, 206)],
    ['500', 'away', answering(GOOD, JSON_TYPE, 500)],
    ['429', 'away', answering(GOOD, JSON_TYPE, 429)],
    ['HTML 200', 'content_type', answering('<html></html>', { 'content-type': 'text/html' })],
    [
      '33 keys',
      'too_many_keys',
      answering(
        directoryOf(key, ...Array.from({ length: 32 }, () => ({ jwk: { kty: 'RSA' } }))),
        JSON_TYPE,
      ),
    ],
    ['no JSON', 'malformed', answering(`${GOOD}x`, JSON_TYPE)],
    ['nothing', 'malformed', answering('', JSON_TYPE)],
    ['null', 'malformed', answering('null', JSON_TYPE)],
    ['an array', 'malformed', answering(`[${JSON.stringify(key.jwk)}]`, JSON_TYPE)],
    ['no keys', 'malformed', answering('{"signing_keys":[]}', JSON_TYPE)],
    ['keys that are none', 'malformed', answering('{"keys":{}}', JSON_TYPE)],
    ['deep nesting', 'malformed', answering('['.repeat(60_000), JSON_TYPE)],
    [
      'no UTF-8',
      'malformed',
      answering(
        Buffer.concat([Buffer.from(GOOD.slice(0, -1)), Buffer.from([0xff, 0x7d])]),
        JSON_TYPE,
      ),
    ],
    [
      'headers over 16 KiB',
      'too_large',
      answering(GOOD, { ...JSON_TYPE, 'x-a': 'a'.repeat(17_000) }),
    ],
    ['a cut connection', 'connect_failed', (request) => request.socket.destroy()],
    [
      'half a body',
      'connect_failed',
      (_request, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': String(GOOD.length) });
        response.write(GOOD.slice(0, 10), () => response.destroy());
      },
    ],
  ])('by %s', async (_name, outcome, answer) => {
    server.on('/good.json', answering(GOOD, JSON_TYPE));
    const before = server.countOf('/good.json');
    const house = directoryHouse();
    const path = pathOf(answer);
    expect(await house.resolve(jwksAt(server.url(path)), key.thumbprint)).toEqual(unavailable);
    expect(house.fetches).toMatchObject([{ outcome }]);
    expect(house.lines).toEqual([
      {
        line: 'A key directory could not be read',
        details: { url: server.url(path), fault: outcome },
      },
    ]);
    // Nothing else was asked, and not twice.
    expect(server.countOf(path)).toBe(1);
    expect(server.countOf('/good.json')).toBe(before);
  });

  it('64 KiB are read', async () => {
    const path = pathOf(answering(large(64 * 1_024), JSON_TYPE));
    expect(await directoryHouse().resolve(jwksAt(server.url(path)), key.thumbprint)).toMatchObject(
      found,
    );
  });

  it('by dripping for 3 s: 2.5 s are enough', async () => {
    const path = pathOf((_request, response) => {
      response.writeHead(200, JSON_TYPE);
      const bytes = [...GOOD];
      // All of it would be there after 3 s.
      const timer = setInterval(() => {
        const some = bytes.splice(0, 1).join('');
        if (bytes.length > 0) response.write(some);
        else response.end(some);
      }, 3_000 / GOOD.length);
      response.on('close', () => clearInterval(timer));
    });
    const house = directoryHouse();
    const startMs = performance.now();
    expect(await house.resolve(jwksAt(server.url(path)), key.thumbprint)).toEqual(unavailable);
    expect(performance.now() - startMs).toBeLessThan(2_950);
    expect(house.fetches).toMatchObject([{ outcome: 'timeout' }]);
  });

  it('by taking longer than 1.5 s for its headers', async () => {
    const path = pathOf(() => undefined);
    const house = directoryHouse();
    const startMs = performance.now();
    expect(await house.resolve(jwksAt(server.url(path)), key.thumbprint)).toEqual(unavailable);
    expect(performance.now() - startMs).toBeLessThan(2_400);
    expect(house.fetches).toMatchObject([{ outcome: 'timeout' }]);
  });

  it('by speaking no HTTP, or by not being there', async () => {
    const tcp = createTcpServer((socket) =>
      socket.on('error', () => undefined).end('SSH-2.0-OpenSSH\r\n', () => socket.destroy()),
    );
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    const house = directoryHouse();
    const url = `http://127.0.0.1:${port}/keys`;
    expect(await house.resolve(jwksAt(url), key.thumbprint)).toEqual(unavailable);
    await new Promise((resolve) => tcp.close(resolve));
    expect(await directoryHouse().resolve(jwksAt(url), key.thumbprint)).toEqual(unavailable);
    expect(house.fetches).toMatchObject([{ outcome: 'connect_failed' }]);
  });
});

describe('an address that leads elsewhere', () => {
  const resolving = (addresses: readonly string[]) => {
    const asked: string[] = [];
    const resolve = (hostname: string) => {
      asked.push(hostname);
      return Promise.resolve(addresses);
    };
    const client = (allowLoopbackPeers: boolean) =>
      createOutboundClient({ allowLoopbackPeers, nowMs: Date.now, resolve });
    return { asked, outbound: { loopback: client(true), public: client(false) } };
  };

  it.each([
    ['private', ['10.0.0.1']],
    ['another private', ['192.168.1.1']],
    ['shared', ['100.64.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['mapped loopback', ['::ffff:7f00:1']],
    ['unique local', ['fd00::1']],
    ['translated', ['64:ff9b::a00:1']],
    ['this network', ['0.0.0.0']],
    ['public and private', ['93.184.216.34', '10.0.0.1']],
    ['private and public', ['10.0.0.1', '93.184.216.34']],
    ['public and IPv6 private', ['93.184.216.34', 'fc00::1']],
    ['public and loopback', ['93.184.216.34', '127.0.0.1']],
  ])('behind a name: %s', async (_name, addresses) => {
    const { asked, outbound } = resolving(addresses);
    const house = directoryHouse({ outbound });
    const resolved = await house.resolve(directoryAt('https://agent.shop'), key.thumbprint, {
      world: 'live',
    });
    expect(resolved).toEqual(unavailable);
    expect(house.fetches).toMatchObject([{ outcome: 'refused_address' }]);
    expect(asked).toEqual(['agent.shop']);
  });

  it.each([
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://①②⑦.0.0.1',
    'https://127.0.0.1.',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://169.254.169.254',
    'https://10.0.0.1',
    'https://0',
    'https://8.8.8.8',
    'https://[2606:4700::1111]',
    'https://localhost',
    'https://localhost.',
    'https://a.localhost',
    'https://agent.shop.',
    'https://agent',
    'https://agent.internal',
    'https://agent.example',
    'https://user@agent.shop',
    'https://agent.shop:8443',
    'http://agent.shop',
    'ftp://agent.shop',
    'https://',
    'agent.shop',
    `https://agent.shop/${'x'.repeat(512)}`,
  ])('is refused before anybody is asked: %s', async (origin) => {
    const { asked, outbound } = resolving(['93.184.216.34']);
    const house = directoryHouse({ outbound });
    for (const source of [
      directoryAt(origin),
      jwksAt(`${origin}/keys`),
      profileAt(`${origin}/ucp`),
    ])
      expect(await house.resolve(source, key.thumbprint, { world: 'live' })).toEqual({
        kind: 'none',
        reason: 'agent_url_refused',
      });
    expect(asked).toEqual([]);
    expect(house.fetches).toEqual([]);
  });

  it('on this machine is refused to live tenants, even when a test tenant brought a copy', async () => {
    const path = pathOf(answering(GOOD, JSON_TYPE));
    const house = directoryHouse();
    const source = jwksAt(server.url(path));
    const ask = (world: 'test' | 'live') => house.resolve(source, key.thumbprint, { world });
    expect(await ask('test')).toMatchObject(found);
    expect(await ask('live')).toEqual({ kind: 'none', reason: 'agent_url_refused' });
  });

  it('on this machine behind a public name: a copy for test tenants is none for live ones', async () => {
    const { outbound } = resolving(['127.0.0.1']);
    const house = directoryHouse({ outbound });
    // Asked over TLS on port 443 of this machine, where nobody is.
    const source = directoryAt('https://agent.shop');
    await house.resolve(source, key.thumbprint, { world: 'test' });
    await house.resolve(source, key.thumbprint, { world: 'live' });
    expect(house.fetches.map(({ outcome }) => outcome)).toEqual([
      'connect_failed',
      'refused_address',
    ]);
  });

  it('on this machine is refused to everybody without the switch', async () => {
    const path = pathOf(answering(GOOD, JSON_TYPE));
    const client = createOutboundClient({ allowLoopbackPeers: false, nowMs: Date.now });
    const house = directoryHouse({ outbound: { loopback: null, public: client } });
    expect(await house.resolve(jwksAt(server.url(path)), key.thumbprint)).toEqual({
      kind: 'none',
      reason: 'agent_url_refused',
    });
    expect(server.countOf(path)).toBe(0);
  });
});
