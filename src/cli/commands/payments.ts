import type { InputOf, ValueOf } from '../../client/index.js';
import type { Shelf } from '../shelf.js';
import { type Column, printFields } from '../table.js';
import { parseChosenId, parseId, parseWord, printAmount, reading } from '../values.js';
import { given, type ListOptions, pageQueryOf, withListOptions } from './pieces.js';

type Query = NonNullable<InputOf<'get', '/v1/payments'>['query']>;
type Payment = ValueOf<'get', '/v1/payments/{payment_id}'>;

const STATES: Readonly<Record<Payment['state'], true>> = {
  issuing: true,
  open: true,
  lapsed: true,
  canceled: true,
  rejected: true,
  failed: true,
  paid: true,
};
const STATE_NAMES = Object.keys(STATES) as Payment['state'][];

interface SearchOptions extends ListOptions {
  readonly merchant?: string;
  readonly order?: string;
  readonly state?: Query['state'];
  readonly review?: boolean;
}

const COLUMNS: readonly Column[] = [
  { title: 'PAYMENT' },
  { title: 'STARTED AT' },
  { title: 'KIND' },
  { title: 'STATE' },
  { title: 'MERCHANT' },
  { title: 'ORDER' },
  { title: 'AMOUNT', align: 'right' },
  { title: 'REVIEW' },
];

const rowOf = (each: Payment): readonly string[] => [
  each.payment_id,
  each.started_at,
  each.kind,
  each.state,
  each.merchant_id,
  each.order_id,
  printAmount(each.amount),
  each.review.join(' ') || '-',
];

export function addPayments({ program, online }: Shelf): void {
  const payments = program
    .command('payments')
    .description('links and charges, and what became of them');
  const id = reading(parseChosenId);
  withListOptions(
    payments
      .command('list')
      .description('payments, newest first')
      .option('--merchant <merchant>', 'of this merchant', id)
      .option('--order <order>', 'of this order', id)
      .option('--state <state>', STATE_NAMES.join(', '), reading(parseWord(STATE_NAMES)))
      .option('--review', 'only those that a person has to look at'),
  ).action(
    online<SearchOptions>((session, { options }) =>
      session.list<Payment>(
        (cursor) =>
          session.client.get('/v1/payments', {
            query: given({
              merchant_id: options.merchant,
              order_id: options.order,
              state: options.state,
              review: options.review === true ? ('true' as const) : undefined,
              ...pageQueryOf(options, cursor),
            }),
          }),
        { columns: COLUMNS, row: rowOf, all: options.all ?? false },
      ),
    ),
  );
  payments
    .command('show')
    .description('one payment')
    .argument('<payment>', 'pay_...', reading(parseId('pay')))
    .action(
      online(async (session, { words: [payment = ''] }) =>
        session.finish(
          await session.client.get('/v1/payments/{payment_id}', { path: { payment_id: payment } }),
          { text: paymentText },
        ),
      ),
    );
}

const paymentText = (payment: Payment): string =>
  printFields([
    ['payment', payment.payment_id],
    ['state', payment.state],
    ['kind', payment.kind],
    ['decision', payment.decision_id],
    ['merchant', payment.merchant_id],
    ['order', payment.order_id],
    ['provider', payment.provider],
    ['provider ref', payment.provider_ref],
    ['amount', printAmount(payment.amount)],
    ['captured', printAmount(payment.captured)],
    ['refunded', printAmount(payment.refunded)],
    ['link', payment.url],
    ['started at', payment.started_at],
    ['expires at', payment.expires_at],
    ['review', payment.review.join(' ') || null],
  ]);
