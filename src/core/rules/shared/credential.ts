import type { InstantMs } from '../../kernel/index.js';
import type { Observation } from '../decision.js';
import type { ConsentFact, MandateFact, PassportFact } from '../facts.js';
import { ageMs, hasBegun, isUnexpired } from './instants.js';
import { age, instant, text } from './observe.js';
import { STATUS_AGE_MS_MAX, statusFault } from './status.js';

/** What mandate, consent and passport have in common. */
export type CredentialFact = MandateFact | ConsentFact | PassportFact;

export const isName = (name: string | null): boolean => typeof name === 'string' && name !== '';

/** Two names that are there and are the same. An absent name equals nothing, another absent name included. */
export const isSameName = (left: string | null, right: string | null): boolean =>
  isName(left) && left === right;

/** Only a value that is openly the caller's word may come without a check of its signature or of its status. */
const isUnchecked = (credential: CredentialFact, word: string): boolean =>
  credential.source === 'caller_asserted' && word === 'not_checked';

export function signatureFault(
  credential: CredentialFact,
): 'signature_invalid' | 'issuer_untrusted' | null {
  const { signature } = credential;
  if (signature === 'valid' || isUnchecked(credential, signature)) return null;
  return signature === 'issuer_untrusted' ? 'issuer_untrusted' : 'signature_invalid';
}

export function timeFault(
  credential: CredentialFact,
  atMs: InstantMs,
): 'not_yet_valid' | 'expired' | null {
  if (!hasBegun(credential.notBeforeAtMs, atMs)) return 'not_yet_valid';
  return isUnexpired(credential.expiresAtMs, atMs) ? null : 'expired';
}

/** A copy of the list that is too old is no copy (decisions 4.2). */
export function credentialStatusFault(
  credential: CredentialFact,
  atMs: InstantMs,
): 'revoked' | 'suspended' | 'unavailable' | null {
  if (isUnchecked(credential, credential.status.verdict)) return null;
  const fault = statusFault(credential.status, atMs);
  return fault === 'stale' ? 'unavailable' : fault;
}

/** Whether one buyer stands behind this credential and every mandate. */
export const isOfMandateBuyer = (
  { buyerCommitment }: CredentialFact,
  mandates: readonly MandateFact[],
): boolean =>
  isName(buyerCommitment) &&
  mandates.every((mandate) => isSameName(mandate.buyerCommitment, buyerCommitment));

/** What every credential shows in the trace: whose word, its signature, its life, its status and the age of that. */
export const observeCredential = (
  name: string,
  credential: CredentialFact,
  atMs: InstantMs,
): Observation[] => [
  text(`${name}.ref`, credential.ref),
  text(`${name}.source`, credential.source, 'verified'),
  text(`${name}.signature`, credential.signature, 'valid'),
  instant(`${name}.not_before`, credential.notBeforeAtMs, atMs),
  instant(`${name}.expires_at`, credential.expiresAtMs, atMs),
  text(`${name}.status`, credential.status.verdict, 'valid'),
  age(`${name}.status_age`, ageMs(credential.status.listIssuedAtMs, atMs), STATUS_AGE_MS_MAX),
];
