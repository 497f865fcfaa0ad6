import type { TenantId, World } from '../../core/kernel/index.js';
import type { CountersignedAllow } from '../../core/proofs/index.js';

/** Time for the authority's answer. What is not there at its end is missing (decisions 3.14). */
export const COUNTERSIGN_BUDGET_MS = 3_000;

/** What the authority is asked to confirm. `artifacts`: those it may have issued, to be looked at once more (facts/arbiter.md J5). */
export interface CountersignRequest extends CountersignedAllow {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly merchantId: string;
  /** The tenant's commerce time: the authority signs at the instant of the decision (decisions 2.4). */
  readonly decidedAtMs: number;
  readonly artifacts: readonly { readonly id: string; readonly payloadHash: string | null }[];
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
