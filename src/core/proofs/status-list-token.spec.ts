import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeKey, signToken } from '../../../test/support/issuer.js';
import { describeWithOracle } from '../../../test/support/oracles.js';
import type { CanonicalValue } from '../kernel/index.js';
import { encodeBase64url } from './base64url.js';
import { inflateStatusList, STATUS_LIST_BYTES_MAX, statusValueAt } from './status-list-codec.js';
import {
  isStatusRef,
  parseStatusListToken,
  readStatusList,
  STATUS_LIST_TOKEN_LENGTH_MAX,
  statusListTimeFault,
} from './status-list-token.js';

const NOW_S = 1_796_000_000;
const NOW_MS = NOW_S * 1_000;
const URI = 'https://lists.example/status/tnt_1/1';
const key = makeKey('EdDSA');
const sound = {
  iss: 'https://lists.example',
  sub: URI,
  iat: NOW_S - 20,
  exp: NOW_S + 3_580,
  ttl: 60,
  version: 4,
  status_list: { bits: 2, lst: 'eNo76fITAAPfAgc' },
};
const listToken = (
  claims: Readonly<Record<string, CanonicalValue | undefined>> = {},
  header: Readonly<Record<string, CanonicalValue | undefined>> = {},
) => signToken(key, { typ: 'statuslist+jwt', claims: { ...sound, ...claims }, header });

const formFault = (text: string) => {
  const parsed = parseStatusListToken(text);
  return parsed.ok ? null : parsed.error;
};
const claimsFault = (
  claims: Readonly<Record<string, unknown>>,
  { nowMs = NOW_MS, isVersioned = true } = {},
) => {
  const read = readStatusList(
    { claims: { ...sound, ...claims } },
    { uri: URI, nowMs, isVersioned },
  );
  return read.ok ? null : read.error;
};

describe('the form of a signed list', () => {
  it('is read from a good one, whatever else it claims', () => {
    const parsed = parseStatusListToken(
      listToken({ aggregation_uri: 'https://elsewhere.example' }),
    );
    expect(parsed).toMatchObject({ ok: true, value: { kid: key.kid, header: { alg: 'EdDSA' } } });
  });

  it('may be longer than a token of ours', () => {
    const status_list = { bits: 2, lst: 'A'.repeat(1_000_000) };
    expect(formFault(listToken({ status_list }))).toBeNull();
  });

  const [header = '', payload = '', signature = ''] = listToken().split('.');
  const withHeader = (members: unknown) =>
    `${encodeBase64url(JSON.stringify(members))}.${payload}.${signature}`;
  const good = { alg: 'EdDSA', kid: 'k', typ: 'statuslist+jwt' };

  it.each([
    ['nothing', '', 'status_token'],
    ['a page', '<html></html>', 'status_token'],
    ['two parts', `${header}.${payload}`, 'status_token'],
    [
      'a payload that is no object',
      `${header}.${encodeBase64url('[]')}.${signature}`,
      'status_token',
    ],
    [
      'a member twice',
      `${header}.${encodeBase64url('{"sub":"a","sub":"b"}')}.${signature}`,
      'status_token',
    ],
    ['too many characters', 'a'.repeat(STATUS_LIST_TOKEN_LENGTH_MAX + 1), 'status_too_large'],
    ['alg none', withHeader({ ...good, alg: 'none' }), 'status_header'],
    ['HMAC', withHeader({ ...good, alg: 'HS256' }), 'status_header'],
    ['RSA', withHeader({ ...good, alg: 'RS256' }), 'status_header'],
    ['typ JWT', withHeader({ ...good, typ: 'JWT' }), 'status_header'],
    ['no typ', withHeader({ alg: 'EdDSA', kid: 'k' }), 'status_header'],
    ['the typ of a CWT', withHeader({ ...good, typ: 'statuslist+cwt' }), 'status_header'],
    ['no kid', withHeader({ alg: 'EdDSA', typ: 'statuslist+jwt' }), 'status_header'],
    ['its own key', withHeader({ ...good, jwk: key.jwk }), 'status_header'],
    ['a key elsewhere', withHeader({ ...good, jku: 'https://evil.example' }), 'status_header'],
    ['a critical member', withHeader({ ...good, crit: ['b64'], b64: false }), 'status_header'],
    ['a cut signature', `${header}.${payload}.${signature.slice(0, -2)}`, 'status_signature'],
    ['no signature', `${header}.${payload}.`, 'status_signature'],
  ])('%s', (_name, text, fault) => expect(formFault(text)).toBe(fault));
});

