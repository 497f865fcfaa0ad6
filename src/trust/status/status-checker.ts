import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { slotStatusOf } from './status-slots.ledger.js';
import { findSlots } from './status-slots.store.js';

/** A slot, and what asks for it: bindSlot compares the same name. */
export interface SlotQuestion extends StatusRef {
  readonly lineage: string;
}

/**
 * The only way to ask whether a fact or a right still stands (facts/arbiter.md A17). Answers in the order asked.
 * Fails closed: a list that cannot be read, a slot nobody reserved and a slot that belongs to another object are
 * `unavailable`. Never throws, never rejects.
 */
export interface StatusChecker {
  check(
    tenantId: TenantId,
    questions: readonly SlotQuestion[],
    atMs: InstantMs,
  ): Promise<readonly StatusFact[]>;
}

/** Nest token of the {@link StatusChecker}. */
export const STATUS_CHECKER = Symbol('StatusChecker');

export const unavailableStatus = ({ uri, index }: StatusRef): StatusFact => ({
  verdict: 'unavailable',
  listUri: uri,
  index,
  listIssuedAtMs: null,
});

/**
 * Reads the tenant's own slots. There is no list in between that could be old: it is issued at the instant of the
 * read, on the tenant's commerce clock (`atMs`).
 */
export class LocalStatusChecker implements StatusChecker {
  constructor(private readonly database: Queryable) {}

  async check(
    tenantId: TenantId,
    questions: readonly SlotQuestion[],
    atMs: InstantMs,
  ): Promise<readonly StatusFact[]> {
    if (questions.length === 0) return [];
    const slots = await findSlots(this.database, tenantId, questions).catch(() => null);
    return questions.map((ref) => {
      const slot = slots?.get(slotName(ref));
      // INVARIANT: no object lives on the slot of another: withdrawing it would miss its own.
      if (slot === undefined || (slot.lineage ?? ref.lineage) !== ref.lineage)
        return unavailableStatus(ref);
      return {
        verdict: slotStatusOf(slot),
        listUri: ref.uri,
        index: ref.index,
        listIssuedAtMs: atMs,
      };
    });
  }
}

export const slotName = ({ uri, index }: StatusRef): string => `${index} ${uri}`;
