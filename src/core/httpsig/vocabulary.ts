/** What is said of the signatures of one message (facts/signatures.md 6.1). */
export type SignatureStatus = 'unsigned' | 'verified' | 'invalid' | 'unverified';

export type { SignatureProfile } from '../kernel/index.js';

/** `full`: method, target, query and content are covered. `identity`: only who asks. */
export type SignatureCoverage = 'full' | 'identity';

/** The message itself is at fault: its sender can mend it. */
export const INVALID_REASONS = [
  'malformed_header',
  'label_mismatch',
  'duplicate_label',
  'duplicate_component',
  'bad_component',
  'missing_component',
  'missing_parameter',
  'bad_parameter_type',
  'component_not_in_message',
  'target_not_covered',
  'agent_not_covered',
  'agent_ambiguous',
  'window_too_long',
  'expired',
  'not_yet_valid',
  'algorithm_not_allowed',
  'algorithm_mismatch',
  'keyid_not_thumbprint',
  'bad_signature',
  'digest_missing',
  'digest_mismatch',
  'replayed',
  'authority_not_ours',
  'target_form_refused',
] as const;
export type InvalidReason = (typeof INVALID_REASONS)[number];

/** Nothing was decided: no evidence for the sender and none against. */
export const UNVERIFIED_REASONS = [
  'agent_absent',
  'agent_url_refused',
  'agent_type_unsupported',
  'agent_not_allowed',
  'key_source_not_allowed',
  'key_source_unavailable',
  'key_not_found',
  'key_expired',
  'key_pending',
  'busy',
  'replay_state_unavailable',
  'verifier_error',
  'test_key',
  'no_canonicalisation',
] as const;
export type UnverifiedReason = (typeof UNVERIFIED_REASONS)[number];

export type SignatureReason = InvalidReason | UnverifiedReason;

const UNVERIFIED: ReadonlySet<string> = new Set(UNVERIFIED_REASONS);

/** Every reason belongs to exactly one status. */
export const statusOfReason = (reason: SignatureReason): 'invalid' | 'unverified' =>
  UNVERIFIED.has(reason) ? 'unverified' : 'invalid';

/** Why a message or a label was not taken. The detail is a sentence of ours; what it repeats is clipped and visible. */
export interface SignatureFault {
  readonly reason: SignatureReason;
  readonly detail: string;
}

export const fault = (reason: SignatureReason, detail: string): SignatureFault => ({
  reason,
  detail,
});

const QUOTED_CHARACTERS_MAX = 80;

/** Somebody's text inside a sentence of ours: in quotation marks, clipped, nothing but visible ASCII. */
export function quoted(text: string): string {
  const clipped =
    text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}...` : text;
  return `"${clipped.replace(/[^\x20-\x7e]/g, '?')}"`;
}
