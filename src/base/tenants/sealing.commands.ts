import { err, invariant, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import {
  cell,
  type Command,
  type CommandContext,
  dataOf,
  event,
  type Judged,
  type LedgerMoment,
  type RecordedEntry,
  sealingSwitched,
} from '../ledger/index.js';
import { FIRST_SEALING_KID, nextKidOf, sealingKeys } from './sealing.ledger.js';

/** The key that seals, and the entry that was the first under it. */
export interface SealingKeyInForce {
  readonly kid: string;
  readonly sinceSeq: number;
}

const switched = (kid: string, { nextSeq }: LedgerMoment): Result<Judged, Problem> =>
  ok({ events: [event(sealingSwitched, { on: true, kid, entriesBefore: nextSeq })] });

function keyInForce(entries: readonly RecordedEntry[]): SealingKeyInForce {
  const { kid } = dataOf(entries, sealingSwitched) ?? { kid: null };
  const [entry] = entries;
  invariant(kid !== null && entry !== undefined, 'a key comes into force by one entry');
  return { kid, sinceSeq: entry.seq };
}

/** Switches sealing on, under the newest key the tenant ever had. Problem: conflict (it is on). */
export function sealWithNewestKey(context: CommandContext): Command<SealingKeyInForce> {
  return {
    ...context,
    name: 'ledger.seal_with_newest_key',
    reads: [cell(sealingKeys)],
    decide: (view, moment: LedgerMoment) =>
      moment.sealingKid === null
        ? switched(view.get(sealingKeys, [])?.newestKid ?? FIRST_SEALING_KID, moment)
        : err(problem('conflict', 'Sealing is on already.', { fix: 'Nothing has to be done.' })),
    answer: keyInForce,
  };
}

/** Seals with the next key; its own entry is the first. Problem: conflict (sealing is off). */
export function rotateSealingKey(context: CommandContext): Command<SealingKeyInForce> {
  return {
    ...context,
    name: 'ledger.rotate_sealing_key',
    reads: [cell(sealingKeys)],
    decide(view, moment: LedgerMoment) {
      const keys = view.get(sealingKeys, []);
      return moment.sealingKid === null || keys === undefined
        ? err(SEALING_IS_OFF)
        : switched(nextKidOf(keys), moment);
    },
    answer: keyInForce,
  };
}

const SEALING_IS_OFF = problem('conflict', 'Sealing is off: there is no key to replace.', {
  fix: 'Switch sealing on with PUT /v1/ledger/sealing first.',
});
