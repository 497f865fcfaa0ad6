import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPublicJwk } from './index.js';

type Jwk = Readonly<Record<string, unknown>>;

const read = (jwk: unknown, allowTestKeys = false) => readPublicJwk(jwk, { allowTestKeys });
const faultOf = (jwk: unknown): string | null => {
  const found = read(jwk);
  return found.ok ? null : found.error;
};

const ed25519 = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) as Jwk;
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
}) as Jwk;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({
  format: 'jwk',
}) as Jwk;
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey.export({
  format: 'jwk',
}) as Jwk;
const rsa = (modulusLength: number, publicExponent = 65_537): Jwk =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({
    format: 'jwk',
  });
const rsa2048 = rsa(2_048);
const RFC_ED25519 = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
};
const RFC_THUMBPRINT = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

describe('a key of a directory', () => {
  it.each([
    ['Ed25519', ed25519, ['ed25519']],
    ['P-256', p256, ['ecdsa-p256-sha256']],
    ['P-384', p384, ['ecdsa-p384-sha384']],
    ['RSA', rsa2048, ['rsa-pss-sha512', 'rsa-pss-sha256']],
    ['RSA for SHA-256', { ...rsa2048, alg: 'PS256' }, ['rsa-pss-sha256']],
    ['RSA for SHA-512', { ...rsa2048, alg: 'rsa-pss-sha512' }, ['rsa-pss-sha512']],
    ['an algorithm by its RFC 9421 name', { ...ed25519, alg: 'ed25519' }, ['ed25519']],
    ['an algorithm by its JOSE name', { ...p256, alg: 'ES256' }, ['ecdsa-p256-sha256']],
    ['EdDSA', { ...ed25519, alg: 'EdDSA' }, ['ed25519']],
    ['for signatures', { ...ed25519, use: 'sig', key_ops: ['verify'] }, ['ed25519']],
  ])('%s is read', (_name, jwk, algorithms) => {
    expect(read(jwk)).toMatchObject({ ok: true, value: { algorithms } });
  });

  it('keeps its kid and its times, and has the thumbprint of its bytes', () => {
    const jwk = { ...RFC_ED25519, kid: 'anything', nbf: 1, exp: 2_000_000_000, ext: true };
    expect(read(jwk, true)).toMatchObject({
      ok: true,
      value: {
        thumbprint: RFC_THUMBPRINT,
        kid: 'anything',
        notBeforeSeconds: 1,
        expiresSeconds: 2_000_000_000,
      },
    });
    expect(read(p384)).toMatchObject({ value: { kid: null, notBeforeSeconds: null } });
  });

  it('is no test key, unless tests are run', () => {
    expect(faultOf(RFC_ED25519)).toBe('test_key');
    expect(read(RFC_ED25519, true).ok).toBe(true);
  });

  it.each([
    ['null', null, 'not_an_object'],
    ['a list', [ed25519], 'not_an_object'],
    ['text', 'key', 'not_an_object'],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'].map(
      (name) => [`with ${name}`, { ...ed25519, [name]: 'AA' }, 'private_member'] as const,
    ),
    ['a secret', { kty: 'oct', k: 'AA' }, 'private_member'],
    ['no type', {}, 'key_type_unsupported'],
    ['X25519', { ...ed25519, crv: 'X25519' }, 'key_type_unsupported'],
    ['Ed448', { kty: 'OKP', crv: 'Ed448', x: 'AA' }, 'key_type_unsupported'],
    ['P-521', p521, 'key_type_unsupported'],
    ['secp256k1', { ...p256, crv: 'secp256k1' }, 'key_type_unsupported'],
    ['a type from the prototype', { kty: 'OKP', crv: '__proto__' }, 'key_type_unsupported'],
    ['for encryption', { ...ed25519, use: 'enc' }, 'use_not_signature'],
    ['for signing only', { ...ed25519, key_ops: ['sign'] }, 'use_not_signature'],
    ['operations that are no list', { ...ed25519, key_ops: 'verify' }, 'use_not_signature'],
    ['of another algorithm', { ...ed25519, alg: 'ES256' }, 'algorithm_contradicts_key'],
    ['RSA for PKCS#1 v1.5', { ...rsa2048, alg: 'RS256' }, 'algorithm_contradicts_key'],
    ['P-256 for P-384', { ...p256, alg: 'ES384' }, 'algorithm_contradicts_key'],
    [
      'an algorithm of the prototype',
      { ...ed25519, alg: 'constructor' },
      'algorithm_contradicts_key',
    ],
    ['an algorithm that is no text', { ...ed25519, alg: 1 }, 'algorithm_contradicts_key'],
    ['exp in milliseconds', { ...ed25519, exp: 1_743_465_600_000 }, 'time_malformed'],
    ['nbf in milliseconds', { ...ed25519, nbf: 1_743_465_600_000 }, 'time_malformed'],
    ['exp as text', { ...ed25519, exp: '2000000000' }, 'time_malformed'],
    ['exp with a fraction', { ...ed25519, exp: 1.5 }, 'time_malformed'],
    [
      '31 bytes',
      { ...ed25519, x: Buffer.alloc(31, 7).toString('base64url') },
      'coordinate_malformed',
    ],
    ['padded', { ...ed25519, x: `${String(ed25519['x'])}=` }, 'coordinate_malformed'],
    ['no y', { ...p256, y: undefined }, 'coordinate_malformed'],
    ['P-384 with a short x', { ...p384, x: p256['x'] }, 'coordinate_malformed'],
    ['off the curve', { ...p256, y: p256['x'] }, 'point_not_on_curve'],
    ['off P-384', { ...p384, y: p384['x'] }, 'point_not_on_curve'],
    ['the identity', { ...ed25519, x: `AQ${'A'.repeat(41)}` }, 'small_order'],
    ['zero', { ...ed25519, x: 'A'.repeat(43) }, 'small_order'],
    ['RSA of 1024 bits', rsa(1_024), 'modulus_size'],
    [
      'RSA of 2047 bits',
      {
        ...rsa2048,
        n: Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(255, 1)]).toString('base64url'),
      },
      'modulus_size',
    ],
    [
      'RSA of 4104 bits',
      { ...rsa2048, n: Buffer.alloc(513, 0xff).toString('base64url') },
      'modulus_size',
    ],
    ['RSA with e = 3', rsa(2_048, 3), 'exponent'],
    ['RSA with e = 1', { ...rsa2048, e: 'AQ' }, 'exponent'],
    ['RSA with a huge e', { ...rsa2048, e: rsa2048['n'] }, 'exponent'],
    ['RSA without n', { kty: 'RSA', e: 'AQAB' }, 'coordinate_malformed'],
    [
      'RSA with a zero before n',
      {
        ...rsa2048,
        n: Buffer.concat([Buffer.alloc(1), Buffer.alloc(256, 0xff)]).toString('base64url'),
      },
      'coordinate_malformed',
    ],
  ] as readonly (readonly [string, unknown, string])[])('%s is refused', (_name, jwk, fault) => {
    expect(faultOf(jwk)).toBe(fault);
  });

  it('RSA of 4096 bits is the largest', () => {
    const n = Buffer.alloc(512, 0xff).toString('base64url');
    expect(faultOf({ kty: 'RSA', e: 'AQAB', n })).toBe(null);
  });

  it('the eight points of small order are refused in every spelling', () => {
    const points = [
      '0000000000000000000000000000000000000000000000000000000000000000',
      '0000000000000000000000000000000000000000000000000000000000000080',
      '0100000000000000000000000000000000000000000000000000000000000000',
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    ];
    for (const point of points)
      expect(faultOf({ ...ed25519, x: Buffer.from(point, 'hex').toString('base64url') })).toBe(
        'small_order',
      );
  });
});
