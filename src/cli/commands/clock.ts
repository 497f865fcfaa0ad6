import type { ValueOf } from '../../client/index.js';
import { formatInstant, isInstantMs } from '../../core/kernel/index.js';
import { EXIT } from '../exit-codes.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseDuration, parseTime, reading } from '../values.js';
import { given, type KeyedOptions, withIdempotencyKey } from './pieces.js';

type Clock = ValueOf<'get', '/v1/test-clock'>;

interface MoveOptions extends KeyedOptions {
  readonly to?: string;
  readonly by?: number;
}

export function addClock({ program, online }: Shelf): void {
  const clock = program.command('clock').description('commerce time of a tenant of the test world');
  clock
    .command('show')
    .description('what time it is there')
    .action(
      online(async (session) =>
        session.finish(await session.client.get('/v1/test-clock'), { text: clockText }),
      ),
    );
  withIdempotencyKey(
    clock
      .command('move')
      .description('move it forward; it stands still from then on')
      .option('--to <time>', 'to this instant', reading(parseTime))
      .option('--by <duration>', 'by 90s, 10m, 2h or 3d', reading(parseDuration)),
  ).action(
    online<MoveOptions>(async (session, { options }) => {
      const { to, by } = options;
      if ((to === undefined) === (by === undefined)) {
        session.note('error: give --to or --by.');
        return EXIT.usage;
      }
      let now = to;
      if (by !== undefined) {
        const shown = await session.client.get('/v1/test-clock');
        if (!shown.ok) return session.fail(shown.failure);
        const laterMs = Date.parse(shown.value.now) + by;
        if (!isInstantMs(laterMs)) {
          session.note('error: --by leads beyond the year 9999.');
          return EXIT.usage;
        }
        now = formatInstant(laterMs);
      }
      return session.finish(
        await session.client.put('/v1/test-clock', {
          body: { now: now ?? '' },
          ...given({ idempotencyKey: options.idempotencyKey }),
        }),
        { text: clockText },
      );
    }),
  );
}

const clockText = ({ now, frozen }: Clock): string =>
  printFields([
    ['now', now],
    ['runs', frozen ? 'no: it stands still until it is moved' : 'yes: real time'],
  ]);
