import type { InputOf } from '../../client/index.js';
import { err, type Money, ok, type Result } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { changesOf, changesText, type Limits, limitsText } from '../limits-text.js';
import type { Session } from '../session.js';
import type { Shelf } from '../shelf.js';
import { parseAmount, parseChosenId, parseCount, reading, readingEach } from '../values.js';
import { readJsonFile } from './json-file.js';
import {
  given,
  type KeyedOptions,
  type ListOptions,
  pageQueryOf,
  withIdempotencyKey,
  withListOptions,
} from './pieces.js';

type Body = InputOf<'put', '/v1/merchants/{merchant_id}/limits'>['body'];

const VERSION_MAX = 999_999_999;
const ITEMS_MAX = 1_000_000;

const MERCHANT = ['<merchant>', 'its id', reading(parseChosenId)] as const;
const version = (text: string): string => reading(parseCount(1, VERSION_MAX))(text).toString();

export function addLimits(shelf: Shelf): void {
  const limits = shelf.program
    .command('limits')
    .description("a merchant's limits, version by version");
  addShow(shelf, limits);
  addSet(shelf, limits);
  addDiff(shelf, limits);
}

/** One version, or the one in force. */
const readVersion = (session: Session, merchantId: string, number: string | undefined) =>
  number === undefined
    ? session.client.get('/v1/merchants/{merchant_id}/limits', {
        path: { merchant_id: merchantId },
      })
    : session.client.get('/v1/merchants/{merchant_id}/limits/versions/{version}', {
        path: { merchant_id: merchantId, version: number },
      });

function addShow({ online }: Shelf, limits: Shelf['program']): void {
  limits
    .command('show')
    .description('the limits in force, or one version')
    .argument(...MERCHANT)
    .argument('[version]', 'a number; the one in force when left out', version)
    .action(
      online(async (session, { words: [merchant = '', number] }) =>
        session.finish(await readVersion(session, merchant, number), { text: limitsText }),
      ),
    );
  withListOptions(
    limits
      .command('versions')
      .description('every version, newest first')
      .argument(...MERCHANT),
  ).action(
    online<ListOptions>((session, { words: [merchant = ''], options }) =>
      session.list<Limits>(
        (cursor) =>
          session.client.get('/v1/merchants/{merchant_id}/limits/versions', {
            path: { merchant_id: merchant },
            query: given(pageQueryOf(options, cursor)),
          }),
        {
          columns: [
            { title: 'VERSION', align: 'right' },
            { title: 'SET AT' },
            { title: 'CURRENCIES' },
          ],
          row: (each) => [
            each.version.toString(),
            each.set_at,
            each.currencies.map(({ currency }) => currency).join(' '),
          ],
          all: options.all ?? false,
        },
      ),
    ),
  );
}

interface SetOptions extends KeyedOptions {
  readonly file?: string;
  readonly orderMax?: readonly Money[];
  readonly dailyMax?: readonly Money[];
  readonly itemsMax?: number;
  readonly absentOrderMax?: Money;
  readonly absentDailyMax?: Money;
  readonly absentItemsMax?: number;
}

function addSet({ online }: Shelf, limits: Shelf['program']): void {
  const amount = reading(parseAmount);
  const amounts = readingEach(parseAmount);
  const items = reading(parseCount(1, ITEMS_MAX));
  withIdempotencyKey(
    limits
      .command('set')
      .description('a new version, in force at once: all of it, from a file or from options')
      .argument(...MERCHANT)
      .option(
        '--file <path>',
        'the body of PUT /v1/merchants/{merchant_id}/limits, - for standard input',
      )
      .option(
        '--order-max <amount>',
        'an order at most, as "500.00 INR"; one for each currency',
        amounts,
      )
      .option('--daily-max <amount>', 'a day at most; one for each currency', amounts)
      .option('--items-max <count>', 'pieces in an order at most', items)
      .option('--absent-order-max <amount>', 'the same while the buyer is away', amount)
      .option('--absent-daily-max <amount>', '', amount)
      .option('--absent-items-max <count>', '', items),
  ).action(
    online<SetOptions>(async (session, { words: [merchant = ''], options }) => {
      const body = bodyOf(options);
      if (!body.ok) {
        session.note(`error: ${body.error}`);
        return EXIT.usage;
      }
      return session.finish(
        await session.client.put('/v1/merchants/{merchant_id}/limits', {
          path: { merchant_id: merchant },
          body: body.value,
          ...given({ idempotencyKey: options.idempotencyKey }),
        }),
        { text: limitsText },
      );
    }),
  );
}