describe('the claims of a verified list', () => {
  it('are read', () => {
    const read = readStatusList({ claims: sound }, { uri: URI, nowMs: NOW_MS, isVersioned: true });
    expect(read).toEqual({
      ok: true,
      value: {
        issuedAtMs: NOW_MS - 20_000,
        expiresAtMs: NOW_MS + 3_580_000,
        ttlMs: 60_000,
        version: 4,
        bits: 2,
        lst: 'eNo76fITAAPfAgc',
      },
    });
  });

  it.each([
    ['another list', { sub: `${URI}0` }, 'status_list_swap'],
    ['no name', { sub: undefined }, 'status_list_swap'],
    ['an iat in text', { iat: '1796000000' }, 'status_from_future'],
    ['a fraction', { iat: NOW_S - 0.5 }, 'status_from_future'],
    ['no iat', { iat: undefined }, 'status_from_future'],
    ['half a minute ahead', { iat: NOW_S + 30 }, null],
    ['more than that', { iat: NOW_S + 31 }, 'status_from_future'],
    ['an hour ahead', { iat: NOW_S + 3_600, exp: NOW_S + 7_200 }, 'status_from_future'],
    ['no exp', { exp: undefined }, 'status_exp_before_iat'],
    ['exp at iat', { exp: sound.iat }, 'status_exp_before_iat'],
    ['exp before iat', { exp: sound.iat - 1 }, 'status_exp_before_iat'],
    ['an hour', { exp: sound.iat + 3_600 }, null],
    ['more than an hour', { exp: sound.iat + 3_601 }, 'status_exp_too_late'],
    ['no ttl', { ttl: undefined }, 'status_ttl'],
    ['ttl 0', { ttl: 0 }, 'status_ttl'],
    ['ttl 1', { ttl: 1 }, null],
    ['ttl -1', { ttl: -1 }, 'status_ttl'],
    ['ttl 600', { ttl: 600 }, null],
    ['ttl 601', { ttl: 601 }, 'status_ttl'],
    ['ttl 1e9', { ttl: 1e9 }, 'status_ttl'],
    ['ttl in text', { ttl: '300' }, 'status_ttl'],
    ['no version', { version: undefined }, 'status_version'],
    ['version -1', { version: -1 }, 'status_version'],
    ['version in text', { version: '4' }, 'status_version'],
    ['version 2^53', { version: 2 ** 53 }, 'status_version'],
    ['no list', { status_list: undefined }, 'status_bits'],
    ['a list in text', { status_list: 'eNo76fITAAPfAgc' }, 'status_bits'],
    ['no bits', { status_list: { lst: 'x' } }, 'status_bits'],
    ['3 bits', { status_list: { bits: 3, lst: 'x' } }, 'status_bits'],
    ['no lst', { status_list: { bits: 2 } }, 'status_encoding'],
  ])('%s', (_name, claims, fault) => expect(claimsFault(claims)).toBe(fault));

  it('need a version from our own authority only, and nobody else\u2019s counts', () => {
    for (const version of [undefined, 'v1', 7]) {
      const read = readStatusList(
        { claims: { ...sound, version } },
        { uri: URI, nowMs: NOW_MS, isVersioned: false },
      );
      expect(read.ok && read.value.version).toBeNull();
    }
  });

  it('that break several rules name the first', () => {
    const wrong = [
      ['sub', undefined, 'status_list_swap'],
      ['iat', NOW_S + 3_600, 'status_from_future'],
      ['exp', 1, 'status_exp_before_iat'],
      ['ttl', 0, 'status_ttl'],
      ['version', null, 'status_version'],
      ['status_list', null, 'status_bits'],
    ] as const;
    for (const [at, [, , fault]] of wrong.entries()) {
      const claims = Object.fromEntries(wrong.slice(at).map(([name, value]) => [name, value]));
      expect(claimsFault(claims)).toBe(fault);
    }
  });
});

