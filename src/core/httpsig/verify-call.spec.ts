import { constants, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  AGENT_LINE,
  configFor,
  NOW,
  shopRequest,
  signBytes,
  signedRequest,
  TAP_COVERED,
  tapParameters,
  type TestKey,
  testKey,
  WBA_COVERED,
  wbaParameters,
  withHeaders,
} from '../../../test/httpsig/signed-requests.js';
import { contextOf, judge, KeysInMemory, publicKey } from '../../../test/httpsig/verifier.js';
import {
  DEFAULT_VERIFICATION_SETTINGS,
  type HttpRequestMessage,
  HTTP_SIGNATURE_ALGORITHMS,
  planVerification,
  type PublicSigningKey,
  type SignatureCandidate,
  type VerificationContext,
  verifyCall,
} from './index.js';

const ed25519 = testKey();
const p256 = testKey('ecdsa-p256-sha256');
const p384 = testKey('ecdsa-p384-sha384');
const rsa = testKey('rsa-pss-sha512');
const rsa256 = { ...rsa, algorithm: 'rsa-pss-sha256' as const };
const KEYS = {
  ed25519,
  'ecdsa-p256-sha256': p256,
  'ecdsa-p384-sha384': p384,
  'rsa-pss-sha512': rsa,
  'rsa-pss-sha256': rsa256,
};

const withSha256: Partial<VerificationContext> = {
  settings: { ...DEFAULT_VERIFICATION_SETTINGS, tapRsaPssSha256: true },
};
const tap = (key: TestKey, changed = {}): HttpRequestMessage =>
  signedRequest(shopRequest(), key, {
    components: TAP_COVERED,
    parameters: tapParameters(key, changed),
  });
const wba = (key: TestKey, changed = {}): HttpRequestMessage =>
  signedRequest(withHeaders(shopRequest(), [AGENT_LINE]), key, {
    components: WBA_COVERED,
    parameters: wbaParameters(key, changed),
  });

function verdict(
  request: HttpRequestMessage,
  key: TestKey,
  more: Partial<VerificationContext> = {},
) {
  const config = configFor(key);
  const { status, reason } = judge(request, contextOf(config, NOW, more), {
    keys: new KeysInMemory(config),
  });
  return reason ?? status;
}

function candidateOf(
  request: HttpRequestMessage,
  more: Partial<VerificationContext> = {},
): SignatureCandidate {
  const plan = planVerification(request, contextOf({}, NOW, more));
  if (plan.kind === 'ended') throw new Error(`ended: ${plan.verdict.reason}`);
  const [candidate] = plan.candidates;
  if (candidate === undefined) throw new Error('no candidate');
  return candidate;
}

describe('each algorithm', () => {
  it.each(HTTP_SIGNATURE_ALGORITHMS.map((name) => [name] as const))('%s verifies', (name) => {
    const key = KEYS[name];
    const isSha256 = name === 'rsa-pss-sha256';
    expect(verdict(tap(key), key, isSha256 ? withSha256 : {})).toBe('verified');
    expect(verdict(wba(key), key)).toBe(isSha256 ? 'bad_signature' : 'verified');
  });

  it.each(HTTP_SIGNATURE_ALGORITHMS.map((name) => [name] as const))(
    '%s refuses another base',
    (name) => {
      const key = KEYS[name];
      const request = { ...tap(key), target: '/other' };
      expect(verdict(request, key, withSha256)).toBe('bad_signature');
    },
  );
});

describe('the algorithm is that of the key', () => {
  it.each([
    ['alg left out', wba(p256), p256, 'verified'],
    ['alg agrees', wba(p256, { alg: 'ecdsa-p256-sha256' }), p256, 'verified'],
    ['alg of another key', wba(p256, { alg: 'ed25519' }), p256, 'algorithm_mismatch'],
    ['alg of another curve', wba(p384, { alg: 'ecdsa-p256-sha256' }), p384, 'algorithm_mismatch'],
    ['hmac', wba(ed25519, { alg: 'hmac-sha256' }), ed25519, 'algorithm_not_allowed'],
    ['RSA of PKCS#1 v1.5', wba(rsa, { alg: 'rsa-v1_5-sha256' }), rsa, 'algorithm_not_allowed'],
    ['a JOSE name', wba(ed25519, { alg: 'EdDSA' }), ed25519, 'algorithm_not_allowed'],
    ['another case', wba(ed25519, { alg: 'Ed25519' }), ed25519, 'algorithm_not_allowed'],
    [
      'a name of the prototype',
      wba(ed25519, { alg: 'constructor' }),
      ed25519,
      'algorithm_not_allowed',
    ],
    ['TAP in another case', tap(ed25519, { alg: 'Ed25519' }), ed25519, 'verified'],
    ['TAP with hmac', tap(ed25519, { alg: 'hmac-sha256' }), ed25519, 'algorithm_not_allowed'],
    ['TAP with SHA-256, not switched on', tap(rsa256), rsa, 'algorithm_not_allowed'],
    [
      'TAP with PS256, not switched on',
      tap(rsa256, { alg: 'PS256' }),
      rsa,
      'algorithm_not_allowed',
    ],
    [
      'TAP with a name of the prototype',
      tap(ed25519, { alg: '__proto__' }),
      ed25519,
      'algorithm_not_allowed',
    ],
  ] as const)('%s', (_name, request, key, expected) => {
    expect(verdict(request, key)).toBe(expected);
  });

  it('PS256 is taken for TAP alone, and when it is switched on', () => {
    expect(verdict(tap(rsa256, { alg: 'PS256' }), rsa, withSha256)).toBe('verified');
    expect(verdict(wba(rsa256, { alg: 'rsa-pss-sha256' }), rsa, withSha256)).toBe(
      'algorithm_not_allowed',
    );
  });

  it('a key that names SHA-256 for itself verifies nothing in Web Bot Auth', () => {
    const key = publicKey({ ...rsa.jwk, alg: 'PS256' });
    expect(verifyCall(candidateOf(wba(rsa)), key)).toEqual({
      ok: false,
      error: 'algorithm_not_allowed',
    });
  });
});

