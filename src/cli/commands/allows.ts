import type { InputOf, ValueOf } from '../../client/index.js';
import { err, type Money, ok, type Result } from '../../core/kernel/index.js';
import { EXIT } from '../exit-codes.js';
import type { Decision } from '../explain.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import {
  parseAmount,
  parseChosenId,
  parseCount,
  parseId,
  parseWord,
  printAmount,
  reading,
} from '../values.js';
import { DECISION } from './decisions.js';
import { readJsonFile } from './json-file.js';
import { given, type KeyedOptions, withIdempotencyKey } from './pieces.js';

type ConsumeBody = InputOf<'post', '/v1/decisions/{decision_id}/consume'>['body'];
type Used = ValueOf<'post', '/v1/decisions/{decision_id}/consume'>;
type Provider = ConsumeBody['provider'];

const PROVIDERS: Readonly<Record<Provider, true>> = { merchant: true, shopify: true, plural: true };
const PROVIDER_NAMES = Object.keys(PROVIDERS) as Provider[];

const LINK_SECONDS_MAX = 31_536_000;

export function addAllows(shelf: Shelf): void {
  const allow = shelf.program.command('allow').description('what a decision allows, once');
  addShow(shelf, allow);
  addConsume(shelf, allow);
}

function addShow({ online }: Shelf, allow: Shelf['program']): void {
  allow
    .command('show')
    .description('the allow of a decision; exit code 1 when there is none')
    .argument(...DECISION)
    .action(
      online(async (session, { words: [id = ''] }) => {
        const answer = await session.client.get('/v1/decisions/{decision_id}', {
          path: { decision_id: id },
        });
        if (!answer.ok) return session.fail(answer.failure);
        const decision = answer.value;
        const found = decision.outcome === 'allow' ? decision.allow : null;
        const document = { decision_id: decision.decision_id, allow: found };
        session.show(document, allowText(decision));
        return found === null ? EXIT.no : EXIT.done;
      }),
    );
}

function allowText(decision: Decision): string {
  const { decision_id: id } = decision;
  if (decision.outcome === 'refuse')
    return `${id} allows nothing: it was refused by ${decision.failing_rule} (${decision.reason}).`;
  if (decision.allow === null)
    return `${id} allows nothing: ${decision.dry_run ? 'it was a dry run' : 'it gives no allow'}.`;
  return printFields([
    ['decision', id],
    ['amount', printAmount(decision.amount)],
    ['merchant', decision.merchant_id],
    ['cart', decision.allow.cart_hash],
    ['expires at', decision.allow.expires_at],
    ['usable', decision.usable ? 'once' : `no: ${decision.usable_reason ?? '-'}`],
  ]);
}

interface ConsumeOptions extends KeyedOptions {
  readonly order: string;
  readonly provider: Provider;
  readonly cart?: string;
  readonly linkSeconds?: number;
  readonly amount?: Money;
  readonly payment?: string;
}

function addConsume({ online }: Shelf, allow: Shelf['program']): void {
  withIdempotencyKey(
    allow
      .command('consume')
      .description('use an allow, once; exit code 1 when it is refused')
      .argument(...DECISION)
      .requiredOption('--order <order>', 'the order it is for', reading(parseChosenId))
      .option(
        '--provider <provider>',
        `who moves the money: ${PROVIDER_NAMES.join(', ')}; merchant when left out`,
        reading(parseWord(PROVIDER_NAMES)),
        'merchant',
      )
      .option(
        '--cart <path>',
        'of a purchase: the cart, or the body it was decided with; - for input',
      )
      .option(
        '--link-seconds <seconds>',
        'of a handoff: how long the link can be paid',
        reading(parseCount(1, LINK_SECONDS_MAX)),
      )
      .option('--amount <amount>', 'of a refund: what was decided', reading(parseAmount))
      .option(
        '--payment <payment>',
        'of a refund: what it is given back from',
        reading(parseId('pay')),
      ),
  ).action(
    online<ConsumeOptions>(async (session, { words: [id = ''], options }) => {
      const cart = cartOf(options.cart);
      if (!cart.ok) {
        session.note(`error: --cart ${cart.error}`);
        return EXIT.usage;
      }
      const answer = await session.client.post('/v1/decisions/{decision_id}/consume', {
        path: { decision_id: id },
        body: given({
          order_id: options.order,
          provider: options.provider,
          cart: cart.value,
          expires_in_seconds: options.linkSeconds,
          amount: options.amount && {
            amount: options.amount.amountMinor.toString(),
            currency: options.amount.currency,
          },
          payment_id: options.payment,
        }),
        ...given({ idempotencyKey: options.idempotencyKey }),
      });
      return session.finish(answer, { text: usedText });
    }),
  );
}

/** The cart itself, or that of a decision's body: the file that was asked with can be given again. */
function cartOf(path: string | undefined): Result<ConsumeBody['cart'], string> {
  if (path === undefined) return ok(undefined);
  const read = readJsonFile(path);
  if (!read.ok) return read;
  const cart = 'lines' in read.value ? read.value : read.value['cart'];
  return typeof cart === 'object' && cart !== null
    ? ok(cart as ConsumeBody['cart'])
    : err(`${path} holds no cart.`);
}

function usedText(used: Used): string {
  const { payment, refund } = used;
  return printFields([
    ['decision', used.decision_id],
    ['used at', used.used_at],
    ['order', used.order_id],
    ['amount', printAmount(used.amount)],
    ['provider', used.provider],
    ...(payment === null
      ? []
      : ([
          ['payment', payment.payment_id],
          ['state', payment.state],
          ['link', payment.url],
          ['expires at', payment.expires_at],
        ] as const)),
    ...(refund === null
      ? []
      : ([
          ['refund', refund.refund_id],
          ['state', refund.state],
        ] as const)),
  ]);
}
