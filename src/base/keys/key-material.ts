import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { canonicalize, type InstantMs, invariant, utcDay } from '../../core/kernel/index.js';
import type { PublicKey, SigningAlgorithm } from './purposes.js';

export interface KeyMaterial {
  /** RFC 7638 thumbprint (SHA-256, base64url) of the public key: the name proves the key. Passport keys: see {@link passportKid}. */
  readonly kid: string;
  readonly publicKey: PublicKey;
  /** PKCS #8, DER. Leaves this process only wrapped. */
  readonly privateKeyDer: Buffer;
}

/** A fresh key pair from the operating system's random source. */
export function generateKeyMaterial(algorithm: SigningAlgorithm): KeyMaterial {
  const pair =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  const publicKey = publicMembers(pair.publicKey);
  return {
    kid: thumbprint(publicKey),
    publicKey,
    privateKeyDer: pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/**
 * The kid that commerce passports are known by: `commerce-passport-YYYYMMDD-` and the first 8 hex digits of the SHA-256
 * of the key's thumbprint, with the day (UTC) on which the key was made.
 */
export const passportKid = (key: PublicKey, createdAtMs: InstantMs): string =>
  `commerce-passport-${utcDay(createdAtMs).replaceAll('-', '')}-${createHash('sha256')
    .update(thumbprint(key))
    .digest('hex')
    .slice(0, 8)}`;

export const privateKeyFrom = (privateKeyDer: Buffer): KeyObject =>
  createPrivateKey({ key: privateKeyDer, format: 'der', type: 'pkcs8' });

/** Raw JOSE signature bytes (RFC 7518 section 3.4, RFC 8037): 64 bytes for both algorithms. */
export const signBytes = (
  algorithm: SigningAlgorithm,
  key: KeyObject,
  bytes: Uint8Array,
): Buffer =>
  algorithm === 'ES256'
    ? sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
    : sign(null, bytes, key);

/** RFC 7638: SHA-256 over the required members, sorted, without white space. */
export function thumbprint(key: PublicKey): string {
  const { kind, ...members } = key;
  return createHash('sha256')
    .update(canonicalize({ ...members, kty: kind }))
    .digest('base64url');
}

function publicMembers(key: KeyObject): PublicKey {
  const { crv, x, y } = key.export({ format: 'jwk' });
  invariant(x !== undefined, 'a public JWK has x');
  if (crv === 'Ed25519') return { kind: 'OKP', crv, x };
  invariant(crv === 'P-256' && y !== undefined, 'a key of ours is P-256 or Ed25519');
  return { kind: 'EC', crv, x, y };
}
