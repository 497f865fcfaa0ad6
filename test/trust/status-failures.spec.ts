import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deflateStatusList, encodeBase64url } from '../../src/core/proofs/index.js';
import { BAD_SERVERS, statusListToken } from '../support/fake-authority.js';
import { makeKey } from '../support/issuer.js';
import { AT_MS, type StatusDesk, statusDesk } from './status-desk.js';

// Every way in which a list can fail to come, against each state of the copy that is held: a copy that counts goes on
// counting, whatever the server does; one that is over is never brought back; and the fault says what happened.

type Break = (desk: StatusDesk) => void;

const iat = (desk: StatusDesk) => Math.floor(desk.atMs / 1_000);
const withList =
  (status_list: (desk: StatusDesk) => { bits: number; lst: string }): Break =>
  (desk) =>
    desk.publish({ claims: { status_list: status_list(desk) } });
const own = deflateStatusList(new Uint8Array(32_768), 6);

const BAD_LISTS: readonly (readonly [string, Break, string])[] = [
  ['two parts', ({ authority, uri }) => serve(authority, uri, 'eyJ.eyJ'), 'status_token'],
  ['alg none', (desk) => desk.publish({ header: { alg: 'none' } }), 'status_header'],
  ['another typ', (desk) => desk.publish({ header: { typ: 'JWT' } }), 'status_header'],
  ['no kid', (desk) => desk.publish({ header: { kid: undefined } }), 'status_header'],
  [
    'the algorithm of another key',
    (desk) => desk.publish({ header: { alg: 'ES256' } }),
    'status_header',
  ],
  ['an unknown kid', (desk) => desk.publish({ header: { kid: 'unknown' } }), 'status_key_unknown'],
  [
    'the signature of another key',
    (desk) => {
      const other = { ...makeKey('EdDSA'), kid: desk.key.kid };
      serve(desk.authority, desk.uri, statusListToken(other, { uri: desk.uri, atMs: desk.atMs }));
    },
    'status_signature',
  ],
  [
    'one bit of the signature',
    (desk) => {
      const token = statusListToken(desk.key, { uri: desk.uri, atMs: desk.atMs });
      const at = token.lastIndexOf('.') + 3;
      const flipped = token[at] === 'A' ? 'B' : 'A';
      serve(desk.authority, desk.uri, token.slice(0, at) + flipped + token.slice(at + 1));
    },
    'status_signature',
  ],
  [
    'tampered places',
    (desk) => {
      const [header, , signature] = statusListToken(desk.key, {
        uri: desk.uri,
        atMs: desk.atMs,
      }).split('.');
      const claims = {
        sub: desk.uri,
        iat: iat(desk),
        exp: iat(desk) + 60,
        ttl: 60,
        version: 9,
        status_list: { bits: 2, lst: own },
      };
      const payload = encodeBase64url(JSON.stringify(claims));
      serve(desk.authority, desk.uri, `${header}.${payload}.${signature}`);
    },
    'status_signature',
  ],
  [
    'a good list of another name',
    (desk) => desk.publish({ claims: { sub: `${desk.uri}1` } }),
    'status_list_swap',
  ],
  [
    'the list of another tenant',
    (desk) => desk.publish({ claims: { sub: desk.uri.replace(desk.tenantId, 'tnt_other') } }),
    'status_list_swap',
  ],
  [
    'a list from the future',
    (desk) => desk.publish({ atMs: desk.atMs + 200_000 }),
    'status_from_future',
  ],
  [
    'exp before iat',
    (desk) => desk.publish({ claims: { exp: iat(desk) - 1 } }),
    'status_exp_before_iat',
  ],
  [
    'a life of two hours',
    (desk) => desk.publish({ claims: { exp: iat(desk) + 7_200 } }),
    'status_exp_too_late',
  ],
  ['no ttl', (desk) => desk.publish({ claims: { ttl: undefined } }), 'status_ttl'],
  ['ttl 0', (desk) => desk.publish({ claims: { ttl: 0 } }), 'status_ttl'],
  ['ttl 86400', (desk) => desk.publish({ claims: { ttl: 86_400 } }), 'status_ttl'],
  ['no version', (desk) => desk.publish({ claims: { version: undefined } }), 'status_version'],
  ['one bit a place', (desk) => desk.publish({ bits: 1, places: 262_144 }), 'status_bits'],
  ['three bits a place', withList(() => ({ bits: 3, lst: own })), 'status_bits'],
  ['padding', withList(() => ({ bits: 2, lst: `${own}==` })), 'status_encoding'],
  [
    'a cut stream',
    withList(() => ({
      bits: 2,
      lst: encodeBase64url(deflateSync(Buffer.alloc(32_768)).subarray(0, 20)),
    })),
    'status_encoding',
  ],
  [
    'a bomb',
    withList(() => ({ bits: 2, lst: deflateStatusList(new Uint8Array(64 << 20), 9) })),
    'status_bomb',
  ],
  ['more places than it has', (desk) => desk.publish({ places: 131_076 }), 'status_bomb'],
  [
    'bytes behind the stream',
    withList(() => ({
      bits: 2,
      lst: encodeBase64url(Buffer.concat([deflateSync(Buffer.alloc(32_768)), Buffer.alloc(2)])),
    })),
    'status_trailing',
  ],
  ['fewer places than it has', (desk) => desk.publish({ places: 131_068 }), 'status_length'],
];

