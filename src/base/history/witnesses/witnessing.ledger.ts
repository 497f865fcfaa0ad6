import { codec } from '../../../core/kernel/index.js';
import {
  cell,
  column,
  type Command,
  type CommandContext,
  defineEvent,
  defineProjection,
  event,
  when,
} from '../../ledger/index.js';
import { ok } from '../../../core/kernel/index.js';

/** From here on checkpoints of the ledger are sent to witnesses, or are not. */
export const witnessingSwitched = defineEvent(
  'ledger.witnessing_switched',
  codec.record({ on: codec.flag }),
);

export interface LedgerWitnessingRow {
  readonly isOn: boolean;
}

export const ledgerWitnessing = defineProjection<LedgerWitnessingRow>({
  table: 'ledger_witnessing',
  mode: 'update',
  key: [],
  columns: { isOn: column.flag },
  on: [when(witnessingSwitched, { keys: () => [[]], evolve: (_row, { on }) => ({ isOn: on }) })],
});

/** Switches witnessing; what is so already is answered without an entry. No problems of its own. */
export const switchWitnessing = (
  context: CommandContext,
  on: boolean,
): Command<{ readonly on: boolean }> => ({
  ...context,
  name: 'ledger.switch_witnessing',
  reads: [cell(ledgerWitnessing)],
  decide: (view) =>
    ok({
      events:
        (view.get(ledgerWitnessing, [])?.isOn ?? false) === on
          ? []
          : [event(witnessingSwitched, { on })],
    }),
  answer: () => ({ on }),
});
