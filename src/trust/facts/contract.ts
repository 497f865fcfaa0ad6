import type { SideWrite } from '../../base/ledger/index.js';
import type { InstantMs, MerchantId, TenantId } from '../../core/kernel/index.js';
import type { ArtifactFact } from '../../core/rules/index.js';

/** Artifacts named by one purchase, at most (ids and inline envelopes together). */
export const NAMED_ARTIFACTS_MAX = 256;

export interface ArtifactRequest {
  readonly tenantId: TenantId;
  readonly merchantId: MerchantId;
  /** Null: only artifacts made for any agent (`*`) are in scope. */
  readonly agentId: string | null;
  readonly lines: readonly { readonly productId: string; readonly variantId: string }[];
  /** Ids of registered artifacts, or whole signed envelopes as the caller sent them (parsed JSON). */
  readonly named: readonly unknown[];
  /** The tenant's commerce time at which resolution began. */
  readonly atMs: InstantMs;
  /** Aborted when the time for finding facts is over; what is missing then is data. */
  readonly deadline: AbortSignal;
}

/**
 * `artifacts`: first what was named, in its order, then for every required type (and for price and inventory: every
 * variant of the cart) that was not named, the newest registered artifact that no newer one superseded. A named id
 * that is unknown or could not be loaded in time gives a fact `artifact_missing_or_invalid`; a required type that
 * nobody registered, or that could not be loaded in time, gives no fact. An envelope that says no known type is refused
 * as `commitment_evidence`.
 * `sideWrites` (bytes of inline envelopes) go into the `sideWrites` of the decision's `Judged`.
 */
export interface ResolvedArtifacts {
  readonly artifacts: readonly ArtifactFact[];
  readonly sideWrites: readonly SideWrite[];
}

/** Never throws for anything a caller sent, and never for a database that does not answer. */
export interface ArtifactResolver {
  resolveArtifacts(request: ArtifactRequest): Promise<ResolvedArtifacts>;
}

/** Nest token of the {@link ArtifactResolver}. */
export const ARTIFACT_RESOLVER = Symbol('ArtifactResolver');
