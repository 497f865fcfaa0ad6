import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { parsePublicJwk, type VerificationKey } from '../../core/proofs/index.js';
import {
  parseWithdrawalProof,
  PROOF_AGE_SECONDS_MAX,
  WITHDRAWAL_TYP,
  withdrawalFault,
  type WithdrawalExpectation,
} from './proof.js';

const NOW_MS = 1_796_000_000_999;
const NOW_SECONDS = 1_796_000_000;
const claims = {
  iss: 'buyer',
  aud: 'https://authority.example',
  jti: 'proof-1',
  iat: NOW_SECONDS,
  consent_id: 'con_1',
  tenant_id: 'tnt_a',
};

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let buyer: Pair;
let other: Pair;
let key: VerificationKey;

beforeAll(async () => {
  [buyer, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const parsed = parsePublicJwk(await exportJWK(buyer.publicKey));
  if (!parsed.ok) throw new Error(parsed.error);
  key = parsed.value;
});

const signed = (
  payload: unknown,
  { header = {}, pair = buyer }: { header?: Record<string, unknown>; pair?: Pair } = {},
): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', typ: WITHDRAWAL_TYP, ...header })
    .sign(pair.privateKey);

const expectation = (): WithdrawalExpectation => ({
  key,
  isSubject: (name) => name === 'buyer',
  origin: claims.aud,
  consentId: 'con_1',
  tenantId: 'tnt_a',
  nowMs: NOW_MS,
});

async function faultOf(
  payload: unknown,
  options: Parameters<typeof signed>[1] & { at?: Partial<WithdrawalExpectation> } = {},
) {
  const parsed = parseWithdrawalProof(await signed(payload, options));
  return parsed.ok
    ? withdrawalFault(parsed.value, { ...expectation(), ...options.at })
    : parsed.error;
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a withdrawal proof', () => {
  it('of the buyer, for this consent, now, is good', async () => {
    expect(await faultOf(claims)).toBe(null);
    expect(await faultOf(claims, { header: { kid: 'my key' } })).toBe(null);
  });

  it.each([
    ['a foreign claim', { ...claims, scope: 'all' }, 'shape', 'scope'],
    ['no iss', { ...claims, iss: undefined }, 'shape', 'iss'],
    ['an empty iss', { ...claims, iss: '' }, 'shape', 'iss'],
    ['a list of audiences', { ...claims, aud: [claims.aud] }, 'shape', 'aud'],
    ['no jti', { ...claims, jti: undefined }, 'shape', 'jti'],
    ['a jti with a NUL', { ...claims, jti: 'a\0' }, 'shape', 'jti'],
    ['a jti of 129 characters', { ...claims, jti: 'a'.repeat(129) }, 'shape', 'jti'],
    ['a fraction of a second', { ...claims, iat: NOW_SECONDS + 0.5 }, 'shape', null],
    ['iat as text', { ...claims, iat: String(NOW_SECONDS) }, 'shape', 'iat'],
    ['no consent', { ...claims, consent_id: 1 }, 'shape', 'consent_id'],
    ['no tenant', { ...claims, tenant_id: null }, 'shape', 'tenant_id'],
    ['a list of claims', [claims], 'shape', null],
    ['another buyer', { ...claims, iss: 'somebody' }, 'binding', 'iss'],
    ['another authority', { ...claims, aud: `${claims.aud}/` }, 'binding', 'aud'],
    ['another consent', { ...claims, consent_id: 'con_2' }, 'binding', 'consent_id'],
    ['another tenant', { ...claims, tenant_id: 'tnt_b' }, 'binding', 'tenant_id'],
  ])('with %s is refused', async (_name, payload, check, member) => {
    expect(await faultOf(payload)).toMatchObject({ check, member });
  });

  it.each([
    [-PROOF_AGE_SECONDS_MAX, null],
    [-PROOF_AGE_SECONDS_MAX - 1, 'expiry'],
    [PROOF_AGE_SECONDS_MAX, null],
    [PROOF_AGE_SECONDS_MAX + 1, 'not_before'],
  ])('made %i s from now: %s', async (seconds, check) => {
    const found = await faultOf({ ...claims, iat: NOW_SECONDS + seconds });
    expect(found?.check ?? null).toBe(check);
  });

  it.each([
    ['jwk', { jwk: { kty: 'EC' } }],
    ['jku', { jku: 'https://attacker.example/keys' }],
    ['x5u', { x5u: 'https://attacker.example/chain' }],
  ])('whose header brings its own key (%s) is refused', (name, extra) => {
    const header = { alg: 'ES256', typ: WITHDRAWAL_TYP, ...extra };
    const token = `${encoded(header)}.${encoded(claims)}.${'A'.repeat(86)}`;
    expect(parseWithdrawalProof(token)).toMatchObject({
      error: { check: 'shape', member: `header.${name}` },
    });
  });

  it.each(['none', 'NONE', 'HS256', 'RS256', 'ES384', undefined])(
    'with the algorithm %s is refused',
    (alg) => {
      const token = `${encoded({ alg, typ: WITHDRAWAL_TYP })}.${encoded(claims)}.`;
      expect(parseWithdrawalProof(token)).toMatchObject({ error: { check: 'algorithm' } });
    },
  );

  it.each(['jwt', 'consent+jwt', undefined])('of typ %s is refused', async (typ) => {
    expect(await faultOf(claims, { header: { typ } })).toMatchObject({ member: 'header.typ' });
  });

  it('of another key, or with one flipped bit, is refused', async () => {
    expect(await faultOf(claims, { pair: other })).toMatchObject({ check: 'signature' });
    const token = await signed(claims);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    const parsed = parseWithdrawalProof(`${header}.${payload}.${bytes.toString('base64url')}`);
    expect(parsed.ok && withdrawalFault(parsed.value, expectation())).toMatchObject({
      check: 'signature',
    });
  });

  it('that names the algorithm of another kind of key is refused before any verification', async () => {
    const pair = await generateKeyPair('EdDSA');
    expect(await faultOf(claims, { pair, header: { alg: 'EdDSA' } })).toMatchObject({
      check: 'algorithm',
      member: 'header.alg',
    });
  });

  it('of an Ed25519 key is good when that is the key of the buyer', async () => {
    const pair = await generateKeyPair('EdDSA');
    const parsed = parsePublicJwk(await exportJWK(pair.publicKey));
    if (!parsed.ok) throw new Error(parsed.error);
    const at = { key: parsed.value };
    expect(await faultOf(claims, { pair, header: { alg: 'EdDSA' }, at })).toBe(null);
  });
});
