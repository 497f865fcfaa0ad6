import type { InstantMs, Money, Problem, Result, TenantId } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';

export type BoundObjectKind = 'artifact' | 'mandate' | 'consent' | 'passport';

/** What the authority keeps of a mandate, to judge its children and to revoke them with it. */
export interface BoundMandate {
  readonly parentId: string | null;
  readonly kind: 'intent' | 'cart' | 'payment';
  /** The buyer, as the arbiter commits to it: the authority learns no name. */
  readonly subjectCommitment: string;
  readonly agentId: string;
  readonly cartHash: string | null;
  readonly cap: Money;
  readonly notBeforeAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
}

/** A verified object that lives on a slot of the authority: from then on one revoke stops it. */
export interface BoundObject {
  readonly kind: BoundObjectKind;
  readonly objectId: string;
  /** Of the exact bytes that were registered; 64 hexadecimal digits. */
  readonly sha256: string;
  readonly lineage: string;
  readonly merchantIds: readonly string[];
  readonly slot: StatusRef;
  readonly artifactType: string | null;
  /** For `mandate` only. */
  readonly mandate: BoundMandate | null;
}

export const AUTHORITY_STATUSES = ['valid', 'revoked', 'suspended'] as const;
export type AuthorityStatus = (typeof AUTHORITY_STATUSES)[number];

export interface RevokeRequest {
  readonly target:
    | { readonly slot: StatusRef }
    | {
        readonly kind: BoundObjectKind | 'registration';
        readonly objectId: string;
      };
  readonly status: AuthorityStatus;
  readonly reasonCode: string;
  /** Role of who withdrew: `buyer`, `merchant`, `operator` and the like. */
  readonly revokedBy: string;
}

/** One revocation record whose signature and claims were verified, with its exact bytes. */
export interface VerifiedRecord {
  readonly jws: string;
  readonly kid: string;
  readonly revocationId: string;
  readonly slot: StatusRef;
  /** Version of the list at which the slot changed. */
  readonly listVersion: number;
  readonly status: AuthorityStatus;
  readonly reasonCode: string;
  readonly subjectId: string | null;
  readonly subjectKind: BoundObjectKind | 'registration' | 'slot';
  readonly artifactType: string | null;
  readonly effectiveAtMs: InstantMs;
  readonly revokedBy: string;
  readonly cause: 'direct' | 'cascade';
  readonly rootRevocationId: string | null;
  readonly rootSubjectId: string | null;
}

/** The records that stand, the named object's first (none for what is valid and was never changed), and for each list that holds them the least version that shows them. */
export interface Revoked {
  readonly records: readonly VerifiedRecord[];
  readonly lists: readonly { readonly uri: string; readonly version: number }[];
}

/** What the authority is asked to confirm; see CountersignRequest of money/arbiter. */
export interface CountersignQuestion {
  readonly decisionId: string;
  readonly flow: 'handoff' | 'agent_payment' | 'refund';
  readonly cartHash: string | null;
  readonly orderId: string | null;
  readonly amount: Money;
  readonly merchantId: string;
  readonly decidedAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
  readonly artifacts: readonly {
    readonly id: string;
    readonly payloadHash: string | null;
    readonly slot: StatusRef | null;
  }[];
}

export type CountersignAnswer =
  | { readonly kind: 'signed'; readonly jws: string }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unavailable'; readonly detail: string };

/** A token that the authority issued, with the slot it lives on. It is a claim: whoever uses it verifies it. */
export interface IssuedToken {
  readonly id: string;
  readonly token: string;
  readonly slot: StatusRef;
}

export interface ConsentDraft {
  /** Null = the authority draws one. */
  readonly consentId: string | null;
  readonly merchantId: string;
  readonly agentId: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly state: 'granted' | 'denied';
  readonly expiresAtMs: InstantMs;
  /** Public key with which the buyer may withdraw; null = only others can. */
  readonly buyerJwk: Readonly<Record<string, unknown>> | null;
}

export interface MandateDraft {
  readonly mandateId: string | null;
  readonly kind: 'intent' | 'cart' | 'payment';
  readonly parentId: string | null;
  readonly subject: string;
  readonly agentId: string;
  readonly merchantIds: readonly string[];
  readonly cartHash: string | null;
  readonly cap: Money;
  readonly notBeforeAtMs: InstantMs | null;
  readonly expiresAtMs: InstantMs;
  /** The `payment` member of the token, as docs/tokens.md writes it. */
  readonly payment: Readonly<Record<string, unknown>> | null;
  readonly buyerJwk: Readonly<Record<string, unknown>> | null;
}

