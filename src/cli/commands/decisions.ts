import type { InputOf, ValueOf } from '../../client/index.js';
import { REASONS } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { decisionText, explainText } from '../explain.js';
import type { Shelf } from '../shelf.js';
import type { Column } from '../table.js';
import {
  parseChosenId,
  parseDecisionId,
  parseTime,
  parseWord,
  printAmount,
  reading,
} from '../values.js';
import { readJsonFile } from './json-file.js';
import {
  given,
  type KeyedOptions,
  type ListOptions,
  pageQueryOf,
  withIdempotencyKey,
  withListOptions,
} from './pieces.js';

type Query = NonNullable<InputOf<'get', '/v1/decisions'>['query']>;
type Summary = ValueOf<'get', '/v1/decisions'>['items'][number];
type Body = InputOf<'post', '/v1/decisions'>['body'];

const FLOWS = ['agent_payment', 'handoff', 'refund'] as const satisfies readonly Query['flow'][];
const OUTCOMES = ['allow', 'refuse'] as const;

export const DECISION = ['<decision>', 'arbdec_...', reading(parseDecisionId)] as const;

/** A refusal is an answer, and the exit code tells it apart. */
export const exitOf = ({ outcome }: { readonly outcome: string }): ExitCode =>
  outcome === 'allow' ? EXIT.done : EXIT.no;

export function addDecisions(shelf: Shelf): void {
  const decisions = shelf.program
    .command('decisions')
    .description('what was allowed and refused, and why');
  addShow(shelf, decisions);
  addSearch(shelf, decisions);
  addAsk(shelf, decisions);
}

function addShow({ online }: Shelf, decisions: Shelf['program']): void {
  const read = (session: Parameters<Parameters<typeof online>[0]>[0], id: string) =>
    session.client.get('/v1/decisions/{decision_id}', { path: { decision_id: id } });
  decisions
    .command('show')
    .description('one decision')
    .argument(...DECISION)
    .action(
      online(async (session, { words: [id = ''] }) =>
        session.finish(await read(session, id), { text: decisionText }),
      ),
    );
  decisions
    .command('explain')
    .description('one decision in words: every rule, what it saw, and what mends a refusal')
    .argument(...DECISION)
    .action(
      online(async (session, { words: [id = ''] }) =>
        session.finish(await read(session, id), {
          text: (decision) => explainText(decision, (page) => session.pageUrl(page)),
        }),
      ),
    );
}

interface SearchOptions extends ListOptions {
  readonly flow?: Query['flow'];
  readonly outcome?: Query['outcome'];
  readonly failingRule?: Query['failing_rule'];
  readonly reason?: string;
  readonly merchant?: string;
  readonly agent?: string;
  readonly from?: string;
  readonly to?: string;
}

const COLUMNS: readonly Column[] = [
  { title: 'DECISION' },
  { title: 'DECIDED AT' },
  { title: 'FLOW' },
  { title: 'OUTCOME' },
  { title: 'MERCHANT' },
  { title: 'AMOUNT', align: 'right' },
  { title: 'REASON' },
];

const rowOf = (each: Summary): readonly string[] => [
  each.decision_id,
  each.decided_at,
  each.flow,
  each.dry_run ? `${each.outcome} (dry)` : each.outcome,
  each.merchant_id,
  printAmount(each.amount),
  each.reason === null ? '-' : `${each.failing_rule ?? '-'} ${each.reason}`,
];

function addSearch({ online }: Shelf, decisions: Shelf['program']): void {
  const id = reading(parseChosenId);
  const time = reading(parseTime);
  withListOptions(
    decisions
      .command('search')
      .description('decisions, newest first')
      .option('--flow <flow>', FLOWS.join(', '), reading(parseWord(FLOWS)))
      .option('--outcome <outcome>', OUTCOMES.join(', '), reading(parseWord(OUTCOMES)))
      .option(
        '--failing-rule <rule>',
        'the rule that refused',
        reading(parseWord(Object.keys(REASONS))),
      )
      .option('--reason <reason>', 'its reason, as explain prints it', id)
      .option('--merchant <merchant>', 'of this merchant', id)
      .option('--agent <agent>', 'of this agent', id)
      .option('--from <time>', 'decided at this instant or later', time)
      .option('--to <time>', 'decided before this instant', time),
  ).action(
    online<SearchOptions>((session, { options }) => {
      let newest: number | null = null;
      return session.list<Summary>(
        (cursor) =>
          session.client.get('/v1/decisions', {
            query: given({
              flow: options.flow,
              outcome: options.outcome,
              failing_rule: options.failingRule,
              reason: options.reason,
              merchant_id: options.merchant,
              agent_id: options.agent,
              from: options.from,
              to: options.to,
              ...pageQueryOf(options, cursor),
            }),
          }),
        {
          columns: COLUMNS,
          row: rowOf,
          all: options.all ?? false,
          // How many there are is not known, but how far back in the ledger the search has come.
          onPage: ({ items }) => {
            const last = items.at(-1);
            if (last === undefined) return;
            newest ??= items[0]?.seq ?? last.seq;
            session.progress.show({ done: newest - last.seq, total: newest, unit: 'entries' });
          },
        },
      );
    }),
  );
}

function addAsk({ online }: Shelf, decisions: Shelf['program']): void {
  const FILE = ['<file>', 'the body of POST /v1/decisions, - for standard input'] as const;
  withIdempotencyKey(
    decisions
      .command('ask')
      .description('ask for a decision; exit code 1 when it is refused')
      .argument(...FILE),
  ).action(
    online<KeyedOptions>(async (session, { words: [file = ''], options }) => {
      const read = readJsonFile(file);
      if (!read.ok) {
        session.note(`error: ${read.error}`);
        return EXIT.usage;
      }
      return session.finish(
        await session.client.post('/v1/decisions', {
          body: read.value as Body,
          ...given({ idempotencyKey: options.idempotencyKey }),
        }),
        { text: decisionText, exit: exitOf },
      );
    }),
  );
}
