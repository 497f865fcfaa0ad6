import { err, invariant, ok, problem } from '../../core/kernel/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
} from '../../base/ledger/index.js';
import { slotsReserved, type StatusListRow, statusLists } from '../ledger/index.js';
import { LIST_PLACES_USED_MAX } from './list-uri.js';
import { placeOf } from './spread.js';

/** A place on a list of the tenant. */
export interface Place {
  readonly listNumber: number;
  readonly slotIndex: number;
}

/** The newest list is another one by now: look again. Never shown to a caller. */
export const LIST_CHANGED = problem('conflict', 'The lists changed at the same moment.', {
  fix: 'Repeat the request.',
});

export interface SlotsWanted {
  readonly count: number;
  /** The newest list as it was seen before the lock; 0 = there is none. */
  readonly newest: number;
  /** Secret of the list that is begun if the newest is half full. */
  readonly spread: string;
}

/** Takes places, on the next list when the newest is half full. Answers with them in the order in which they were taken. */
export function reserveSlots(
  context: CommandContext,
  { count, newest, spread }: SlotsWanted,
): Command<readonly Place[]> {
  return {
    ...context,
    name: 'authority.reserve_slots',
    reads: [cell(statusLists, newest), cell(statusLists, newest + 1)],
    decide(view) {
      if (view.get(statusLists, [newest + 1]) !== undefined) return err(LIST_CHANGED);
      const current = view.get(statusLists, [newest]);
      const here = Math.min(
        count,
        LIST_PLACES_USED_MAX - (current?.reservedCount ?? LIST_PLACES_USED_MAX),
      );
      const next = { listNumber: newest + 1, reservedCount: 0, spread };
      return ok({
        events: [
          ...(current === undefined ? [] : taken(current, here)),
          ...taken(next, count - here),
        ],
      });
    },
    answer: (entries) =>
      entries.flatMap(({ data }) => {
        const { listNumber, indexes } = data as ReturnType<typeof slotsReserved.data.decode>;
        return indexes.map((slotIndex) => ({ listNumber, slotIndex }));
      }),
  };
}

function taken(
  list: Pick<StatusListRow, 'listNumber' | 'reservedCount' | 'spread'>,
  count: number,
): readonly LedgerEvent[] {
  const { listNumber, reservedCount, spread } = list;
  invariant(reservedCount + count <= LIST_PLACES_USED_MAX, 'a list is used by half at most');
  if (count === 0) return [];
  const indexes = Array.from({ length: count }, (_, one) => placeOf(spread, reservedCount + one));
  return [event(slotsReserved, { listNumber, spread, indexes })];
}
