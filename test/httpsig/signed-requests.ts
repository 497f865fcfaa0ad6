import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import {
  type HeaderLine,
  type HttpRequestMessage,
  type HttpSignatureAlgorithm,
  PRIMITIVES,
  draftSignature,
} from '../../src/core/httpsig/index.js';
import { publicKey } from './verifier.js';

/** Signed requests of our own, to change in one place. */
export interface TestKey {
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
  readonly thumbprint: string;
  readonly algorithm: HttpSignatureAlgorithm;
}

export function testKey(algorithm: HttpSignatureAlgorithm = 'ed25519'): TestKey {
  const pair = pairOf(algorithm);
  const jwk = pair.publicKey.export({ format: 'jwk' });
  return { privateKey: pair.privateKey, jwk, thumbprint: publicKey(jwk).thumbprint, algorithm };
}

const CURVES: Readonly<Partial<Record<HttpSignatureAlgorithm, string>>> = {
  'ecdsa-p256-sha256': 'P-256',
  'ecdsa-p384-sha384': 'P-384',
};

function pairOf(algorithm: HttpSignatureAlgorithm) {
  if (algorithm === 'ed25519') return generateKeyPairSync('ed25519');
  const namedCurve = CURVES[algorithm];
  return namedCurve === undefined
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
    : generateKeyPairSync('ec', { namedCurve });
}

export function signBytes({ privateKey, algorithm }: TestKey, base: Uint8Array): Buffer {
  const { digest, options } = PRIMITIVES[algorithm];
  // A salt of any length verifies with AUTO; the samples that use this algorithm take the longest.
  const saltLength = algorithm === 'rsa-pss-sha256' ? { saltLength: 222 } : {};
  return sign(digest, base, { key: privateKey, ...options, ...saltLength });
}

export const AGENT = 'https://agent.example';
export const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;
export const NOW = 1_800_000_000;

export const shopRequest = (changed: Partial<HttpRequestMessage> = {}): HttpRequestMessage => ({
  kind: 'request',
  method: 'GET',
  scheme: 'https',
  authority: 'shop.example',
  target: '/catalog.json',
  headers: [['Host', 'shop.example']],
  body: null,
  ...changed,
});

export const withHeaders = (
  request: HttpRequestMessage,
  lines: readonly HeaderLine[],
): HttpRequestMessage => ({ ...request, headers: [...request.headers, ...lines] });

export interface Wanted {
  readonly label?: string;
  readonly components: readonly string[];
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** The two header lines of one signature. */
export function signatureLines(
  request: HttpRequestMessage,
  key: TestKey,
  { label = 'sig1', components, parameters }: Wanted,
): readonly [HeaderLine, HeaderLine] {
  const draft = draftSignature(request, { label, components, parameters });
  if (!draft.ok) throw new Error(`${draft.error.reason}: ${draft.error.detail}`);
  const { base, signatureInput, signature } = draft.value;
  return [
    ['Signature-Input', signatureInput],
    ['Signature', signature(signBytes(key, base))],
  ];
}

export const signedRequest = (
  request: HttpRequestMessage,
  key: TestKey,
  wanted: Wanted,
): HttpRequestMessage => withHeaders(request, signatureLines(request, key, wanted));

/** A base over any lines and any member text, for signers that break a rule. */
export function rawSigned(
  request: HttpRequestMessage,
  key: TestKey,
  { label = 'sig1', member, lines }: { label?: string; member: string; lines: readonly string[] },
): HttpRequestMessage {
  const base = [...lines, `"@signature-params": ${member}`].join('\n');
  const bytes = signBytes(key, Buffer.from(base, 'latin1')).toString('base64');
  return withHeaders(request, [
    ['Signature-Input', `${label}=${member}`],
    ['Signature', `${label}=:${bytes}:`],
  ]);
}

export const tapParameters = (key: TestKey, changed: Readonly<Record<string, unknown>> = {}) =>
  defined({
    created: NOW - 10,
    expires: NOW + 200,
    keyid: key.thumbprint,
    alg: key.algorithm,
    nonce: 'nonce-of-this-test',
    tag: 'agent-browser-auth',
    ...changed,
  });

export const wbaParameters = (key: TestKey, changed: Readonly<Record<string, unknown>> = {}) =>
  defined({
    created: NOW - 10,
    expires: NOW + 200,
    keyid: key.thumbprint,
    tag: 'web-bot-auth',
    ...changed,
  });

/** Members that are undefined are left out. */
const defined = (members: Readonly<Record<string, unknown>>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number
  >;

/** Stores that know one key for both profiles. */
export const configFor = (...keys: readonly TestKey[]) => ({
  tapKeys: { keys: keys.map(({ jwk }) => jwk) },
  directories: { [DIRECTORY]: { keys: keys.map(({ jwk }) => jwk) } },
});

export const TAP_COVERED = ['@authority', '@path'] as const;
export const WBA_COVERED = ['@authority', '"signature-agent";key="sig1"'] as const;
export const AGENT_LINE: HeaderLine = ['Signature-Agent', `sig1="${AGENT}"`];
