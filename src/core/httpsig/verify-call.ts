import { type KeyObject, type VerifyKeyObjectInput } from 'node:crypto';
import { err, ok, type Result } from '../kernel/index.js';
import { type HttpSignatureAlgorithm, PRIMITIVES } from './algorithms.js';
import { type SignatureCandidate } from './candidate.js';
import { algorithmNamed, allowedAlgorithms } from './policy.js';
import { type PublicSigningKey } from './public-key.js';
import { type SignatureReason } from './vocabulary.js';

/** The arguments of `crypto.verify(digest, data, key, signature, callback)`. */
export interface VerifyCall {
  readonly algorithm: HttpSignatureAlgorithm;
  readonly digest: string | null;
  readonly data: Buffer;
  readonly key: KeyObject | VerifyKeyObjectInput;
  readonly signature: Buffer;
}

/** The parts of a candidate that its key has to fit. */
export type KeyedSignature = Pick<
  SignatureCandidate,
  'profile' | 'keyId' | 'alg' | 'base' | 'signature' | 'nowSeconds' | 'settings'
>;

/**
 * What to hand to `crypto.verify` for one candidate and the key found for its (key source, keyid).
 * Reasons, in order: keyid_not_thumbprint (Web Bot Auth), key_expired (outside of `nbf` and `exp`, the skew allowed),
 * algorithm_not_allowed (in this profile), algorithm_mismatch (`alg` names another than the key's), bad_signature (of
 * another length than the algorithm's). Not checked: the signature. The algorithm is a property of the key; `alg` may
 * only agree (RFC 9421 section 3.2 step 6).
 */
export function verifyCall(
  candidate: KeyedSignature,
  key: PublicSigningKey,
): Result<VerifyCall, SignatureReason> {
  if (candidate.profile === 'wba' && key.thumbprint !== candidate.keyId)
    return err('keyid_not_thumbprint');
  if (!isInUse(key, candidate)) return err('key_expired');
  const { profile, settings } = candidate;
  const allowed = key.algorithms.filter((name) => allowedAlgorithms(profile, settings).has(name));
  if (allowed.length === 0) return err('algorithm_not_allowed');
  const named = candidate.alg === null ? allowed[0] : algorithmNamed(candidate.alg, profile);
  const algorithm = allowed.find((name) => name === named);
  if (algorithm === undefined) return err('algorithm_mismatch');
  const { digest, signatureBytes, options } = PRIMITIVES[algorithm];
  if (candidate.signature.length !== (signatureBytes ?? modulusBytes(key.key)))
    return err('bad_signature');
  return ok({
    algorithm,
    digest,
    data: candidate.base,
    key: options === null ? key.key : { key: key.key, ...options },
    signature: candidate.signature,
  });
}

function isInUse(
  { notBeforeSeconds, expiresSeconds }: PublicSigningKey,
  { nowSeconds, settings: { skewSeconds } }: KeyedSignature,
): boolean {
  if (notBeforeSeconds !== null && notBeforeSeconds > nowSeconds + skewSeconds) return false;
  return expiresSeconds === null || expiresSeconds > nowSeconds - skewSeconds;
}

const modulusBytes = (key: KeyObject): number =>
  Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