describe('what does not fit the key', () => {
  const withSignature = (request: HttpRequestMessage, bytes: Buffer): HttpRequestMessage => ({
    ...request,
    headers: request.headers.map(([name, value]) =>
      name === 'Signature' ? [name, `sig1=:${bytes.toString('base64')}:`] : [name, value],
    ),
  });

  it.each([
    ['ed25519 of 63 bytes', ed25519, 63],
    ['ed25519 of 65 bytes', ed25519, 65],
    ['P-256 of 63 bytes', p256, 63],
    ['P-256 of 96 bytes', p256, 96],
    ['P-384 of 64 bytes', p384, 64],
    ['RSA of 255 bytes', rsa, 255],
  ])('%s', (_name, key, length) => {
    const request = withSignature(wba(key), Buffer.alloc(length, 1));
    expect(verifyCall(candidateOf(request), publicKey(key.jwk))).toEqual({
      ok: false,
      error: 'bad_signature',
    });
  });

  it('a DER signature of P-256', () => {
    const candidate = candidateOf(wba(p256));
    const raw = signBytes(p256, candidate.base);
    const der = Buffer.concat([
      Buffer.from([0x30, 0x44, 0x02, 0x20]),
      raw.subarray(0, 32),
      Buffer.from([0x02, 0x20]),
      raw.subarray(32),
    ]);
    expect(verdict(withSignature(wba(p256), der), p256)).toBe('bad_signature');
  });

  it('a salt of another length than 64 bytes', () => {
    const request = wba(rsa);
    const { base } = candidateOf(request);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const wrong = sign('sha512', base, { key: rsa.privateKey, padding, saltLength: 32 });
    const right = sign('sha512', base, { key: rsa.privateKey, padding, saltLength: 64 });
    expect(verdict(withSignature(request, right), rsa)).toBe('verified');
    expect(verdict(withSignature(request, wrong), rsa)).toBe('bad_signature');
  });

  it('an identity point verifies everything in node, and is no key here', () => {
    const identity = { kty: 'OKP', crv: 'Ed25519', x: `AQ${'A'.repeat(41)}` };
    expect(() => publicKey(identity)).toThrow('small_order');
  });

  it('a key of another thumbprint than the keyid of Web Bot Auth', () => {
    const candidate = candidateOf(wba(ed25519));
    expect(verifyCall(candidate, publicKey(testKey().jwk))).toEqual({
      ok: false,
      error: 'keyid_not_thumbprint',
    });
    expect(verifyCall(candidateOf(tap(ed25519)), publicKey(testKey().jwk)).ok).toBe(true);
  });
});

describe('a key outside of its time', () => {
  const key = publicKey(ed25519.jwk);
  const candidate = candidateOf(tap(ed25519));
  const outcome = (changed: Partial<PublicSigningKey>): string => {
    const call = verifyCall(candidate, { ...key, ...changed });
    return call.ok ? 'ok' : call.error;
  };

  it.each([
    ['not yet', { notBeforeSeconds: NOW + 61 }, 'key_expired'],
    ['within the skew', { notBeforeSeconds: NOW + 60 }, 'ok'],
    ['no more', { expiresSeconds: NOW - 60 }, 'key_expired'],
    ['just so', { expiresSeconds: NOW - 59 }, 'ok'],
    ['without times', {}, 'ok'],
  ])('%s', (_name, changed, expected) => {
    expect(outcome(changed)).toBe(expected);
  });
});

it('what is handed out is what crypto.verify takes', () => {
  const call = verifyCall(candidateOf(tap(p256)), publicKey(p256.jwk));
  if (!call.ok) throw new Error(call.error);
  const { digest, data, key, signature } = call.value;
  expect(verify(digest, data, key, signature)).toBe(true);
});
