import { type CanonicalValue, err, ok, type Result } from '../../core/kernel/index.js';
import { fault, type ProofFault, type StatusRef } from '../../core/proofs/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import type { SeenPlace } from './bind-object.js';
import {
  slotBound,
  slotsBound,
  slotsReserved,
  slotStatusOf,
  statusSlots,
} from './status-slots.ledger.js';

/** Places on one list (facts/arbiter.md A2); the list is about half full when the next one begins. */
export const STATUS_LIST_CAPACITY = 131_072;

export const slotCell = ({ uri, index }: StatusRef): CellRef => cell(statusSlots, uri, index);

/**
 * What a registering command adds for the slot its object names, judged under the lock. Faults (`status`), in order:
 * the slot was never reserved here; it is revoked or suspended; it belongs to another lineage. A slot that is bound to
 * this lineage already needs no event. One that the authority took for an object of its own is written down here with the
 * object; a list of another authority is not kept here at all.
 */
export function bindSlot(
  view: CellView,
  {
    slot,
    place,
    lineage,
    merchantIds,
  }: { slot: StatusRef; place: SeenPlace; lineage: string; merchantIds: readonly string[] },
): Result<readonly LedgerEvent[], ProofFault> {
  if (place.kind === 'foreign')
    return place.verdict === 'valid'
      ? ok([])
      : err(fault('status', 'status.status_list', `its list says ${place.verdict}`));
  const row = view.get(statusSlots, [slot.uri, slot.index]);
  const bound = { listUri: slot.uri, index: slot.index, lineage, merchantIds };
  if (row === undefined && place.kind === 'issued')
    return ok([
      event(slotsReserved, { listUri: slot.uri, indexes: [slot.index] }),
      event(slotBound, bound),
    ]);
  if (row === undefined)
    return err(fault('status', 'status.status_list', 'no such slot is reserved for this tenant'));
  const status = slotStatusOf(row);
  if (status !== 'valid')
    return err(fault('status', 'status.status_list', `the slot says ${status}`));
  if (row.lineage !== null && row.lineage !== lineage)
    return err(fault('status', 'status.status_list', 'the slot belongs to another object'));
  if (row.lineage === lineage) return ok([]);
  return ok([event(slotBound, bound)]);
}

/** Whether a slot is reserved, stands and belongs to nobody yet, judged under the lock. */
export function isFreeSlot(view: CellView, { uri, index }: StatusRef): boolean {
  const row = view.get(statusSlots, [uri, index]);
  return row !== undefined && row.lineage === null && slotStatusOf(row) === 'valid';
}

/** What a command adds that binds free slots ({@link isFreeSlot}) of one merchant, each to its own lineage. */
export const bindFreeSlots = (
  merchantId: string,
  bound: readonly { readonly slot: StatusRef; readonly lineage: string }[],
): readonly LedgerEvent[] =>
  bound.length === 0
    ? []
    : [
        event(slotsBound, {
          merchantIds: [merchantId],
          slots: bound.map(({ slot, lineage }) => ({
            listUri: slot.uri,
            index: slot.index,
            lineage,
          })),
        }),
      ];

/** The merchants whose own systems may withdraw what this slot stands for. */
export const slotMerchants = (stored: CanonicalValue): readonly string[] =>
  Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : [];