function serve(authority: StatusDesk['authority'], uri: string, token: string): void {
  authority.serve(uri, { token });
}

const FAILURES: readonly (readonly [string, Break, string])[] = [
  ...BAD_SERVERS.map(
    ([name, answer, fault]) =>
      [name, ({ authority, uri }: StatusDesk) => authority.serve(uri, answer), fault] as const,
  ),
  ...BAD_LISTS,
  ['our database is away', ({ database }) => (database.current = away), 'status_unavailable'],
  [
    'the list is not trusted any more',
    ({ trust }) => (trust.isTrusting = false),
    'status_uri_refused',
  ],
];
const away = { query: () => Promise.reject(new Error('connection terminated')) };

describe.each(FAILURES)('%s', (_name, breakIt, fault) => {
  // A server that never answers need not be waited for as long as in the service.
  const options = fault === 'status_timeout' ? { fetchMsMax: 150 } : {};

  it('no copy: every place is unavailable', async () => {
    const desk = await statusDesk(options);
    breakIt(desk);
    expect(await desk.ask()).toBe(fault);
    expect(desk.look()).toBe('status_unavailable');
  });

  it('a fresh copy goes on counting until its end, and not a millisecond longer', async () => {
    const desk = await statusDesk(options);
    desk.publish({ values: { 7: 1 } });
    expect(await desk.ask(7)).toBe(1);
    breakIt(desk);
    // The refresh, 80 % of the life later, meets the failure.
    desk.pass(48_000);
    await desk.lists.idle();
    expect(desk.warnings).toEqual([expect.stringContaining(fault)]);
    expect([desk.look(7), desk.look(8)]).toEqual([1, 0]);
    desk.atMs = AT_MS + 60_000;
    expect(desk.look(8)).toBe(0);
    desk.atMs += 1;
    expect(desk.look(8)).toBe('status_stale');
  });

  it('a copy that is over is not used again', async () => {
    const desk = await statusDesk(options);
    desk.publish();
    expect(await desk.ask()).toBe(0);
    await desk.lists.stop();
    desk.pass(61_000);
    breakIt(desk);
    expect(await desk.ask()).toBe(fault);
    expect(desk.look()).toBe('status_stale');
  });

  it('is over as soon as the server is well again', async () => {
    const desk = await statusDesk(options);
    breakIt(desk);
    expect(await desk.ask()).toBe(fault);
    desk.pass(1_001);
    const { database } = await statusDesk();
    Object.assign(desk.database, database);
    desk.trust.isTrusting = true;
    desk.publish();
    expect(await desk.ask()).toBe(0);
  });
});

it.each([
  ['an address of our own network', 'https://10.0.0.1/status/1', 'status_uri_refused'],
  ['the metadata service', 'https://169.254.169.254/status/1', 'status_uri_refused'],
  ['loopback', 'https://127.0.0.1/status/1', 'status_uri_refused'],
  ['a port that is no peer\u2019s', 'https://lists.example:22/status/1', 'status_uri_refused'],
  ['plain http', 'http://lists.example/status/1', 'status_uri_refused'],
  ['a name that no origin stands behind', 'urn:arbiter:status-list:tnt_1:1', 'status_uri_refused'],
  ['a form that a parser repairs', 'https://lists.example/a/../status/1', 'status_uri_refused'],
  ['a user name', 'https://user@lists.example/status/1', 'status_uri_refused'],
  ['a host that is not there', 'https://lists.invalid/status/1', 'status_unavailable'],
])('%s is never asked', async (_name, uri, fault) => {
  const desk = await statusDesk();
  expect(await desk.ask(0, { uri })).toBe(fault);
});

it('a list that our authority keeps for another tenant is not asked', async () => {
  const desk = await statusDesk();
  const other = desk.authority.newListUri('tnt_other');
  desk.publish({ uri: other });
  expect(await desk.ask(0, { uri: other })).toBe('status_uri_refused');
  expect(await desk.ask(0, { uri: `${desk.authority.origin}/elsewhere` })).toBe(
    'status_uri_refused',
  );
  expect(desk.authority.requestsOf(other)).toEqual([]);
});
