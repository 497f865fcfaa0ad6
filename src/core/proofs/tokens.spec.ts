import { createHmac, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeWithOracle } from '../../../test/support/oracles.js';
import {
  makeKey,
  mandateToken,
  passportToken,
  type Scene,
  signToken,
} from '../../../test/support/issuer.js';
import { decodeBase64url, encodeBase64url } from './base64url.js';
import { parsePublicJwk } from './jwk.js';
import { HEADER_LENGTH_MAX, parseDetachedJws, parseToken, TOKEN_LENGTH_MAX } from './jws.js';
import { parseKeyBinding, splitMandate } from './key-binding.js';
import { parseMandateClaims, parsePassportClaims, passportLifeFault } from './token-claims.js';

const key = makeKey('ES256');
const scene: Scene = {
  tenantId: 'tnt_1',
  merchantId: 'shop-1',
  agentId: 'agt_1',
  buyer: 'buyer@example.org',
  issuer: 'https://issuer.example',
  atMs: 1_796_000_000_000,
};
const slot = { uri: 'urn:list', index: 7 };
const good = mandateToken({ key, scene, slot });
const [goodHeader = '', goodClaims = '', goodSignature = ''] = good.split('.');

/** The first fault of a token whose header is replaced as a whole; the signature is never looked at here. */
const withHeader = (header: unknown) =>
  parseToken(`${encodeBase64url(JSON.stringify(header))}.${goodClaims}.${goodSignature}`, [
    'mandate+jwt',
  ]);