describe('whether a list still counts', () => {
  const times = { issuedAtMs: NOW_MS, expiresAtMs: NOW_MS + 3_600_000, ttlMs: 60_000 };

  it.each([
    ['at its iat', times, NOW_MS, null],
    ['on its last millisecond', times, NOW_MS + 60_000, null],
    ['one later', times, NOW_MS + 60_001, 'status_stale'],
    ['at 61 s', times, NOW_MS + 61_000, 'status_stale'],
    ['minute 10', { ...times, ttlMs: 600_000 }, NOW_MS + 600_000, null],
    ['after it', { ...times, ttlMs: 600_000 }, NOW_MS + 600_001, 'status_stale'],
    ['after it, whatever the ttl', { ...times, ttlMs: 900_000 }, NOW_MS + 600_001, 'status_stale'],
    ['before exp', { ...times, expiresAtMs: NOW_MS + 1_000 }, NOW_MS + 999, null],
    ['at exp', { ...times, expiresAtMs: NOW_MS + 1_000 }, NOW_MS + 1_000, 'status_expired'],
    ['a slow clock here', times, NOW_MS - 30_000, null],
    ['too slow a one', times, NOW_MS - 30_001, 'status_from_future'],
  ] as const)('%s', (_name, list, nowMs, fault) =>
    expect(statusListTimeFault(list, nowMs)).toBe(fault),
  );
});

it.each([
  [{ uri: 'x', index: 0 }, true],
  [{ uri: '', index: 0 }, false],
  [{ uri: 'x', index: -1 }, false],
  [{ uri: 'x', index: 0.5 }, false],
  [{ uri: 'x', index: NaN }, false],
])('%j is a place: %s', (ref, expected) => expect(isStatusRef(ref)).toBe(expected));

interface Oracle {
  readonly signed: {
    readonly public_jwk: Readonly<Record<string, string>>;
    readonly jwt: { readonly token: string; readonly values_at: readonly number[] };
  };
  readonly bad_bits: readonly unknown[];
}

describeWithOracle<Oracle>('trust/token-status-list.json', 'the public signed list', (oracle) => {
  const { public_jwk: jwk, jwt } = oracle.signed;

  it('verifies, and its places are read; our profile refuses its ttl and life', () => {
    const parsed = parseStatusListToken(jwt.token);
    if (!parsed.ok) expect.fail(parsed.error);
    const { signingInput, signature, claims } = parsed.value;
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(signingInput), options, signature)).toBe(true);
    const { lst } = claims['status_list'] as { lst: string };
    const bytes = inflateStatusList(lst, { bytesMax: STATUS_LIST_BYTES_MAX });
    if (!bytes.ok) expect.fail(bytes.error);
    expect(jwt.values_at.map((_, index) => statusValueAt(bytes.value, 1, index))).toEqual(
      jwt.values_at.map((value) => ({ ok: true, value })),
    );
    const profile = { uri: String(claims['sub']), nowMs: NOW_MS, isVersioned: false };
    expect(readStatusList({ claims }, profile)).toEqual({
      ok: false,
      error: 'status_exp_too_late',
    });
  });

  it.each(oracle.bad_bits)('%j bits are refused', (bits) =>
    expect(claimsFault({ status_list: { bits, lst: 'x' } })).toBe('status_bits'),
  );
});
