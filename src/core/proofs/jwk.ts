import { createHash, createPublicKey } from 'node:crypto';
import { canonicalize, err, ok, type Result } from '../kernel/index.js';
import { decodeBase64url } from './base64url.js';

/** The two algorithms we verify. Which one applies is a property of the key, never of a token's header. */
export const SIGNATURE_ALGORITHMS = ['ES256', 'EdDSA'] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

export type PublicJwk =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };

/** A public key that passed {@link parsePublicJwk}: safe to verify with, by `alg` only. */
export interface VerificationKey {
  readonly alg: SignatureAlgorithm;
  readonly jwk: PublicJwk;
  /** RFC 7638, SHA-256, base64url. */
  readonly thumbprint: string;
}

export type JwkFault =
  | 'not_an_object'
  | 'private_member'
  | 'key_type_unsupported'
  | 'algorithm_contradicts_key'
  | 'coordinate_malformed'
  | 'point_not_on_curve'
  | 'small_order';

const COORDINATE_BYTES = 32;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Reads a public key (RFC 7517, 7518, 8037): P-256 for ES256 or Ed25519 for EdDSA.
 * Faults, in order: not_an_object, private_member (a private or symmetric key was sent: treat it as leaked),
 * key_type_unsupported, algorithm_contradicts_key (its own `alg`), coordinate_malformed, point_not_on_curve (P-256),
 * small_order (Ed25519: a key under which anybody can forge, and every non-canonical encoding).
 * Not checked: who owns the key.
 */
export function parsePublicJwk(value: unknown): Result<VerificationKey, JwkFault> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return err('not_an_object');
  const { kty, crv, x, y, alg } = value as Readonly<Record<string, unknown>>;
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(value, member))) return err('private_member');
  if (kty === 'EC' && crv === 'P-256') {
    if (alg !== undefined && alg !== 'ES256') return err('algorithm_contradicts_key');
    if (!isCoordinate(x) || !isCoordinate(y)) return err('coordinate_malformed');
    return checkedKey('ES256', { kty, crv, x, y });
  }
  if (kty === 'OKP' && crv === 'Ed25519') {
    if (alg !== undefined && alg !== 'EdDSA' && alg !== 'Ed25519')
      return err('algorithm_contradicts_key');
    if (!isCoordinate(x)) return err('coordinate_malformed');
    if (isUnsafeEd25519(Buffer.from(x, 'base64url'))) return err('small_order');
    return checkedKey('EdDSA', { kty, crv, x });
  }
  return err('key_type_unsupported');
}

const isCoordinate = (value: unknown): value is string =>
  typeof value === 'string' && decodeBase64url(value)?.length === COORDINATE_BYTES;

function checkedKey(alg: SignatureAlgorithm, jwk: PublicJwk): Result<VerificationKey, JwkFault> {
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return err('point_not_on_curve');
  }
  const thumbprint = createHash('sha256')
    .update(canonicalize({ ...jwk }), 'utf8')
    .digest('base64url');
  return ok({ alg, jwk, thumbprint });
}

const FIELD_PRIME = 2n ** 255n - 19n;
const SIGN_BIT = 1n << 255n;

/** The y coordinates of the eight points of small order on edwards25519 (order 1, 2, 4, 4, 8, 8, 8, 8). */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  FIELD_PRIME - 1n,
  littleEndian(
    Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'),
  ),
  littleEndian(
    Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
  ),
]);

function littleEndian(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/**
 * OpenSSL imports every 32 bytes as an Ed25519 key and then verifies forgeries under small-order points: a signature
 * anybody can make. Encodings with y >= p are refused too (RFC 8032 section 5.1.3), so a key has one spelling.
 */
function isUnsafeEd25519(encoded: Buffer): boolean {
  const y = littleEndian(encoded) & (SIGN_BIT - 1n);
  return y >= FIELD_PRIME || SMALL_ORDER_Y.has(y);
}
