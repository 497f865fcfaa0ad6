import type { CanonicalValue, InstantMs, Money } from '../../core/kernel/index.js';
import {
  COMMERCE_AUDIENCE,
  type MandateKind,
  type PaymentTerms,
  type StatusRef,
} from '../../core/proofs/index.js';

/** Claims as they are signed. Every member has a value: an absent one is left out, never null. */
export type Claims = Readonly<Record<string, CanonicalValue>>;

/** What the authority adds to the terms that were asked for. `issuer` is its logical origin. */
export interface Issuance {
  readonly issuer: string;
  readonly tenantId: string;
  readonly id: string;
  /** Commerce time of the tenant, whole seconds (see {@link wholeSecond}). */
  readonly issuedAtMs: InstantMs;
  readonly slot: StatusRef;
}

/** Whom a token is about. `subject` names the buyer: it stands in the token and nowhere else. */
export interface Parties {
  readonly subject: string;
  readonly agentId: string;
}

export interface ConsentGrant extends Parties {
  readonly merchantId: string;
  readonly scopes: readonly string[];
  readonly state: 'granted' | 'denied';
  readonly expiresAtMs: InstantMs;
}

/** `buyerJwk`: the public key with which the buyer may sign a key binding (`cnf.jwk`, RFC 7800 section 3.2). */
export interface MandateGrant extends Parties {
  readonly kind: MandateKind;
  readonly parentId: string | null;
  readonly merchantIds: readonly string[];
  readonly cartHash: string | null;
  readonly cap: Money;
  readonly notBeforeAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs;
  readonly payment: PaymentTerms | null;
  readonly buyerJwk: Readonly<Record<string, CanonicalValue>> | null;
}

export interface PassportGrant extends Parties {
  readonly merchantId: string;
  readonly passportType: 'browse' | 'checkout';
  readonly consentId: string;
  readonly scopes: readonly string[];
  readonly maxAmount: Money | null;
  readonly isLive: boolean;
  readonly expiresAtMs: InstantMs;
}

/** A foreign object (an AP2 mandate, say) that takes a place in the tree: its bytes by digest, and its parent. */
export interface RegistrationGrant extends Parties {
  readonly sha256: string;
  readonly parentId: string | null;
  readonly expiresAtMs: InstantMs;
}

const SECOND_MS = 1_000;

/** The last whole second at or before an instant: what a token says never lasts longer than what was asked for. */
export const wholeSecond = (atMs: InstantMs): InstantMs => Math.floor(atMs / SECOND_MS) * SECOND_MS;

/** The first whole second at or after an instant: a token never begins earlier than what was asked for. */
export const wholeSecondFrom = (atMs: InstantMs): InstantMs =>
  Math.ceil(atMs / SECOND_MS) * SECOND_MS;

const numericDate = (atMs: InstantMs): number => Math.floor(atMs / SECOND_MS);

const absentNull = (members: Readonly<Record<string, CanonicalValue | null>>): Claims =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const common = (
  { issuer, tenantId, id, issuedAtMs, slot }: Issuance,
  expiresAtMs: InstantMs,
): Claims => ({
  iss: issuer,
  jti: id,
  iat: numericDate(issuedAtMs),
  exp: numericDate(expiresAtMs),
  tenant_id: tenantId,
  status: { status_list: { uri: slot.uri, idx: slot.index } },
});

const parties = ({ subject, agentId }: Parties): Claims => ({
  sub: subject,
  aud: COMMERCE_AUDIENCE,
  agent_id: agentId,
});

/** `consent+jwt` as `core/proofs` parseConsentClaims reads it. */
export const consentClaims = (issuance: Issuance, grant: ConsentGrant): Claims => ({
  ...common(issuance, grant.expiresAtMs),
  ...parties(grant),
  merchant_id: grant.merchantId,
  state: grant.state,
  scopes: grant.scopes,
});

/** `mandate+jwt` as `core/proofs` parseMandateClaims reads it. */
export const mandateClaims = (issuance: Issuance, grant: MandateGrant): Claims => ({
  ...common(issuance, grant.expiresAtMs),
  ...parties(grant),
  kind: grant.kind,
  merchant_ids: grant.merchantIds,
  cap: { amount: grant.cap.amountMinor.toString(), currency: grant.cap.currency },
  ...absentNull({
    nbf: grant.notBeforeAtMs === null ? null : numericDate(grant.notBeforeAtMs),
    parent: grant.parentId,
    cart_hash: grant.cartHash,
    payment: grant.payment === null ? null : paymentMember(grant.payment),
    cnf: grant.buyerJwk === null ? null : { jwk: grant.buyerJwk },
  }),
});

const paymentMember = (terms: PaymentTerms): Claims => ({
  rail: terms.rail,
  ...absentNull({
    event: terms.event,
    category: terms.category,
    mcc: terms.mcc,
    purpose_code: terms.purposeCode,
    umn: terms.umn,
    country: terms.country,
  }),
});

/** A commerce passport (facts/arbiter.md 3.6) as `core/proofs` parsePassportClaims reads it; `max_amount` is a number. */
export const passportClaims = (issuance: Issuance, grant: PassportGrant): Claims => ({
  ...common(issuance, grant.expiresAtMs),
  ...parties(grant),
  nbf: numericDate(issuance.issuedAtMs),
  merchant_id: grant.merchantId,
  passport_type: grant.passportType,
  consent_record_id: grant.consentId,
  scopes: grant.scopes,
  env: grant.isLive ? 'live' : 'test',
  ver: '1',
  ...absentNull({
    max_amount: grant.maxAmount === null ? null : Number(grant.maxAmount.amountMinor),
    currency: grant.maxAmount?.currency ?? null,
  }),
});

/**
 * `registration+jwt` (decisions 3.9): the authority's word on a foreign object, which stays unread. Buyer and agent stand
 * in it because foreign objects name neither in terms of this house.
 */
export const registrationClaims = (issuance: Issuance, grant: RegistrationGrant): Claims => ({
  ...common(issuance, grant.expiresAtMs),
  sub: grant.subject,
  agent_id: grant.agentId,
  aud: issuance.tenantId,
  sha256: grant.sha256,
  ...absentNull({ parent: grant.parentId }),
});
