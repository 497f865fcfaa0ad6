import { type CredentialView, stateOf } from '../credentials/index.js';

export type ConsentState = 'granted' | 'denied' | 'expired' | 'revoked' | 'suspended';

/** What a consent is worth now: what the list says, then what the buyer said, then whether it has ended. */
export function consentStateOf(
  view: Pick<CredentialView, 'row' | 'status' | 'nowMs'>,
  answer: 'granted' | 'denied',
): ConsentState {
  const state = stateOf(view);
  if (state === 'revoked' || state === 'suspended') return state;
  if (answer === 'denied') return 'denied';
  return state === 'expired' ? 'expired' : 'granted';
}