/** A mandate whose bytes somebody else made; the authority vouches for them by their hash. */
export type RegistrationDraft = Omit<MandateDraft, 'mandateId' | 'payment' | 'buyerJwk'> & {
  readonly sha256: string;
};

/** A tenant's transparency log as a witness knows it (C2SP tlog-witness). */
export interface LogRegistration {
  /** First line of its checkpoints; it never changes. */
  readonly origin: string;
  /** 1 to 16 keys of type 01: all that count from now on. */
  readonly vkeys: readonly string[];
}

/** The authority as a witness of logs. */
export interface AuthorityWitness {
  /** Its submission prefix, below the origin, without a slash at the end: `add-checkpoint` stands below it. */
  readonly url: string;
  /** Keys of type 04 under the name `<origin without https://>/witness`: the one that cosigns, then those within their overlap. At least one. */
  readonly vkeys: readonly string[];
}

/**
 * The trust authority, reached over HTTP as another party. Every call first makes sure that the tenant and its keys are
 * known on both sides ({@link AuthorityPort.ensureTenant}), so callers need not. Never throws for what the authority
 * does. Problems of every call: `unavailable` (unreachable, too late, an answer that does not verify, a 5xx; nothing
 * says whether it acted: repeat it, each call is idempotent or harmless), and the authority's own 4xx with their code and
 * detail, and a field that points into what the call sends (`/objects/0/slot`): callers move it to their own.
 */
export interface AuthorityPort {
  /** Permanent name: `iss` of its tokens, and the origin of its list uris. */
  readonly origin: string;
  /** It is a child of this service: one operator then holds both halves. */
  readonly isEmbedded: boolean;
  /**
   * Registers the tenant there and the authority's keys here. Remembered by this process. Further problems, first:
   * not_found (no such tenant here), forbidden (a live tenant on an embedded authority, unless
   * UNSAFE_EMBEDDED_AUTHORITY_FOR_LIVE_TENANTS).
   */
  ensureTenant(tenantId: TenantId): Promise<Result<null, Problem>>;
  /** For an unknown kid of this origin: enters what it publishes by now, looked at again at most every 30 seconds. */
  refreshKeys(tenantId: TenantId): Promise<Result<null, Problem>>;
  /** Whether it answers just now, under its permanent name. */
  isReachable(): Promise<boolean>;
  /** 1 to 500 places. */
  reserveSlots(tenantId: TenantId, count: number): Promise<Result<readonly StatusRef[], Problem>>;
  /** At most 500. All or nothing; the same again is ok. */
  bindObjects(tenantId: TenantId, objects: readonly BoundObject[]): Promise<Result<null, Problem>>;
  /** Idempotent: the records that stand. conflict = INVALID is final. */
  revoke(tenantId: TenantId, request: RevokeRequest): Promise<Result<Revoked, Problem>>;
  /** Answers in the order asked, never rejects, never waits beyond `deadline`. */
  countersign(
    tenantId: TenantId,
    questions: readonly CountersignQuestion[],
    deadline: AbortSignal,
  ): Promise<readonly CountersignAnswer[]>;
  /** Moves the authority's clock of a test tenant forward; an instant that is past there is no problem. */
  forwardClock(tenantId: TenantId, nowMs: InstantMs): Promise<Result<null, Problem>>;
  issueConsent(tenantId: TenantId, draft: ConsentDraft): Promise<Result<IssuedToken, Problem>>;
  issueMandate(tenantId: TenantId, draft: MandateDraft): Promise<Result<IssuedToken, Problem>>;
  issueRegistration(
    tenantId: TenantId,
    draft: RegistrationDraft,
  ): Promise<Result<IssuedToken, Problem>>;
  /** Has the tenant's log witnessed; the same again is ok. conflict = another origin, or one of another tenant. */
  registerLog(tenantId: TenantId, log: LogRegistration): Promise<Result<null, Problem>>;
  /** Where and under which keys it cosigns checkpoints; looked at again at most every 30 seconds. */
  witness(): Promise<Result<AuthorityWitness, Problem>>;
}

/** Nest token of the {@link AuthorityPort}. */
export const AUTHORITY = Symbol('AuthorityPort');
