import { createHash } from 'node:crypto';
import type { InstantMs, World } from '../../core/kernel/index.js';
import type { ConsentClaims, MandateClaims, PassportClaims } from '../../core/proofs/index.js';
import {
  type ConsentFact,
  type MandateFact,
  type PassportFact,
  PAYMENT_SCOPE,
  type StatusFact,
  unknownStatus,
} from '../../core/rules/index.js';
import type { AssertedAuthority } from './contract.js';

/** What the verifier adds to the claims of a token. */
export interface Verified {
  readonly buyerCommitment: string | null;
  readonly status: StatusFact;
}

const UNKNOWN_STATUS = unknownStatus(null);
const NOT_CHECKED: StatusFact = { ...UNKNOWN_STATUS, verdict: 'not_checked' };

type ClaimsInCommon = Pick<
  MandateClaims,
  'id' | 'agentId' | 'notBeforeAtMs' | 'expiresAtMs' | 'issuedAtMs'
>;

const commonFact = (claims: ClaimsInCommon, { buyerCommitment, status }: Verified) => ({
  ref: claims.id,
  source: 'verified' as const,
  signature: 'valid' as const,
  agentId: claims.agentId,
  buyerCommitment,
  notBeforeAtMs: claims.notBeforeAtMs,
  expiresAtMs: claims.expiresAtMs,
  status,
});

export const verifiedMandate = (
  claims: MandateClaims,
  verified: Verified &
    Pick<MandateFact, 'buyerKeyBound' | 'intentRefs' | 'parentStatus' | 'ancestorSlots'>,
): MandateFact => ({
  ...commonFact(claims, verified),
  mandateKind: claims.kind,
  issuedAtMs: claims.issuedAtMs,
  merchantIds: claims.merchantIds,
  cartHash: claims.cartHash,
  buyerKeyBound: verified.buyerKeyBound,
  capMinor: claims.cap.amountMinor,
  currency: claims.cap.currency,
  intentRefs: verified.intentRefs,
  parentStatus: verified.parentStatus,
  ancestorSlots: verified.ancestorSlots,
  constraints: 'met',
});

export const verifiedConsent = (claims: ConsentClaims, verified: Verified): ConsentFact => ({
  ...commonFact(claims, verified),
  merchantId: claims.merchantId,
  state: claims.state,
});

export const verifiedPassport = (claims: PassportClaims, verified: Verified): PassportFact => ({
  ...commonFact(claims, verified),
  merchantId: claims.merchantId,
  world: claims.world,
  issuedAtMs: claims.issuedAtMs,
  passportType: claims.passportType,
  scopes: claims.scopes,
  capMinor: claims.capMinor,
  currency: claims.currency,
});

/** What a token that did not verify leaves behind: our verdict, and nothing that it says of itself. */
export interface Rejected {
  readonly compact: string;
  readonly signature: 'invalid' | 'issuer_untrusted';
}

const digestOf = (text: string): string =>
  `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;

const rejected = ({ compact, signature }: Rejected) => ({
  ref: digestOf(compact),
  source: 'verified' as const,
  signature,
  agentId: null,
  buyerCommitment: null,
  notBeforeAtMs: null,
  expiresAtMs: null,
  status: UNKNOWN_STATUS,
});

/** INVARIANT: a mandate that was named is never just left out: rule 1 asks for every one of them. */
export const missingMandate = (named: string): MandateFact => ({
  ...rejectedMandate({ compact: named, signature: 'invalid' }),
  signature: 'not_found',
});

export const rejectedMandate = (token: Rejected): MandateFact => ({
  ...rejected(token),
  mandateKind: 'intent',
  issuedAtMs: null,
  merchantIds: [],
  cartHash: null,
  buyerKeyBound: false,
  capMinor: null,
  currency: null,
  intentRefs: [],
  parentStatus: null,
  ancestorSlots: [],
  constraints: 'met',
});

/** `granted`: the rule names the bad signature before it looks at a state that nobody vouches for. */
export const rejectedConsent = (token: Rejected): ConsentFact => ({
  ...rejected(token),
  merchantId: null,
  state: 'granted',
});

export const rejectedPassport = (token: Rejected): PassportFact => ({
  ...rejected(token),
  merchantId: null,
  world: null,
  issuedAtMs: null,
  passportType: 'unknown',
  scopes: [],
  capMinor: null,
  currency: null,
});

/** The purchase that a body's claims are about: what a claim does not say is taken from there. */
export interface AssertedPurchase {
  readonly merchantId: string;
  readonly agentId: string | null;
  readonly world: World;
  readonly atMs: InstantMs;
  /** The buyer of what was verified beside the claims, else a name for "whoever the caller means". */
  readonly buyerCommitment: string;
}

/** INVARIANT: free text of a body, which may name a person, enters no fact and no entry (decisions 1.8). */
const claimedRef = (ref: string | null): string => (ref === null ? 'asserted' : digestOf(ref));

const asserted = (purchase: AssertedPurchase, expiresAtMs: InstantMs | null) => ({
  source: 'caller_asserted' as const,
  signature: 'not_checked' as const,
  agentId: purchase.agentId,
  buyerCommitment: purchase.buyerCommitment,
  notBeforeAtMs: purchase.atMs,
  expiresAtMs,
  status: NOT_CHECKED,
});

/** Each is null when the body claims nothing of the kind. */
export function assertedMandate(
  claims: AssertedAuthority,
  purchase: AssertedPurchase,
): MandateFact | null {
  if (claims.mandateRef === null && claims.mandateExpiresAtMs === null) return null;
  const ref = claimedRef(claims.mandateRef);
  return {
    ...asserted(purchase, claims.mandateExpiresAtMs),
    ref,
    mandateKind: 'intent',
    issuedAtMs: purchase.atMs,
    merchantIds: [purchase.merchantId],
    cartHash: null,
    buyerKeyBound: false,
    capMinor: null,
    currency: null,
    intentRefs: [ref],
    parentStatus: null,
    ancestorSlots: [],
    constraints: 'met',
  };
}

export function assertedConsent(
  claims: AssertedAuthority,
  purchase: AssertedPurchase,
): ConsentFact | null {
  const { consentRef, consentState, consentExpiresAtMs } = claims;
  if (consentRef === null && consentState === null && consentExpiresAtMs === null) return null;
  return {
    ...asserted(purchase, consentExpiresAtMs),
    ref: claimedRef(consentRef),
    merchantId: purchase.merchantId,
    state: consentState ?? 'unknown',
  };
}

export function assertedPassport(
  claims: AssertedAuthority,
  purchase: AssertedPurchase,
): PassportFact | null {
  const { passportRef, passportMaxAmountMinor, passportCurrency, passportExpiresAtMs } = claims;
  if ([passportRef, passportMaxAmountMinor, passportCurrency, passportExpiresAtMs].every(isNull))
    return null;
  return {
    ...asserted(purchase, passportExpiresAtMs),
    ref: claimedRef(passportRef),
    merchantId: purchase.merchantId,
    world: purchase.world,
    // A claim has no time of issue, so no lifetime either; whose word it is is rule 4's to judge.
    issuedAtMs: null,
    passportType: 'checkout',
    scopes: [PAYMENT_SCOPE],
    capMinor: passportMaxAmountMinor,
    currency: passportCurrency,
  };
}

const isNull = (value: unknown): boolean => value === null;
