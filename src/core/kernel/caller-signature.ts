import { formatInstant, type InstantMs } from './instant.js';
import type { CanonicalValue } from './canonical.js';

/** The ways of signing a request that are understood: Visa TAP, Web Bot Auth, UCP's own. */
export const SIGNATURE_PROFILES = ['tap', 'wba', 'ucp'] as const;
export type SignatureProfile = (typeof SIGNATURE_PROFILES)[number];

/**
 * A request signature that verified, as the entries of that request record it. It says who held which key; it grants
 * nothing, and no rule reads it (facts/arbiter.md S16, S17).
 */
export interface CallerSignature {
  readonly profile: SignatureProfile;
  readonly keyId: string;
  /** URL under which the key was published; null where the profile names none. */
  readonly agent: string | null;
  readonly tag: string | null;
  /** `full` covers method, target and content; `identity` covers less. */
  readonly coverage: 'full' | 'identity';
  readonly createdAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs | null;
  /** SHA-256 of the nonce, base64url; the nonce itself is nobody's business. */
  readonly nonceHash: string | null;
}

/** The member `signature` of an entry's body. */
export const callerSignatureBody = (signature: CallerSignature): CanonicalValue => ({
  agent: signature.agent,
  coverage: signature.coverage,
  created: instantOrNull(signature.createdAtMs),
  expires: instantOrNull(signature.expiresAtMs),
  keyid: signature.keyId,
  nonce_hash: signature.nonceHash,
  profile: signature.profile,
  tag: signature.tag,
});

const instantOrNull = (atMs: InstantMs | null): string | null =>
  atMs === null ? null : formatInstant(atMs);
