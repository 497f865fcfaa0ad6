import type { InputOf, ValueOf } from '../../client/index.js';
import { EXIT } from '../exit-codes.js';
import type { Shelf } from '../shelf.js';
import { type Column, printFields } from '../table.js';
import { parseChosenId, parseWord, reading } from '../values.js';
import { merchantOf } from './one-merchant.js';
import { given, type ListOptions, pageQueryOf, withListOptions } from './pieces.js';

type PublicationBody = InputOf<'post', '/v1/facts/publications'>['body'];
type Publication = ValueOf<'post', '/v1/facts/publications'>;
type Fact = ValueOf<'get', '/v1/facts'>['items'][number];
export type FactType = Fact['artifact_type'];

const TYPES: Readonly<Record<FactType, true>> = {
  catalog_snapshot: true,
  price: true,
  inventory: true,
  policy: true,
  protocol_adapter: true,
};
export const FACT_TYPES = Object.keys(TYPES) as FactType[];

interface FactsOptions {
  readonly merchant?: string;
  readonly type?: FactType;
}

const COLUMNS: readonly Column[] = [
  { title: 'TYPE' },
  { title: 'SUBJECT' },
  { title: 'REVISION', align: 'right' },
  { title: 'ISSUED AT' },
  { title: 'EXPIRES AT' },
  { title: 'STATUS' },
];

const rowOf = (fact: Fact): readonly string[] => [
  fact.artifact_type,
  fact.subject,
  String(fact.revision),
  fact.issued_at,
  fact.expires_at,
  fact.status.verdict,
];

export function addFacts({ program, online }: Shelf): void {
  const facts = program.command('facts').description('signed facts of a catalogue');
  const merchant = reading(parseChosenId);
  const type = reading(parseWord(FACT_TYPES));
  facts
    .command('publish')
    .description('publish and renew what is due, before somebody asks')
    .option(
      '--merchant <merchant>',
      'whose facts; of the only one of this key when left out',
      merchant,
    )
    .option('--type <type>', FACT_TYPES.join(', '), type)
    .action(
      online<FactsOptions>(async (session, { options }) => {
        const whose = await merchantOf(session, options.merchant);
        if (!whose.ok) return whose.error;
        let sum = NOTHING;
        for (;;) {
          const body: PublicationBody = given({
            merchant_id: whose.value,
            artifact_type: options.type,
            cursor: sum.next_cursor ?? undefined,
          });
          const answer = await session.client.post('/v1/facts/publications', { body });
          if (!answer.ok) return session.fail(answer.failure);
          sum = sumOf(sum, answer.value);
          if (sum.next_cursor === null) break;
          const done = sum.published + sum.renewed + sum.unchanged + sum.withheld + sum.absent;
          session.progress.show({ done, total: sum.total, unit: 'facts' });
        }
        session.show(sum, publicationText(sum));
        return EXIT.done;
      }),
    );
  withListOptions(
    facts
      .command('list')
      .description('published facts and their status')
      .requiredOption('--merchant <merchant>', 'whose facts', merchant)
      .option('--type <type>', FACT_TYPES.join(', '), type),
  ).action(
    online<FactsOptions & ListOptions & { readonly merchant: string }>((session, { options }) =>
      session.list<Fact>(
        (cursor) =>
          session.client.get('/v1/facts', {
            query: {
              merchant_id: options.merchant,
              ...given({ artifact_type: options.type }),
              ...pageQueryOf(options, cursor),
            },
          }),
        { columns: COLUMNS, row: rowOf, all: options.all ?? false },
      ),
    ),
  );
}

const NOTHING: Publication = {
  published: 0,
  renewed: 0,
  unchanged: 0,
  withheld: 0,
  absent: 0,
  total: 0,
  next_cursor: null,
};

const sumOf = (left: Publication, right: Publication): Publication => ({
  published: left.published + right.published,
  renewed: left.renewed + right.renewed,
  unchanged: left.unchanged + right.unchanged,
  withheld: left.withheld + right.withheld,
  absent: left.absent + right.absent,
  total: right.total,
  next_cursor: right.next_cursor,
});

const publicationText = (sum: Publication): string =>
  printFields([
    ['published', String(sum.published)],
    ['renewed', String(sum.renewed)],
    ['unchanged', String(sum.unchanged)],
    ['withheld', String(sum.withheld)],
    ['absent', String(sum.absent)],
  ]);
