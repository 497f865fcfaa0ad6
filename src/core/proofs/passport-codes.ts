import type { InstantMs } from '../kernel/index.js';
import type { StatusFact } from '../rules/index.js';
import type { ProofFault } from './fault.js';
import {
  PASSPORT_LIFE_SECONDS_MAX,
  type PassportClaims,
  passportLifeFault,
} from './token-claims.js';

/** What verifying a Commerce Passport can find (facts/arbiter.md 3.6); a route of that form puts `passport_` in front. */
export const PASSPORT_CODES = [
  'malformed',
  'kid_required',
  'kid_unknown',
  'kid_wrong_namespace',
  'kid_retired_iat_after',
  'kid_retired_window_exceeded',
  'algorithm_rejected',
  'signature_invalid',
  'expired',
  'not_yet_valid',
  'wrong_audience',
  'wrong_issuer',
  'missing_claims',
  'temporal_claim_invalid',
  'lifetime_exceeded',
  'invalid_passport_type',
  'revoked',
  'revocation_unavailable',
  'tenant_mismatch',
  'merchant_mismatch',
] as const;
export type PassportCode = (typeof PASSPORT_CODES)[number];

/** What is known beside the finding: the claims as they were sent, and which keys this issuer has here. */
export interface PassportCircumstances {
  /** Null: the token could not be read so far. */
  readonly claims: Readonly<Record<string, unknown>> | null;
  readonly key: 'known' | 'of_another_role' | 'unknown_kid' | 'unknown_issuer';
  readonly retiredAtMs: InstantMs | null;
  readonly issuedAtMs: InstantMs | null;
}

const TIMES: readonly string[] = ['iat', 'nbf', 'exp'];

/**
 * The code of one finding of our verification. A key that is not in force yet, or compromised, is one nobody believes:
 * `kid_unknown`. Checks that a passport is never put to count as `malformed`.
 */
export function passportCodeOf(
  { check, member }: ProofFault,
  { claims, key, retiredAtMs, issuedAtMs }: PassportCircumstances,
): PassportCode {
  switch (check) {
    case 'algorithm':
      return 'algorithm_rejected';
    case 'signature':
      return 'signature_invalid';
    case 'issuer_key':
      if (key === 'unknown_issuer') return 'wrong_issuer';
      return key === 'of_another_role' ? 'kid_wrong_namespace' : 'kid_unknown';
    case 'issuer_key_state':
      return retiredAtMs !== null && issuedAtMs !== null && issuedAtMs >= retiredAtMs
        ? 'kid_retired_iat_after'
        : 'kid_unknown';
    case 'binding':
      return member === 'aud' ? 'wrong_audience' : 'tenant_mismatch';
    case 'not_before':
      return 'not_yet_valid';
    case 'expiry':
      return 'expired';
    case 'shape':
      return shapeCode(member, claims);
    case 'scope':
    case 'payload_hash':
    case 'freshness':
    case 'status':
    case 'lineage':
      return 'malformed';
  }
}

function shapeCode(member: string | null, claims: PassportCircumstances['claims']): PassportCode {
  if (member === 'header.kid') return 'kid_required';
  if (member === null || claims === null || member.startsWith('header.')) return 'malformed';
  const [name = ''] = member.split('.', 1);
  if (claims[name] === undefined || claims[name] === null) return 'missing_claims';
  if (TIMES.includes(name)) return 'temporal_claim_invalid';
  return name === 'passport_type' ? 'invalid_passport_type' : 'malformed';
}

/** What a passport is asked for. Nothing that affects a payment goes by one for browsing. */
export type PassportMode = 'payment_affecting' | 'read_only';

/**
 * The first code that stands against a passport whose issuer really said it, at this instant; null = it is good. In
 * order: type, begin, retired key, lifetime, end, status. `revoked` covers suspension; the status tells which.
 */
export function passportStandingCode(
  passport: Pick<PassportClaims, 'passportType' | 'issuedAtMs' | 'notBeforeAtMs' | 'expiresAtMs'>,
  {
    atMs,
    aheadMsMax,
    mode,
    retiredAtMs,
    status,
  }: {
    readonly atMs: InstantMs;
    readonly aheadMsMax: number;
    readonly mode: PassportMode;
    readonly retiredAtMs: InstantMs | null;
    readonly status: Pick<StatusFact, 'verdict'>;
  },
): PassportCode | null {
  const { passportType, issuedAtMs, notBeforeAtMs, expiresAtMs } = passport;
  if (mode === 'payment_affecting' && passportType !== 'checkout') return 'invalid_passport_type';
  if (issuedAtMs > atMs + aheadMsMax || notBeforeAtMs > Math.max(atMs, issuedAtMs))
    return 'not_yet_valid';
  const lifeMsMax = PASSPORT_LIFE_SECONDS_MAX[passportType] * 1_000;
  if (retiredAtMs !== null && expiresAtMs > retiredAtMs + lifeMsMax)
    return 'kid_retired_window_exceeded';
  if (passportLifeFault(passport) !== null) return 'lifetime_exceeded';
  if (atMs >= expiresAtMs) return 'expired';
  if (status.verdict === 'revoked' || status.verdict === 'suspended') return 'revoked';
  return status.verdict === 'valid' ? null : 'revocation_unavailable';
}
