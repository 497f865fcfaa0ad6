import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { canonicalize, err, ok, type Result } from '../kernel/index.js';
import { decodeBase64url, parsePublicJwk } from '../proofs/index.js';
import { type HttpSignatureAlgorithm } from './algorithms.js';

/** A key that may verify signatures of agents. */
export interface PublicSigningKey {
  /** RFC 7638, SHA-256, base64url: computed from the key, never read. */
  readonly thumbprint: string;
  /** As published; it may be anything. */
  readonly kid: string | null;
  /** What the key may be used with: at least one. */
  readonly algorithms: readonly HttpSignatureAlgorithm[];
  readonly key: KeyObject;
  readonly notBeforeSeconds: number | null;
  readonly expiresSeconds: number | null;
}

export const SIGNING_JWK_FAULTS = [
  'not_an_object',
  'private_member',
  'key_type_unsupported',
  'use_not_signature',
  'algorithm_contradicts_key',
  'time_malformed',
  'coordinate_malformed',
  'point_not_on_curve',
  'small_order',
  'modulus_size',
  'exponent',
  'test_key',
] as const;
export type SigningJwkFault = (typeof SIGNING_JWK_FAULTS)[number];

/** Keys whose private half stands in RFC 9421 Appendix B.1. */
export const TEST_KEY_THUMBPRINTS: ReadonlySet<string> = new Set([
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
]);

type Members = Readonly<Record<string, unknown>>;

/** By type and curve: the algorithms, by the name a key may state for itself (RFC 9421 or JOSE). */
const ALGORITHMS_BY_NAME: Readonly<
  Record<string, Readonly<Record<string, readonly HttpSignatureAlgorithm[]>>>
> = {
  'OKP Ed25519': { ed25519: ['ed25519'], Ed25519: ['ed25519'], EdDSA: ['ed25519'] },
  'EC P-256': { 'ecdsa-p256-sha256': ['ecdsa-p256-sha256'], ES256: ['ecdsa-p256-sha256'] },
  'EC P-384': { 'ecdsa-p384-sha384': ['ecdsa-p384-sha384'], ES384: ['ecdsa-p384-sha384'] },
  RSA: {
    'rsa-pss-sha512': ['rsa-pss-sha512'],
    PS512: ['rsa-pss-sha512'],
    'rsa-pss-sha256': ['rsa-pss-sha256'],
    PS256: ['rsa-pss-sha256'],
  },
};

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];
const MODULUS_BITS_MIN = 2_048;
const MODULUS_BITS_MAX = 4_096;
/** 65537: the one exponent that is neither weak nor a burden. */
const EXPONENT = 'AQAB';
const P384_COORDINATE_BYTES = 48;
/** At or above it a time is in milliseconds. */
const SECONDS_BELOW = 1e11;

/**
 * Reads a key of a directory: OKP/Ed25519, EC P-256 and P-384, RSA of 2048 to 4096 bits with e = 65537; `nbf` and `exp`
 * in seconds. Faults, in order: not_an_object, private_member, key_type_unsupported, use_not_signature (`use` or
 * `key_ops`), algorithm_contradicts_key, time_malformed, coordinate_malformed, point_not_on_curve, small_order,
 * modulus_size, exponent, test_key (published with its private half; allowed for tests).
 * Not checked: whether the key is valid now, and whose it is. Source: facts/signatures.md 5.3 row 6, 1.5.
 */
export function readPublicJwk(
  jwk: unknown,
  { allowTestKeys }: { readonly allowTestKeys: boolean },
): Result<PublicSigningKey, SigningJwkFault> {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return err('not_an_object');
  const members = jwk as Members;
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(members, name))) return err('private_member');
  const byName = ALGORITHMS_BY_NAME[typeOf(members)];
  if (byName === undefined) return err('key_type_unsupported');
  if (!isForSignatures(members)) return err('use_not_signature');
  const algorithms = algorithmsOf(members, byName);
  if (algorithms === null) return err('algorithm_contradicts_key');
  const notBeforeSeconds = timeOf(members, 'nbf');
  const expiresSeconds = timeOf(members, 'exp');
  if (notBeforeSeconds === undefined || expiresSeconds === undefined) return err('time_malformed');
  const read = keyOf(members);
  if (!read.ok) return read;
  const { key, thumbprint } = read.value;
  if (!allowTestKeys && TEST_KEY_THUMBPRINTS.has(thumbprint)) return err('test_key');
  const kid = ownText(members, 'kid');
  return ok({ thumbprint, kid, algorithms, key, notBeforeSeconds, expiresSeconds });
}

const own = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

function ownText(members: Members, name: string): string | null {
  const value = own(members, name);
  return typeof value === 'string' ? value : null;
}

function typeOf(members: Members): string {
  const kty = ownText(members, 'kty') ?? '';
  return kty === 'RSA' ? kty : `${kty} ${ownText(members, 'crv') ?? ''}`;
}

function isForSignatures(members: Members): boolean {
  const use = own(members, 'use');
  const operations = own(members, 'key_ops');
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

/** A key that names no algorithm may be used with each of its type; null: it names one of another type. */
function algorithmsOf(
  members: Members,
  byName: Readonly<Record<string, readonly HttpSignatureAlgorithm[]>>,
): readonly HttpSignatureAlgorithm[] | null {
  const alg = own(members, 'alg');
  if (alg === undefined) return [...new Set(Object.values(byName).flat())];
  return typeof alg === 'string' && Object.hasOwn(byName, alg) ? (byName[alg] ?? null) : null;
}

/** Undefined: there, but no whole number of seconds. */
function timeOf(members: Members, name: 'nbf' | 'exp'): number | null | undefined {
  const value = own(members, name);
  if (value === undefined) return null;
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < SECONDS_BELOW
    ? (value as number)
    : undefined;
}

type ReadKey = Result<{ readonly key: KeyObject; readonly thumbprint: string }, SigningJwkFault>;

function keyOf(members: Members): ReadKey {
  const { kty, crv, x, y, n, e } = members;
  if (kty === 'RSA') return rsaKeyOf(n, e);
  if (crv === 'P-384') {
    if (!isCoordinate(x) || !isCoordinate(y)) return err('coordinate_malformed');
    return imported({ crv, kty: 'EC', x, y }, 'point_not_on_curve');
  }
  const parsed = parsePublicJwk({ kty, crv, x, ...(kty === 'EC' ? { y } : {}) });
  if (parsed.ok) return imported({ ...parsed.value.jwk }, 'point_not_on_curve');
  return err(parsed.error);
}

const isCoordinate = (value: unknown): value is string =>
  typeof value === 'string' && decodeBase64url(value)?.length === P384_COORDINATE_BYTES;

function rsaKeyOf(n: unknown, e: unknown): ReadKey {
  const modulus = typeof n === 'string' ? decodeBase64url(n) : null;
  const [first] = modulus ?? [];
  if (modulus === null || first === undefined || first === 0) return err('coordinate_malformed');
  const bits = modulus.length * 8 - (Math.clz32(first) - 24);
  if (bits < MODULUS_BITS_MIN || bits > MODULUS_BITS_MAX) return err('modulus_size');
  if (e !== EXPONENT) return err('exponent');
  return imported({ e, kty: 'RSA', n: n as string }, 'coordinate_malformed');
}

/** The members are the required ones of RFC 7638 section 3.2 and no others. */
function imported(jwk: Readonly<Record<string, string>>, orElse: SigningJwkFault): ReadKey {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const thumbprint = createHash('sha256').update(canonicalize(jwk), 'utf8').digest('base64url');
    return ok({ key, thumbprint });
  } catch {
    return err(orElse);
  }
}