/** The body from the file as it is (the service judges it), or from options that say all of it. */
export function bodyOf(options: SetOptions): Result<Body, string> {
  const { file, orderMax = [], dailyMax = [], itemsMax } = options;
  const isByOptions = orderMax.length > 0 || dailyMax.length > 0 || itemsMax !== undefined;
  if (file !== undefined) {
    if (isByOptions) return err('give --file or the limits, not both.');
    const read = readJsonFile(file);
    return read.ok ? ok(read.value as Body) : err(`--file ${read.error}`);
  }
  if (orderMax.length === 0) return err('--order-max is missing, or --file.');
  if (itemsMax === undefined) return err('--items-max is missing.');
  const currencies = orderMax.map(({ currency }) => currency);
  if (new Set(currencies).size < currencies.length) return err('--order-max: each currency once.');
  const stray = dailyMax.find(
    ({ currency }, index) =>
      !currencies.includes(currency) ||
      dailyMax.findIndex((each) => each.currency === currency) < index,
  );
  if (stray !== undefined)
    return err(`--daily-max: ${stray.currency} once, and only beside its --order-max.`);
  const absent = absentOf(options);
  if (!absent.ok) return absent;
  return ok({
    currencies: orderMax.map(({ currency, amountMinor }) => ({
      currency,
      order_max_minor: amountMinor.toString(),
      daily_max_minor:
        dailyMax.find((each) => each.currency === currency)?.amountMinor.toString() ?? null,
    })),
    items_max: itemsMax,
    not_present: absent.value,
  });
}

function absentOf(options: SetOptions): Result<NonNullable<Body['not_present']> | null, string> {
  const { absentOrderMax: order, absentDailyMax: daily, absentItemsMax: items } = options;
  if (order === undefined && daily === undefined && items === undefined) return ok(null);
  if (order === undefined || items === undefined)
    return err('--absent-order-max and --absent-items-max belong together.');
  if (daily !== undefined && daily.currency !== order.currency)
    return err('--absent-daily-max is in another currency than --absent-order-max.');
  return ok({
    currency: order.currency,
    order_max_minor: order.amountMinor.toString(),
    items_max: items,
    daily_max_minor: daily?.amountMinor.toString() ?? null,
  });
}

interface DiffOptions {
  readonly from?: string;
  readonly to?: string;
  readonly file?: string;
}

function addDiff({ online }: Shelf, limits: Shelf['program']): void {
  limits
    .command('diff')
    .description(
      'what two versions, or a version and a file, say differently; exit code 1 if they do',
    )
    .argument(...MERCHANT)
    .option('--from <number>', 'this version; the one in force when left out', version)
    .option('--to <number>', 'and this one; the one in force when left out', version)
    .option('--file <path>', 'and this file, instead of --to; - for standard input')
    .action(
      online<DiffOptions>(async (session, { words: [merchant = ''], options }) => {
        const { from, to, file } = options;
        if ((to !== undefined && file !== undefined) || (from ?? to ?? file) === undefined) {
          session.note('error: give --from, --to or --file; --to and --file not together.');
          return EXIT.usage;
        }
        const left = await readVersion(session, merchant, from);
        if (!left.ok) return session.fail(left.failure);
        const right = await otherSide(session, { merchant, to, file });
        if (!right.ok) return right.error;
        const changes = changesOf(left.value, right.value.document);
        const document = { from: left.value.version, to: right.value.name, changes };
        session.show(document, changesText(changes));
        return changes.length === 0 ? EXIT.done : EXIT.no;
      }),
    );
}

interface OtherSide {
  readonly document: unknown;
  readonly name: string | number;
}

/** What is compared with: a file's document or a version, and how it is called. */
async function otherSide(
  session: Session,
  wish: { readonly merchant: string; readonly to?: string; readonly file?: string },
): Promise<Result<OtherSide, ExitCode>> {
  if (wish.file !== undefined) {
    const read = readJsonFile(wish.file);
    if (read.ok) return ok({ document: read.value, name: 'file' });
    session.note(`error: --file ${read.error}`);
    return err(EXIT.usage);
  }
  const found = await readVersion(session, wish.merchant, wish.to);
  if (!found.ok) return err(session.fail(found.failure));
  return ok({ document: found.value, name: found.value.version });
}
