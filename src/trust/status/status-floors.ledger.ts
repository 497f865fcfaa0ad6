import { codec } from '../../core/kernel/index.js';
import type { StatusFact } from '../../core/rules/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  column,
  defineEvent,
  defineProjection,
  when,
} from '../../base/ledger/index.js';

/**
 * From this entry on no copy of the list below `version` is believed, however fresh it is (decisions 4.3): the authority
 * answered a change with it.
 */
export const statusFloorRaised = defineEvent(
  'status.floor_raised',
  codec.record({ listUri: codec.text, version: codec.integer }),
);

export interface StatusFloorRow {
  readonly listUri: string;
  readonly minVersion: number;
}

/** INVARIANT: a floor only grows; the table's trigger says the same. */
export const statusFloors = defineProjection<StatusFloorRow>({
  table: 'status_floors',
  mode: 'update',
  key: ['listUri'],
  columns: { listUri: column.text, minVersion: column.integer },
  on: [
    when(statusFloorRaised, {
      keys: ({ listUri }) => [[listUri]],
      evolve: (row, { listUri, version }) => ({
        listUri,
        minVersion: Math.max(row?.minVersion ?? 0, version),
      }),
    }),
  ],
});

/** The cells by which {@link isBelowFloor} sees what was changed since the lists were looked at. */
export const floorCells = (listUris: readonly string[]): readonly CellRef[] =>
  [...new Set(listUris)].map((listUri) => cell(statusFloors, listUri));

/**
 * Whether a status lets something count on the word of a copy that a change has overtaken. A list with a floor has
 * versions, so a copy without one is below it. Whatever else was said refuses already.
 */
export function isBelowFloor(view: CellView, status: StatusFact): boolean {
  const { verdict, listUri, listVersion } = status;
  if (listUri === null || verdict !== 'valid') return false;
  const floor = view.get(statusFloors, [listUri]);
  return floor !== undefined && (listVersion ?? -1) < floor.minVersion;
}