describe('parseToken', () => {
  it('reads a good token', () => {
    const parsed = parseToken(good, ['mandate+jwt']);
    expect(parsed.ok && parsed.value.header).toEqual({
      alg: 'ES256',
      kid: key.kid,
      typ: 'mandate+jwt',
    });
    expect(parsed.ok && parsed.value.signingInput).toBe(`${goodHeader}.${goodClaims}`);
  });

  it.each([
    ['alg none', { alg: 'none', kid: 'k', typ: 'mandate+jwt' }, 'algorithm', 'header.alg'],
    ['alg nOnE', { alg: 'nOnE', kid: 'k', typ: 'mandate+jwt' }, 'algorithm', 'header.alg'],
    ['no alg', { kid: 'k', typ: 'mandate+jwt' }, 'algorithm', 'header.alg'],
    ['HMAC', { alg: 'HS256', kid: 'k', typ: 'mandate+jwt' }, 'algorithm', 'header.alg'],
    ['RSA', { alg: 'RS256', kid: 'k', typ: 'mandate+jwt' }, 'algorithm', 'header.alg'],
    ['ES384', { alg: 'ES384', kid: 'k', typ: 'mandate+jwt' }, 'algorithm', 'header.alg'],
    [
      'an algorithm in a list',
      { alg: ['ES256'], kid: 'k', typ: 'mandate+jwt' },
      'algorithm',
      'header.alg',
    ],
    [
      'jku',
      { alg: 'ES256', kid: 'k', typ: 'mandate+jwt', jku: 'https://evil.example' },
      'shape',
      'header.jku',
    ],
    ['jwk', { alg: 'ES256', kid: 'k', typ: 'mandate+jwt', jwk: key.jwk }, 'shape', 'header.jwk'],
    [
      'x5u',
      { alg: 'ES256', kid: 'k', typ: 'mandate+jwt', x5u: 'https://evil.example' },
      'shape',
      'header.x5u',
    ],
    ['x5c', { alg: 'ES256', kid: 'k', typ: 'mandate+jwt', x5c: [] }, 'shape', 'header.x5c'],
    ['crit', { alg: 'ES256', kid: 'k', typ: 'mandate+jwt', crit: ['exp'] }, 'shape', 'header.crit'],
    ['b64', { alg: 'ES256', kid: 'k', typ: 'mandate+jwt', b64: false }, 'shape', 'header.b64'],
    ['an empty kid', { alg: 'ES256', kid: '', typ: 'mandate+jwt' }, 'shape', 'header.kid'],
    [
      'a kid of 129',
      { alg: 'ES256', kid: 'k'.repeat(129), typ: 'mandate+jwt' },
      'shape',
      'header.kid',
    ],
    ['a numeric kid', { alg: 'ES256', kid: 1, typ: 'mandate+jwt' }, 'shape', 'header.kid'],
    ['another typ', { alg: 'ES256', kid: 'k', typ: 'consent+jwt' }, 'shape', 'header.typ'],
    ['no typ', { alg: 'ES256', kid: 'k' }, 'shape', 'header.typ'],
    ['a typ that is no text', { alg: 'ES256', kid: 'k', typ: null }, 'shape', 'header.typ'],
    ['a header that is no object', ['ES256'], 'shape', 'header'],
  ])('refuses %s', (_name, header, check, member) => {
    expect(withHeader(header)).toMatchObject({ ok: false, error: { check, member } });
  });

  it.each([
    [
      'duplicate member in the header',
      '{"alg":"ES256","alg":"none","kid":"k","typ":"mandate+jwt"}',
    ],
    [
      'escaped duplicate in the header',
      '{"alg":"ES256","\\u0061lg":"none","kid":"k","typ":"mandate+jwt"}',
    ],
    ['no JSON', 'alg=ES256'],
  ])('refuses a header with %s', (_name, text) => {
    const parsed = parseToken(`${encodeBase64url(text)}.${goodClaims}.${goodSignature}`, [
      'mandate+jwt',
    ]);
    expect(parsed).toMatchObject({ ok: false, error: { check: 'shape', member: 'header' } });
  });

  it.each([
    ['duplicate claims', '{"iss":"a","iss":"b"}'],
    ['a payload that is a list', '[]'],
    ['a payload that is null', 'null'],
    ['a payload with a lone surrogate', '{"iss":"\\ud800"}'],
  ])('refuses %s', (_name, text) => {
    const parsed = parseToken(`${goodHeader}.${encodeBase64url(text)}.${goodSignature}`, [
      'mandate+jwt',
    ]);
    expect(parsed).toMatchObject({ ok: false, error: { check: 'shape' } });
  });

  it('refuses bytes that are no UTF-8', () => {
    const payload = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url');
    expect(parseToken(`${goodHeader}.${payload}.${goodSignature}`, ['mandate+jwt']).ok).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['two parts', `${goodHeader}.${goodClaims}`],
    ['four parts', `${good}.x`],
    ['five parts (JWE)', 'a.b.c.d.e'],
    ['padding', `${goodHeader}=.${goodClaims}.${goodSignature}`],
    ['standard base64', `${goodHeader}.${goodClaims}.${'+/'.repeat(43)}`],
    ['a truncated signature', good.slice(0, -2)],
    ['a longer signature', `${good}AA`],
    ['no signature', `${goodHeader}.${goodClaims}.`],
    ['white space', ` ${good}`],
  ])('refuses %s', (_name, token) => {
    expect(parseToken(token, ['mandate+jwt']).ok).toBe(false);
  });

  it('refuses spare bits in base64url', () => {
    const last = goodSignature.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = alphabet[alphabet.indexOf(last) ^ 1] ?? '';
    const respelled = goodSignature.slice(0, -1) + other;
    expect(Buffer.from(respelled, 'base64url')).toEqual(Buffer.from(goodSignature, 'base64url'));
    expect(decodeBase64url(respelled)).toBeNull();
  });

  it('bounds token and header on both sides', () => {
    const padded = (length: number) =>
      signToken(key, { typ: 'mandate+jwt', claims: { pad: 'x'.repeat(length) } });
    let length = 12_000;
    while (padded(length + 1).length <= TOKEN_LENGTH_MAX) length += 1;
    expect(parseToken(padded(length), ['mandate+jwt']).ok).toBe(true);
    const over = parseToken(`${padded(length)}${'A'.repeat(TOKEN_LENGTH_MAX)}`, ['mandate+jwt']);
    expect(over).toMatchObject({ error: { check: 'shape', member: null } });
    const header = {
      alg: 'ES256',
      kid: 'k',
      typ: 'mandate+jwt',
      pad: 'x'.repeat(HEADER_LENGTH_MAX),
    };
    expect(withHeader(header)).toMatchObject({ error: { member: 'header' } });
  });

  it('never takes an HMAC under the public key for a signature', () => {
    const pem = createPublicKey({ key: key.jwk, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const header = encodeBase64url(
      JSON.stringify({ alg: 'HS256', kid: key.kid, typ: 'mandate+jwt' }),
    );
    const mac = createHmac('sha256', pem).update(`${header}.${goodClaims}`).digest('base64url');
    expect(parseToken(`${header}.${goodClaims}.${mac}`, ['mandate+jwt'])).toMatchObject({
      error: { check: 'algorithm' },
    });
  });
});

describe('parseDetachedJws', () => {
  it.each(['', 'placeholder', 'a.b.c', '..', 'a..', `${goodHeader}..`, `${goodHeader}..AAAA`])(
    'calls %j no detached signature',
    (jws) => {
      expect(parseDetachedJws(jws, 'content').ok).toBe(false);
    },
  );
});

describeWithOracle<{ encodings: { jwk_x: string; order: number }[] }>(
  'trust/ed25519-small-order.json',
  'parsePublicJwk against small-order points',
  ({ encodings }) => {
    it('has the 14 encodings', () => expect(encodings).toHaveLength(14));
    it.each(encodings)('refuses $jwk_x (order $order)', ({ jwk_x: x }) => {
      const parsed = parsePublicJwk({ kty: 'OKP', crv: 'Ed25519', x });
      expect(parsed).toEqual({ ok: false, error: 'small_order' });
    });
  },
);

describe('parsePublicJwk', () => {
  const ed = makeKey('EdDSA');
  it('reads both key types and names the algorithm by the key', () => {
    expect(parsePublicJwk(key.jwk)).toMatchObject({ ok: true, value: { alg: 'ES256' } });
    expect(parsePublicJwk(ed.jwk)).toMatchObject({ ok: true, value: { alg: 'EdDSA' } });
  });

  it('computes the thumbprint of RFC 8037 appendix A.3', () => {
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    expect(parsePublicJwk({ kty: 'OKP', crv: 'Ed25519', x })).toMatchObject({
      value: { thumbprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' },
    });
  });

  it.each([
    ['text', 'key', 'not_an_object'],
    ['a private key', { ...ed.jwk, d: 'AAAA' }, 'private_member'],
    ['a symmetric key', { kty: 'oct', k: 'AAAA' }, 'private_member'],
    ['RSA', { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, 'key_type_unsupported'],
    ['P-384', { ...key.jwk, crv: 'P-384' }, 'key_type_unsupported'],
    ['X25519', { ...ed.jwk, crv: 'X25519' }, 'key_type_unsupported'],
    ['ES256 on Ed25519', { ...ed.jwk, alg: 'ES256' }, 'algorithm_contradicts_key'],
    ['EdDSA on P-256', { ...key.jwk, alg: 'EdDSA' }, 'algorithm_contradicts_key'],
    ['a short coordinate', { ...ed.jwk, x: 'AAAA' }, 'coordinate_malformed'],
    ['a point beside the curve', { ...key.jwk, y: key.jwk['x'] }, 'point_not_on_curve'],
  ])('refuses %s', (_name, jwk, error) => {
    expect(parsePublicJwk(jwk)).toEqual({ ok: false, error });
  });
});

describe('claims', () => {
  const claimsOf = (claims: Record<string, unknown>, token = good): Record<string, unknown> => {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const merged = { ...(JSON.parse(text) as Record<string, unknown>), ...claims };
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  };

  it('reads a good mandate', () => {
    expect(parseMandateClaims(claimsOf({}))).toMatchObject({
      ok: true,
      value: { kind: 'intent', cap: { amountMinor: 5_000_000n, currency: 'INR' }, status: slot },
    });
  });

  it.each([
    'iss',
    'sub',
    'aud',
    'jti',
    'iat',
    'exp',
    'tenant_id',
    'agent_id',
    'kind',
    'merchant_ids',
    'cap',
    'status',
  ])('refuses a mandate without %s: what is missing never reads as good', (claim) => {
    const parsed = parseMandateClaims(claimsOf({ [claim]: undefined }));
    expect(parsed).toMatchObject({ ok: false, error: { check: 'shape' } });
    if (!parsed.ok) expect(parsed.error.member).toContain(claim);
  });

  it.each([
    ['an unknown claim', { caps: {} }, 'caps'],
    ['exp at iat', { iat: 100, nbf: undefined, exp: 100 }, 'exp'],
    ['exp before iat', { iat: 100, nbf: undefined, exp: 99 }, 'exp'],
    ['exp at nbf', { iat: 100, nbf: 200, exp: 200 }, 'exp'],
    ['a fraction of a second', { iat: 100.5 }, 'iat'],
    ['a time as text', { exp: '1796000000' }, 'exp'],
    ['a cart mandate without cart', { kind: 'cart' }, 'cart_hash'],
    ['an intent with cart', { cart_hash: 'a'.repeat(64) }, 'cart_hash'],
    ['a cart hash in capitals', { kind: 'cart', cart_hash: 'A'.repeat(64) }, 'cart_hash'],
    ['any merchant beside one', { merchant_ids: ['*', 'shop-1'] }, 'merchant_ids'],
    [
      'any merchant in a cart',
      { kind: 'cart', cart_hash: 'a'.repeat(64), merchant_ids: ['*'] },
      'merchant_ids',
    ],
    ['no merchant', { merchant_ids: [] }, 'merchant_ids'],
    ['a cap as number', { cap: { amount: 5, currency: 'INR' } }, 'cap.amount'],
    ['a negative cap', { cap: { amount: '-5', currency: 'INR' } }, 'cap.amount'],
    ['a cap in no currency', { cap: { amount: '5', currency: 'inr' } }, 'cap.currency'],
    ['its own parent', { jti: 'mnd_1', parent: 'mnd_1' }, 'parent'],
    [
      'a negative index',
      { status: { status_list: { uri: 'urn:l', idx: -1 } } },
      'status.status_list.idx',
    ],
    [
      'an index of 2^31',
      { status: { status_list: { uri: 'urn:l', idx: 2 ** 31 } } },
      'status.status_list.idx',
    ],
    ['NUL in the buyer', { sub: 'a\0b' }, 'sub'],
    ['NUL in a list', { merchant_ids: ['a\0b'] }, 'merchant_ids'],
    ['payment terms in an intent', { payment: { rail: 'upi_autopay' } }, 'payment'],
    [
      'a small-order buyer key',
      { cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } } },
      'cnf.jwk',
    ],
  ])('refuses %s', (_name, claims, member) => {
    expect(parseMandateClaims(claimsOf(claims))).toMatchObject({
      ok: false,
      error: { check: 'shape', member },
    });
  });

  const passport = passportToken({ key, scene, slot }, { consentId: 'crec_1' });
  it.each([
    ['checkout', 600, true],
    ['checkout', 601, false],
    ['browse', 3_600, true],
    ['browse', 3_601, false],
  ] as const)('lets a %s passport live %i s: %s', (passportType, life, isWithin) => {
    const parsed = parsePassportClaims(
      claimsOf(
        { passport_type: passportType, iat: 1_000, nbf: 1_000, exp: 1_000 + life },
        passport,
      ),
    );
    expect(parsed.ok).toBe(true);
    if (parsed.ok) expect(passportLifeFault(parsed.value) === null).toBe(isWithin);
  });

  it('knows the worlds of a passport', () => {
    const worldOf = (env: unknown) => {
      const parsed = parsePassportClaims(claimsOf({ env }, passport));
      return parsed.ok ? parsed.value.world : parsed.error.member;
    };
    expect(['sandbox', 'test', 'live', 'staging', undefined].map(worldOf)).toEqual([
      'test',
      'test',
      'live',
      'env',
      'env',
    ]);
  });
});

describe('key binding', () => {
  const buyerKey = makeKey('EdDSA');
  const bound = mandateToken(
    { key, scene, slot },
    { kind: 'cart', cartHash: 'a'.repeat(64), buyerKey },
  );
  const [token = '', binding = ''] = bound.split('~');

  it('belongs to its own token only', () => {
    expect(splitMandate(bound)).toEqual({ ok: true, value: { token, binding } });
    expect(parseKeyBinding(binding, token)).toMatchObject({
      ok: true,
      value: { audiences: ['grantex-commerce'] },
    });
    expect(parseKeyBinding(binding, good)).toMatchObject({
      error: { check: 'signature', member: 'key_binding.sd_hash' },
    });
  });

  it.each([`${token}~`, `${token}~a~b`])('refuses the form %s', (compact) => {
    expect(splitMandate(compact).ok).toBe(false);
  });
});
