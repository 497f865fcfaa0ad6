import type {
  AfaEvidenceClaims,
  PaymentMandateClaims,
  PreDebitNoticeClaims,
} from '../../core/proofs/index.js';
import type {
  AfaEvidenceFact,
  DebitMandateFact,
  PreDebitNoticeFact,
} from '../../core/rules/index.js';

/** `SHA-256(salt || value)`: how the provider's name of an authentication or device enters facts and entries (decisions 1.8). */
export type Commit = (value: string) => string;

/** Two providers may give the same name to two authentications. */
const afaReference = (issuer: string, providerRef: string): string => `${issuer} ${providerRef}`;

export interface EvidenceTrust {
  readonly commit: Commit;
  readonly payerCommitment: string | null;
  readonly verified: boolean;
}

/** `verified`: whether its signature and key counted at the last look; what nothing proves is shown as such. */
export const evidenceFactOf = (
  claims: AfaEvidenceClaims,
  { commit, payerCommitment, verified }: EvidenceTrust,
): AfaEvidenceFact => ({
  reference: commit(afaReference(claims.issuer, claims.providerRef)),
  claimedBefore: false,
  method: claims.method,
  factors: claims.factors,
  assertedBy: claims.assertedBy,
  verification: verified ? 'signature' : 'none',
  performedAtMs: claims.performedAtMs,
  expiresAtMs: claims.expiresAtMs,
  amountBoundMinor: claims.amount.amountMinor,
  currencyBound: claims.amount.currency,
  payeeBound: claims.merchantId,
  mandateRefBound: claims.mandateRef,
  payerRefBound: payerCommitment,
  cartBound: claims.cartHash,
});

/** A notice that did not go out was not sent. */
export const noticeFactOf = (claims: PreDebitNoticeClaims): PreDebitNoticeFact => ({
  mandateRef: claims.mandateRef,
  seq: claims.cycleSeq,
  amountMinor: claims.amount.amountMinor,
  currency: claims.amount.currency,
  payeeId: claims.merchantId,
  payeeNamed: claims.payeeName !== null,
  reasonGiven: claims.reason !== null,
  scheduledForAtMs: claims.scheduledForAtMs,
  sentAtMs: claims.delivery === 'failed' ? null : claims.sentAtMs,
  deliveredAtMs: claims.deliveredAtMs,
  optedOutAtMs: claims.optedOutAtMs,
  ref: claims.noticeRef,
});

export const debitMandateFactOf = (
  claims: PaymentMandateClaims,
  commit: Commit,
): DebitMandateFact => ({
  ref: claims.mandateRef,
  status: claims.status,
  kind: claims.kind,
  limitMinor: claims.limit.amountMinor,
  currency: claims.limit.currency,
  payeeId: claims.merchantId,
  frequency: claims.frequency,
  debitDay: claims.debitDay,
  validFromAtMs: claims.validFromAtMs,
  validToAtMs: claims.validToAtMs,
  registeredAtMs: claims.registeredAtMs,
  registrationAfaRef:
    claims.registrationAfaRef === null
      ? null
      : commit(afaReference(claims.issuer, claims.registrationAfaRef)),
  termsChangedSinceAfa: claims.termsChangedSinceAfa,
  lastSeq: claims.lastSeq,
  lastDebitedAtMs: claims.lastDebitedAtMs,
  blockedMinor: claims.block?.blockedMinor ?? null,
  debitedMinor: claims.block?.debitedMinor ?? null,
  reservedMinor: claims.block?.reservedMinor ?? null,
});
