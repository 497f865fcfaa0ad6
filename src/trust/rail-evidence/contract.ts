import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { PaymentMandateClaims } from '../../core/proofs/index.js';
import type {
  AfaEvidenceFact,
  DebitMandateFact,
  PreDebitNoticeFact,
} from '../../core/rules/index.js';
import type { RailSubject } from './rail-evidence.store.js';

/** What a purchase names: ids of registered reports, and the `jti` of its verified payment mandate. Null: names none. */
export interface RailRequest {
  readonly tenantId: TenantId;
  readonly evidenceId: string | null;
  readonly noticeRef: string | null;
  readonly mandateRef: string | null;
  /** The tenant's commerce time at which resolution began. */
  readonly atMs: InstantMs;
  /** Aborted when the time for finding facts is over; what is missing then is data. */
  readonly deadline: AbortSignal;
}

/** How the payment mandate stands at the bank, as far as a provider's word is known and counts. */
export type ReportedMandate =
  | { readonly state: 'unreported' }
  /** Reported, but the report is not to be had or does not count any more: never the same as "not reported". */
  | { readonly state: 'unusable' }
  | ({
      readonly state: 'reported';
      readonly fact: DebitMandateFact;
    } & Pick<PaymentMandateClaims, 'rail' | 'attemptsThisCycle' | 'payeeDebitedThisCycleMinor'>);

/**
 * What providers reported about one purchase, each report verified again by its stored bytes. A notice that is unknown
 * or does not count is null, as is evidence nobody reported; evidence whose signature or key does not count any more has
 * the verification `none`. `looked` names the newest report of every subject that was looked for (null: there is none),
 * to be compared under the lock; it is empty when nothing could be looked up in time.
 */
export interface ResolvedRail {
  readonly evidence: AfaEvidenceFact | null;
  readonly notice: PreDebitNoticeFact | null;
  readonly mandate: ReportedMandate;
  readonly looked: readonly (RailSubject & { readonly reportId: string | null })[];
}

/** Nothing was named, so nothing was looked for. */
export const NO_RAIL: ResolvedRail = {
  evidence: null,
  notice: null,
  mandate: { state: 'unreported' },
  looked: [],
};

/** What could not be looked up refuses where it is needed. */
export const RAIL_UNAVAILABLE: ResolvedRail = { ...NO_RAIL, mandate: { state: 'unusable' } };

/** Never throws for anything a caller sent, and never for a database that does not answer. */
export interface RailResolver {
  resolveRail(request: RailRequest): Promise<ResolvedRail>;
}

/** Nest token of the {@link RailResolver}. */
export const RAIL_RESOLVER = Symbol('RailResolver');
