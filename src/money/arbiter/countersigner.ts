import type { TenantId, World } from '../../core/kernel/index.js';
import type { CountersignedAllow, StatusRef } from '../../core/proofs/index.js';

/** Time for the authority's answer. What is not there at its end is missing (decisions 3.14). */
export const COUNTERSIGN_BUDGET_MS = 3_000;

/**
 * What the authority is asked to confirm. `artifacts`: the signed facts and rights that the allow rests on, to be looked
 * at once more where they live on its lists (facts/arbiter.md J5); none for a refund.
 */
export interface CountersignRequest extends CountersignedAllow {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly merchantId: string;
  /** The tenant's commerce time: the authority signs at the instant of the decision (decisions 2.4). */
  readonly decidedAtMs: number;
  readonly artifacts: readonly NamedObject[];
}

export interface NamedObject {
  readonly id: string;
  /** Of a merchant fact; null for a right of the buyer. */
  readonly payloadHash: string | null;
  readonly slot: StatusRef | null;
}

export type CountersignOutcome =
  | { readonly kind: 'signed'; readonly jws: string }
  /** The authority looked and said no. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Not known, or not in time. Asking again would be another decision. */
  | { readonly kind: 'unavailable'; readonly detail: string };

/**
 * The authority that confirms allows. Answers in the order asked, never throws, never waits beyond `deadline`.
 * What it signs is verified by us before it counts: an answer is a claim.
 */
export interface Countersigner {
  /** False: nobody countersigns here, and nobody is asked. */
  readonly isOn: boolean;
  countersign(
    requests: readonly CountersignRequest[],
    deadline: AbortSignal,
  ): Promise<readonly CountersignOutcome[]>;
}

/** Nobody countersigns: allows of live tenants stay unusable. */
export const NO_COUNTERSIGNER: Countersigner = {
  isOn: false,
  countersign: (requests) =>
    Promise.resolve(
      requests.map(() => ({ kind: 'unavailable', detail: 'nobody countersigns here' })),
    ),
};
