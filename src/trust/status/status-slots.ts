import { err, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import type { StatusRef } from '../../core/proofs/index.js';
import {
  answeredBefore,
  type Command,
  type CommandContext,
  event,
  type RecordedEntry,
  type Writer,
} from '../../base/ledger/index.js';
import type { AuthorityPort } from '../authority/index.js';
import { slotCell } from './slots.js';
import { slotsReserved, statusSlots } from './status-slots.ledger.js';

/** Slots one request may reserve. */
export const SLOTS_PER_REQUEST_MAX = 500;

export interface StatusSlotsDependencies {
  readonly writer: Writer;
  readonly authority: Pick<AuthorityPort, 'reserveSlots'>;
}

/** Reserving places on the status lists that the authority keeps for the tenant (decisions 4.4: reserve, sign, register). */
export class StatusSlots {
  constructor(private readonly dependencies: StatusSlotsDependencies) {}

  /**
   * Reserves `count` (1 to {@link SLOTS_PER_REQUEST_MAX}) random places: at the authority first, then here. What a crash
   * in between leaves reserved there is never used. A repeat reserves nothing more. Problems, in order:
   * validation_failed `/count`, idempotency_conflict, those of {@link AuthorityPort}, those of the writer.
   */
  async reserve(
    context: CommandContext,
    count: number,
  ): Promise<Result<readonly StatusRef[], Problem>> {
    if (!Number.isSafeInteger(count) || count < 1 || count > SLOTS_PER_REQUEST_MAX)
      return err(countOutOfBounds);
    const { authority, writer } = this.dependencies;
    const before = await answeredBefore(writer, context, reservedIn);
    if (!before.ok) return before;
    if (before.value !== null) return ok(before.value);
    const reserved = await authority.reserveSlots(context.tenantId, count);
    if (!reserved.ok) return reserved;
    return writer.execute(keepReserved(context, reserved.value));
  }
}

const keepReserved = (
  context: CommandContext,
  slots: readonly StatusRef[],
): Command<readonly StatusRef[]> => ({
  ...context,
  name: 'status.reserve_slots',
  reads: slots.map(slotCell),
  decide(view) {
    // INVARIANT: no place is given out twice, whatever the authority says.
    if (slots.some(({ uri, index }) => view.get(statusSlots, [uri, index]) !== undefined))
      return err(givenTwice);
    const uris = [...new Set(slots.map(({ uri }) => uri))];
    const events = uris.map((listUri) => {
      const indexes = slots.filter(({ uri }) => uri === listUri).map(({ index }) => index);
      return event(slotsReserved, { listUri, indexes });
    });
    return ok({ events });
  },
  answer: reservedIn,
});

const reservedIn = (entries: readonly RecordedEntry[]): readonly StatusRef[] =>
  entries
    .filter(({ type }) => type === slotsReserved.type)
    .flatMap(({ data }) => {
      const { listUri, indexes } = data as ReturnType<typeof slotsReserved.data.decode>;
      return indexes.map((index) => ({ uri: listUri, index }));
    });

const countOutOfBounds = problem(
  'validation_failed',
  `One request reserves 1 to ${SLOTS_PER_REQUEST_MAX} slots.`,
  { fix: 'Ask for fewer, in several requests if need be.', field: '/count' },
);

const givenTwice = problem('unavailable', 'The authority named places that were reserved before.', {
  fix: 'Repeat the request.',
  retryAfterSeconds: 1,
});
