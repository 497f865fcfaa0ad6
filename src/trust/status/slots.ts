import { type CanonicalValue, err, ok, type Result } from '../../core/kernel/index.js';
import { fault, type ProofFault, type StatusRef } from '../../core/proofs/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { slotBound, slotStatusOf, statusSlots } from './status-slots.ledger.js';

/** Places on one list (facts/arbiter.md A2); the list is about half full when the next one begins. */
export const STATUS_LIST_CAPACITY = 131_072;

/** The logical name of a tenant's list: it stays the same wherever the list is served. */
export const statusListUri = (tenantId: string, number: number): string =>
  `urn:arbiter:status-list:${tenantId}:${number}`;

export const slotCell = ({ uri, index }: StatusRef): CellRef => cell(statusSlots, uri, index);

/**
 * What a registering command adds for the slot its object names, judged under the lock. Faults (`status`), in order:
 * the slot was never reserved here; it is revoked or suspended; it belongs to another lineage. A slot that is bound to
 * this lineage already needs no event.
 */
export function bindSlot(
  view: CellView,
  {
    slot,
    lineage,
    merchantIds,
  }: { slot: StatusRef; lineage: string; merchantIds: readonly string[] },
): Result<readonly LedgerEvent[], ProofFault> {
  const row = view.get(statusSlots, [slot.uri, slot.index]);
  if (row === undefined)
    return err(fault('status', 'status.status_list', 'no such slot is reserved for this tenant'));
  const status = slotStatusOf(row);
  if (status !== 'valid')
    return err(fault('status', 'status.status_list', `the slot says ${status}`));
  if (row.lineage !== null && row.lineage !== lineage)
    return err(fault('status', 'status.status_list', 'the slot belongs to another object'));
  if (row.lineage === lineage) return ok([]);
  const bound = { listUri: slot.uri, index: slot.index, lineage, merchantIds };
  return ok([event(slotBound, bound)]);
}

/** The merchants whose own systems may withdraw what this slot stands for. */
export const slotMerchants = (stored: CanonicalValue): readonly string[] =>
  Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : [];
