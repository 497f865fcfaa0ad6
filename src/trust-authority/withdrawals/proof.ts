import { createPublicKey, verify } from 'node:crypto';
import { err, type InstantMs, isChosenId, ok, type Result } from '../../core/kernel/index.js';
import {
  fault,
  parseToken,
  type ProofFault,
  type UncheckedToken,
  type VerificationKey,
} from '../../core/proofs/index.js';

export const WITHDRAWAL_TYP = 'consent-withdrawal+jwt';
/** How far `iat` may lie from real time, in seconds, before and after; inclusive. */
export const PROOF_AGE_SECONDS_MAX = 300;

/** What a buyer says with a withdrawal proof; nothing is verified yet. */
export interface WithdrawalProof {
  readonly jws: UncheckedToken;
  readonly subject: string;
  readonly audience: string;
  readonly id: string;
  readonly issuedAtSeconds: number;
  readonly consentId: string;
  readonly tenantId: string;
}

/** What the proof has to fit. `isSubject` tells whether a name is the one the consent was given by. */
export interface WithdrawalExpectation {
  readonly key: VerificationKey;
  readonly isSubject: (name: string) => boolean;
  readonly origin: string;
  readonly consentId: string;
  readonly tenantId: string;
  /** Real time: a proof is made now, whatever a test clock says. */
  readonly nowMs: InstantMs;
}

const MEMBERS: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'jti',
  'iat',
  'consent_id',
  'tenant_id',
]);

/**
 * Reads a compact JWS of typ {@link WITHDRAWAL_TYP}. Faults, in order: those of core/proofs parseToken (`none`, HMAC and
 * RSA, and every header member beside alg, kid, typ: jwk and jku among them), then `shape` at the first claim.
 * Not checked: anything that needs the consent, see {@link withdrawalFault}.
 */
export function parseWithdrawalProof(compact: string): Result<WithdrawalProof, ProofFault> {
  const jws = parseToken(compact, [WITHDRAWAL_TYP]);
  if (!jws.ok) return jws;
  const { claims } = jws.value;
  const foreign = Object.keys(claims).find((member) => !MEMBERS.has(member));
  if (foreign !== undefined) return err(fault('shape', foreign, 'there is no such claim'));
  const { iss, aud, jti, iat, consent_id: consentId, tenant_id: tenantId } = claims;
  if (typeof iss !== 'string' || iss === '')
    return err(fault('shape', 'iss', 'the subject of the consent is needed'));
  if (typeof aud !== 'string') return err(fault('shape', 'aud', 'one audience is needed, a text'));
  if (typeof jti !== 'string' || !isChosenId(jti))
    return err(fault('shape', 'jti', 'an id of at most 128 letters, digits and ._:@/+- is needed'));
  if (typeof iat !== 'number' || !Number.isSafeInteger(iat) || iat < 0)
    return err(fault('shape', 'iat', 'a time in whole seconds since 1970 is needed'));
  if (typeof consentId !== 'string')
    return err(fault('shape', 'consent_id', 'the id of the consent is needed'));
  if (typeof tenantId !== 'string')
    return err(fault('shape', 'tenant_id', 'the id of the tenant is needed'));
  return ok({
    jws: jws.value,
    subject: iss,
    audience: aud,
    id: jti,
    issuedAtSeconds: iat,
    consentId,
    tenantId,
  });
}

/**
 * Whether a proof was made by the buyer of this consent, for this consent, now; null = it was. Faults, in order:
 * algorithm (another one than the key's), signature, binding (iss, aud, consent_id, tenant_id), not_before (`iat` more
 * than {@link PROOF_AGE_SECONDS_MAX} s ahead), expiry (as long ago).
 * Not checked: whether the same `jti` was used before; that is judged under the lock.
 */
export function withdrawalFault(
  proof: WithdrawalProof,
  expected: WithdrawalExpectation,
): ProofFault | null {
  const { jws } = proof;
  if (jws.header.alg !== expected.key.alg)
    return fault('algorithm', 'header.alg', `the buyer's key signs with ${expected.key.alg}`);
  if (!isSigned(jws, expected.key))
    return fault('signature', null, "the signature is not of the buyer's key over these bytes");
  if (!expected.isSubject(proof.subject))
    return fault('binding', 'iss', 'the consent was given by somebody else');
  if (proof.audience !== expected.origin)
    return fault('binding', 'aud', 'the proof is for somebody else');
  if (proof.consentId !== expected.consentId)
    return fault('binding', 'consent_id', 'the proof is about another consent');
  if (proof.tenantId !== expected.tenantId)
    return fault('binding', 'tenant_id', 'the proof is for another tenant');
  const ageSeconds = Math.floor(expected.nowMs / 1_000) - proof.issuedAtSeconds;
  if (ageSeconds < -PROOF_AGE_SECONDS_MAX)
    return fault('not_before', 'iat', 'the proof says that it was made in the future');
  return ageSeconds > PROOF_AGE_SECONDS_MAX
    ? fault('expiry', 'iat', `a proof is used within ${PROOF_AGE_SECONDS_MAX} s`)
    : null;
}

function isSigned({ signingInput, signature }: UncheckedToken, { alg, jwk }: VerificationKey) {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  // ES256 signatures in JOSE are r || s (RFC 7518 section 3.4), not DER. Ed25519 names no hash.
  const algorithm = alg === 'ES256' ? 'sha256' : null;
  const bytes = Buffer.from(signingInput, 'ascii');
  return verify(algorithm, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
}
