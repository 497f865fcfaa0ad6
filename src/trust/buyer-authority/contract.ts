import type { SideWrite } from '../../base/ledger/index.js';
import type { InstantMs, MerchantId, TenantId, World } from '../../core/kernel/index.js';
import type { AuthorityFacts, PurchaseFacts } from '../../core/rules/index.js';

/**
 * What the caller named as evidence: each value is the id of a registered token (`jti`) or the token itself in
 * compact form. A value with a `.` inside its first `~` part is read as a token.
 */
export interface AuthorityEvidence {
  readonly mandates: readonly string[];
  /** Objects of another protocol (docs/ap2.md), each with the authority's registration of it. */
  readonly foreign: readonly ForeignMandate[];
  readonly consent: string | null;
  readonly passport: string | null;
}

/**
 * An AP2 object exactly as it was presented: a chain of SD-JWTs, or the JSON text of version 0.1. `registration` is the
 * authority's `registration+jwt`; null = it was registered here, or nobody did and it refuses.
 */
export interface ForeignMandate {
  readonly object: string;
  readonly registration: string | null;
}

/** Mandates named by one purchase, at most, of each kind. */
export const EVIDENCE_MANDATES_MAX = 8;

/**
 * What the body merely claims about the buyer's authority (mission names `passport_ref`,
 * `passport_max_amount_minor_units`, `passport_currency`, `passport_expires_at`). It fills only the slots for which
 * no evidence was named, always as `caller_asserted` (facts/arbiter.md F1 to F3).
 */
export interface AssertedAuthority {
  readonly mandateRef: string | null;
  readonly mandateExpiresAtMs: InstantMs | null;
  readonly consentRef: string | null;
  readonly consentState: 'granted' | 'denied' | null;
  readonly consentExpiresAtMs: InstantMs | null;
  readonly passportRef: string | null;
  readonly passportMaxAmountMinor: bigint | null;
  readonly passportCurrency: string | null;
  readonly passportExpiresAtMs: InstantMs | null;
}

/** The payment member of a verified payment mandate: what rule 8 needs to know of the rail. Words as the issuer wrote them. */
export interface RailClaims {
  readonly mandateRef: string;
  readonly rail: string;
  readonly event: string | null;
  readonly category: string | null;
  readonly mcc: string | null;
  readonly purposeCode: string | null;
  readonly umn: string | null;
  readonly country: string | null;
}

export interface AuthorityRequest {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly merchantId: MerchantId;
  readonly agentId: string | null;
  readonly evidence: AuthorityEvidence;
  readonly asserted: AssertedAuthority | null;
  /** The tenant's commerce time at which resolution began. */
  readonly atMs: InstantMs;
  /** Aborted when the time for finding facts is over; what is missing then is data. */
  readonly deadline: AbortSignal;
}

/**
 * `facts` holds one mandate fact per mandate named; of an id that is unknown or could not be loaded it is `not_found`,
 * which rule 1 refuses as `mandate_missing`.
 * `railClaims` is null without a verified payment mandate, and with more than one: then nobody knows what is charged.
 * `presenceEvidence` is `unavailable` when a mandate was named that could not be looked up in time.
 * `sideWrites` (commitments of buyers, bytes of inline tokens) go into the `sideWrites` of the decision's `Judged`.
 * `unresolved` names the ids that were not found or not loaded, for the trace.
 */
export interface ResolvedAuthority {
  readonly facts: AuthorityFacts;
  readonly presenceEvidence: PurchaseFacts['presenceEvidence'];
  readonly railClaims: RailClaims | null;
  readonly sideWrites: readonly SideWrite[];
  readonly unresolved: readonly { readonly ref: string; readonly why: 'unknown' | 'unavailable' }[];
}

/** Never throws for anything a caller sent, and never for a database that does not answer. */
export interface AuthorityResolver {
  resolveAuthority(request: AuthorityRequest): Promise<ResolvedAuthority>;
}

/** Nest token of the {@link AuthorityResolver}. */
export const AUTHORITY_RESOLVER = Symbol('AuthorityResolver');
