import type { CellRef, CellView } from '../../base/ledger/index.js';
import {
  type PurchaseFacts,
  type StatusFact,
  statusesOf,
  unknownStatus,
  withEachStatus,
} from '../../core/rules/index.js';
import { floorCells, isBelowFloor } from '../../trust/status/index.js';

type Withdrawable = Pick<PurchaseFacts, 'authority' | 'artifacts'>;

/** The cells by which {@link aboveFloors} sees what was revoked since the facts were looked up. */
export const floorReads = (facts: Withdrawable): readonly CellRef[] =>
  floorCells(statusesOf(facts).flatMap(({ listUri }) => listUri ?? []));

/**
 * Facts of which no status was read from a copy that a revoke has overtaken (decisions 4.3); null = one was, and the facts
 * are to be looked up again. After the last look such a status is unavailable, which refuses.
 */
export function aboveFloors<Facts extends Withdrawable>(
  facts: Facts,
  view: CellView,
  { isLast }: { readonly isLast: boolean },
): Facts | null {
  if (!statusesOf(facts).some((status) => isBelowFloor(view, status))) return facts;
  if (!isLast) return null;
  return withEachStatus(facts, (status) =>
    isBelowFloor(view, status) ? overtaken(status) : status,
  );
}

function overtaken({ listUri, index }: StatusFact): StatusFact {
  const place = listUri === null || index === null ? null : { listUri, index };
  return unknownStatus(place, 'status_below_floor');
}
