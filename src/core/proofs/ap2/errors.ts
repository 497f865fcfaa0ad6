import type { ReasonOf } from '../../kernel/index.js';
import type { ProofCheck } from '../fault.js';
import type { ConstraintVerdict } from './constraints.js';

/** What a receipt says of a mandate that was refused (facts/protocols.md 4.5). */
export const AP2_ERRORS = [
  'invalid_credential',
  'unresolved_constraint',
  'invalid_mandate',
  'mandates_not_supported',
] as const;
export type Ap2Error = (typeof AP2_ERRORS)[number];

/** A proof that does not hold is a credential that does not, except where the mandate is good and not for this. */
export const AP2_ERROR_OF_CHECK: Readonly<Record<ProofCheck, Ap2Error>> = {
  shape: 'invalid_credential',
  scope: 'invalid_mandate',
  issuer_key: 'invalid_credential',
  issuer_key_state: 'invalid_credential',
  algorithm: 'invalid_credential',
  signature: 'invalid_credential',
  payload_hash: 'invalid_credential',
  binding: 'invalid_credential',
  not_before: 'invalid_credential',
  expiry: 'invalid_credential',
  freshness: 'invalid_credential',
  status: 'invalid_credential',
  lineage: 'invalid_mandate',
};

export const AP2_ERROR_OF_VERDICT: Readonly<Record<Exclude<ConstraintVerdict, 'met'>, Ap2Error>> = {
  violated: 'invalid_mandate',
  unresolved: 'unresolved_constraint',
};

/** What the receipt of a purchase says that rule 1 refused. */
export const AP2_ERROR_OF_REASON: Readonly<Record<ReasonOf<'mandate_present'>, Ap2Error>> = {
  mandate_missing: 'invalid_credential',
  mandate_signature_invalid: 'invalid_credential',
  mandate_issuer_untrusted: 'invalid_credential',
  mandate_merchant_mismatch: 'invalid_mandate',
  mandate_agent_mismatch: 'invalid_mandate',
  mandate_cart_mismatch: 'invalid_mandate',
  mandate_currency_mismatch: 'invalid_mandate',
  mandate_constraint_violated: 'invalid_mandate',
  mandate_constraint_unresolved: 'unresolved_constraint',
  mandate_not_yet_valid: 'invalid_credential',
  mandate_expired: 'invalid_credential',
  mandate_revoked: 'invalid_credential',
  mandate_suspended: 'invalid_credential',
  mandate_parent_revoked: 'invalid_credential',
  mandate_already_used: 'invalid_mandate',
  status_list_unavailable: 'invalid_credential',
  mandate_amount_cap_exceeded: 'invalid_mandate',
  rule_error: 'invalid_credential',
};
