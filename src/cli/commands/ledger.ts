import type { ValueOf } from '../../client/index.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseWord, reading } from '../values.js';
import { given, type KeyedOptions, withIdempotencyKey } from './pieces.js';

type Head = ValueOf<'get', '/v1/ledger/head'>;

export function addLedger({ program, online }: Shelf): void {
  const ledger = program.command('ledger').description('the chained ledger of the tenant');
  ledger
    .command('head')
    .description(
      'its last entry: keep it elsewhere, and what stands before cannot be changed unseen',
    )
    .action(
      online(async (session) =>
        session.finish(await session.client.get('/v1/ledger/head'), { text: headText }),
      ),
    );
  withIdempotencyKey(
    ledger
      .command('sealing')
      .description('seal every entry from now on, or no longer')
      .argument('<on|off>', 'nothing is sealed backwards', reading(parseWord(['on', 'off']))),
  ).action(
    online<KeyedOptions>(async (session, { words: [word], options }) =>
      session.finish(
        await session.client.put('/v1/ledger/sealing', {
          body: { on: word === 'on' },
          ...given({ idempotencyKey: options.idempotencyKey }),
        }),
        { text: headText },
      ),
    ),
  );
}

const headText = ({ seq, at, link, sealing }: Head): string =>
  printFields([
    ['seq', seq.toString()],
    ['at', at],
    ['link', link],
    ['sealing', sealing.on ? `on since entry ${sealing.since_seq ?? '-'}` : 'off'],
    ['kid', sealing.kid],
  ]);
