import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { StatusListFault, StatusRef } from '../../core/proofs/index.js';
import { type StatusFact, unknownStatus } from '../../core/rules/index.js';

/** A slot, and what asks for it: bindSlot compares the same name. */
export interface SlotQuestion extends StatusRef {
  readonly lineage: string;
  /** `iss` of the signed object. A slot of our own lists that nobody reserved here counts for the authority's own only. */
  readonly issuer: string;
}

/** At the use of an allow: whose the place is was found at its decision, and slots never change hands. */
export interface PlaceQuestion extends StatusRef {
  readonly lineage: null;
}

/** When it is asked: commerce time, and until when somebody waits; without a deadline as long as the fetches take. */
export interface StatusMoment {
  readonly atMs: InstantMs;
  readonly deadline?: AbortSignal;
}

/**
 * The only way to ask whether a fact or a right still stands (facts/arbiter.md A17). Answers in the order asked.
 * Fails closed: a list that cannot be read, a slot nobody reserved and a slot that belongs to another object are
 * `unavailable`. Never rejects, and takes no longer than the deadline: a list that is late costs its own slots only.
 */
export interface StatusChecker {
  check(
    tenantId: TenantId,
    questions: readonly (SlotQuestion | PlaceQuestion)[],
    moment: StatusMoment,
  ): Promise<readonly StatusFact[]>;
}

/** Nest token of the {@link StatusChecker}. */
export const STATUS_CHECKER = Symbol('StatusChecker');

export const unavailableStatus = (
  { uri, index }: StatusRef,
  fault: StatusListFault | null = null,
): StatusFact => unknownStatus({ listUri: uri, index }, fault);

export const slotName = ({ uri, index }: StatusRef): string => `${index} ${uri}`;
