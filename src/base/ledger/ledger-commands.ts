import {
  type Actor,
  type CallerSignature,
  err,
  formatInstant,
  type InstantMs,
  invariant,
  ok,
  problem,
  type TenantId,
  type World,
} from '../../core/kernel/index.js';
import { isKeyId } from '../../core/chain/index.js';
import type { Command, IdempotencyClaim, LedgerMoment } from './command.js';
import { dataOf, event, type LedgerEvent } from './event.js';
import { clockMoved, LEDGER_FORMAT, ledgerOpened, sealingSwitched } from './head.js';

/** Who asks, and under which claim: what every command carries. */
export interface CommandContext {
  readonly tenantId: TenantId;
  readonly actor: Actor;
  readonly requestId: string;
  readonly signature?: CallerSignature | null | undefined;
  readonly idempotency: IdempotencyClaim | null;
}

/** How a tenant's ledger begins. `sealingKid` null = unsealed; a test clock and seeded ids exist in the test world only. */
export interface LedgerOpening {
  readonly world: World;
  readonly sealingKid: string | null;
  readonly testClockAtMs?: InstantMs | null;
  readonly idSeed?: string | null;
}

/** The first event of the command given to `Writer.open`. With a test clock, entry 0 already stands at its instant. */
export function openLedger(opening: LedgerOpening): LedgerEvent {
  const { world, sealingKid, testClockAtMs = null, idSeed = null } = opening;
  invariant(
    world === 'test' || (testClockAtMs === null && idSeed === null),
    'test clocks and seeded ids exist in the test world only',
  );
  invariant(sealingKid === null || isKeyId(sealingKid), 'a key id holds letters, digits and ._-');
  return event(ledgerOpened, {
    format: LEDGER_FORMAT,
    world,
    sealing: { on: sealingKid !== null, kid: sealingKid },
    testClockAtMs,
    idSeed,
  });
}

/**
 * Switches sealing on (`kid` = the key), to another key, or off (`kid` null).
 * Answers the seq of the entry that did it. Problems: conflict (it is so already).
 */
export function switchSealing(
  context: CommandContext,
  kid: string | null,
): Command<{ readonly seq: number; readonly kid: string | null }> {
  invariant(kid === null || isKeyId(kid), 'a key id holds letters, digits and ._-');
  return {
    ...context,
    name: 'ledger.switch_sealing',
    reads: [],
    decide: (_view, moment: LedgerMoment) =>
      moment.sealingKid === kid
        ? err(
            problem(
              'conflict',
              kid === null ? 'Sealing is off already.' : 'This key seals already.',
              {
                fix: 'Nothing has to be done.',
              },
            ),
          )
        : ok({
            events: [
              event(sealingSwitched, { on: kid !== null, kid, entriesBefore: moment.nextSeq }),
            ],
          }),
    answer: (entries) => ({ seq: entries[0]?.seq ?? -1, kid }),
  };
}

/**
 * Moves a test tenant's clock to an instant and freezes it there; the entry itself stands at the instant before.
 * Problems: forbidden (live world), validation_failed (back in time).
 */
export function moveClock(
  context: CommandContext,
  toMs: InstantMs,
): Command<{ readonly fromMs: InstantMs; readonly toMs: InstantMs }> {
  return {
    ...context,
    name: 'ledger.move_clock',
    reads: [],
    decide(_view, moment: LedgerMoment) {
      if (moment.world !== 'test') {
        return err(
          problem('forbidden', 'A live tenant has no test clock.', {
            fix: 'Use a tenant of the test world.',
          }),
        );
      }
      if (toMs < moment.atMs) {
        return err(
          problem('validation_failed', 'A test clock never moves back.', {
            fix: `Name an instant at or after ${formatInstant(moment.atMs)}.`,
            field: '/at',
          }),
        );
      }
      return ok({ events: [event(clockMoved, { fromMs: moment.atMs, toMs })] });
    },
    answer(entries) {
      const moved = dataOf(entries, clockMoved);
      invariant(moved !== null, 'moving a clock is one entry');
      return moved;
    },
  };
}
