import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { slotStatusOf } from './status-slots.ledger.js';
import { findSlots } from './status-slots.store.js';

/**
 * The only way to ask whether a fact or a right still stands (facts/arbiter.md A17). Answers in the order asked.
 * Fails closed: a list that cannot be read and a slot nobody reserved are `unavailable`. Never throws, never rejects.
 */
export interface StatusChecker {
  check(
    tenantId: TenantId,
    refs: readonly StatusRef[],
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
    refs: readonly StatusRef[],
    atMs: InstantMs,
  ): Promise<readonly StatusFact[]> {
    if (refs.length === 0) return [];
    const slots = await findSlots(this.database, tenantId, refs).catch(() => null);
    return refs.map((ref) => {
      const slot = slots?.get(slotName(ref));
      if (slot === undefined) return unavailableStatus(ref);
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
