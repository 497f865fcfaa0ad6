import { randomInt } from 'node:crypto';
import { err, invariant, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import {
  type Command,
  type CommandContext,
  dataOf,
  event,
  type Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { slotCell, STATUS_LIST_CAPACITY, statusListUri } from './slots.js';
import { slotsReserved, statusSlots } from './status-slots.ledger.js';
import { countSlots } from './status-slots.store.js';

/** Slots one request may reserve. */
export const SLOTS_PER_REQUEST_MAX = 500;
/** A list takes new reservations until it is half full: random places are then found at the first or second draw. */
export const SLOTS_PER_LIST_MAX = STATUS_LIST_CAPACITY / 2;

export interface StatusSlotsDependencies {
  readonly database: Queryable;
  readonly writer: Writer;
  /** A whole number from 0 up to, not including, `limit`; unpredictable (facts/arbiter.md A2). */
  readonly drawIndex?: (limit: number) => number;
}

/** Reserving places on the tenant's own status lists (decisions 4.4: reserve, sign, register). */
export class StatusSlots {
  constructor(private readonly dependencies: StatusSlotsDependencies) {}

  /**
   * Reserves `count` (1 to {@link SLOTS_PER_REQUEST_MAX}) random places on one list.
   * Problems, in order: validation_failed `/count`, unavailable.
   */
  async reserve(
    context: CommandContext,
    count: number,
  ): Promise<Result<readonly StatusRef[], Problem>> {
    if (!Number.isSafeInteger(count) || count < 1 || count > SLOTS_PER_REQUEST_MAX)
      return err(countOutOfBounds);
    const { database, writer } = this.dependencies;
    const reserved = await countSlots(database, context.tenantId);
    const listUri = statusListUri(context.tenantId, Math.floor(reserved / SLOTS_PER_LIST_MAX) + 1);
    return writer.execute(reserveSlots(context, { listUri, count, drawn: this.#draw(count) }));
  }

  /** Three times as many as are needed and 64 more: on a half full list fewer free ones are out of the question. */
  #draw(count: number): readonly number[] {
    const drawIndex = this.dependencies.drawIndex ?? ((limit: number) => randomInt(limit));
    const drawn = new Set<number>();
    while (drawn.size < count * 3 + 64) drawn.add(drawIndex(STATUS_LIST_CAPACITY));
    return [...drawn];
  }
}

const reserveSlots = (
  context: CommandContext,
  { listUri, count, drawn }: { listUri: string; count: number; drawn: readonly number[] },
): Command<readonly StatusRef[]> => ({
  ...context,
  name: 'status.reserve_slots',
  reads: drawn.map((index) => slotCell({ uri: listUri, index })),
  decide(view) {
    const indexes = drawn
      .filter((index) => view.get(statusSlots, [listUri, index]) === undefined)
      .slice(0, count);
    return indexes.length < count
      ? err(listCrowded)
      : ok({ events: [event(slotsReserved, { listUri, indexes })] });
  },
  answer(entries) {
    const reserved = dataOf(entries, slotsReserved);
    invariant(reserved !== null, 'reserving slots records status.slots_reserved');
    return reserved.indexes.map((index) => ({ uri: reserved.listUri, index }));
  },
});

const countOutOfBounds = problem(
  'validation_failed',
  `One request reserves 1 to ${SLOTS_PER_REQUEST_MAX} slots.`,
  { fix: 'Ask for fewer, in several requests if need be.', field: '/count' },
);

const listCrowded = problem('unavailable', 'No free places were drawn on the status list.', {
  fix: 'Repeat the request.',
  retryAfterSeconds: 1,
});
