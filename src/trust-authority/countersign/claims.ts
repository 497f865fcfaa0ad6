import type { InstantMs } from '../../core/kernel/index.js';
import type { CountersignedAllow } from '../../core/proofs/index.js';
import type { Claims } from '../credentials/index.js';

/** What is said of one allow. `expiresAtMs` is its last millisecond; a refund names its order and has no cart. */
export interface AllowToConfirm extends CountersignedAllow {
  readonly decidedAtMs: InstantMs;
}

const seconds = (atMs: InstantMs): number => Math.floor(atMs / 1_000);

/**
 * The claims of a countersignature (facts/arbiter.md J4), as core/proofs parseCountersignatureClaims reads them. The id
 * follows from the decision: whoever asks twice has two signatures of one thing.
 */
export const countersignatureClaims = (issuer: string, allow: AllowToConfirm): Claims => ({
  iss: issuer,
  aud: allow.tenantId,
  jti: `csig_${allow.decisionId.replace('arbdec_', '')}`,
  iat: seconds(allow.decidedAtMs),
  exp: seconds(allow.expiresAtMs),
  decision_id: allow.decisionId,
  flow: allow.flow,
  ...(allow.cartHash === null ? {} : { cart_hash: allow.cartHash }),
  ...(allow.orderId === null ? {} : { order_id: allow.orderId }),
  amount_minor: allow.amountMinor.toString(),
  currency: allow.currency,
});
