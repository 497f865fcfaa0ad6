import type { ValueOf } from '../../client/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { given } from './pieces.js';

type StatusList = ValueOf<'get', '/v1/status-lists'>['items'][number];

export function addStatus({ program, online }: Shelf): void {
  program
    .command('status')
    .description('status lists: what is withdrawn on them, and whether they can be relied on')
    .argument('[list]', 'one list by its address; all that objects here live on when left out')
    .action(
      online(async (session, { words: [uri] }) => {
        const answer = await session.client.get('/v1/status-lists', { query: given({ uri }) });
        return session.finish(answer, {
          text: ({ items }) =>
            items.map(listText).join('\n\n') ||
            `No slot is reserved on ${uri === undefined ? 'a' : 'this'} list.`,
          exit: ({ items }): ExitCode =>
            items.some(({ fault }) => fault !== null) || (uri !== undefined && items.length === 0)
              ? EXIT.no
              : EXIT.done,
        });
      }),
    );
}

const listText = ({ uri, own, min_version: minVersion, fault, list }: StatusList): string =>
  printFields([
    ['list', uri],
    ['usable', fault === null ? 'yes' : `no: ${fault}`],
    ['version', text(list?.version)],
    ['least version', text(minVersion)],
    ['issued at', list?.issued_at ?? null],
    ['age', list === null ? null : `${list.age_seconds} s`],
    ['places', text(list?.places)],
    ['valid', text(list?.valid)],
    ['revoked', text(list?.revoked)],
    ['suspended', text(list?.suspended)],
    ['own slots', `${own.reserved} reserved, ${own.bound} in use`],
    ['own revoked', text(own.revoked)],
    ['own suspended', text(own.suspended)],
  ]);

const text = (count: number | null | undefined): string | null =>
  count === null || count === undefined ? null : String(count);
