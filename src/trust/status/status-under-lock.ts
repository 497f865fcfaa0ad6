import type { StatusFact } from '../../core/rules/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import type { CellView } from '../../base/ledger/index.js';
import { unavailableStatus } from './status-checker.js';
import { isBelowFloor } from './status-floors.ledger.js';
import { slotStatusOf, statusSlots } from './status-slots.ledger.js';

/** `lineage` null: only the place is known, and whose it is was found before. */
type AskedSlot = StatusRef & { readonly lineage: string | null };

/**
 * The status of one slot under the tenant's lock: what the {@link StatusChecker} said just before it (`looked`), unless
 * the cells know better. In order: the place belongs to another object, and says nothing about this one; our own row says
 * revoked or suspended; the copy that was read is below a floor. A revoke that was answered before is always seen. Reads the
 * cells of `slotCell` and `floorCells`; the only place that commands of other rooms read them from.
 */
export function statusUnderLock(view: CellView, slot: AskedSlot, looked: StatusFact): StatusFact {
  const { uri, index, lineage } = slot;
  const row = view.get(statusSlots, [uri, index]);
  // INVARIANT: no object lives on the slot of another: withdrawing it would miss its own.
  if (lineage !== null && row !== undefined && row.lineage !== null && row.lineage !== lineage)
    return unavailableStatus(slot, 'status_slot_of_another');
  const known = row === undefined ? 'valid' : slotStatusOf(row);
  if (known === 'valid')
    return isBelowFloor(view, looked) ? unavailableStatus(slot, 'status_below_floor') : looked;
  if (looked.verdict === 'revoked') return looked;
  return { ...looked, verdict: known, listUri: uri, index, fault: null };
}
