import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import type { CellView } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { slotStatusOf, type StatusSlotRow, statusSlots } from './status-slots.ledger.js';
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
    return questions.map((ref) => statusOfSlot(slots?.get(slotName(ref)), ref, atMs));
  }
}

/** `lineage` null: only the place is known, and whose it is was found before. */
type AskedSlot = StatusRef & { readonly lineage: string | null };

/**
 * The status of one slot under the tenant's lock, from the cell that `slotCell` names: a change that was committed
 * before is always seen. The only place that commands of other rooms read it from.
 */
export const statusUnderLock = (view: CellView, slot: AskedSlot, atMs: InstantMs): StatusFact =>
  statusOfSlot(view.get(statusSlots, [slot.uri, slot.index]), slot, atMs);

function statusOfSlot(
  slot: StatusSlotRow | undefined,
  { uri, index, lineage }: AskedSlot,
  atMs: InstantMs,
): StatusFact {
  // INVARIANT: no object lives on the slot of another: withdrawing it would miss its own.
  const isForeign = lineage !== null && slot?.lineage !== null && slot?.lineage !== lineage;
  if (slot === undefined || isForeign) return unavailableStatus({ uri, index });
  return { verdict: slotStatusOf(slot), listUri: uri, index, listIssuedAtMs: atMs };
}

export const slotName = ({ uri, index }: StatusRef): string => `${index} ${uri}`;
