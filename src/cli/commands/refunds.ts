import type { ValueOf } from '../../client/index.js';
import type { Money } from '../../core/kernel/index.js';
import { decisionText } from '../explain.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseAmount, parseChosenId, parseId, printAmount, reading } from '../values.js';
import { exitOf } from './decisions.js';
import { given, type KeyedOptions, withIdempotencyKey } from './pieces.js';

type Refund = ValueOf<'get', '/v1/refunds/{refund_id}'>;

interface AskOptions extends KeyedOptions {
  readonly order: string;
  readonly amount: Money;
  readonly payment?: string;
  readonly onlyDecide?: boolean;
}

export function addRefunds({ program, online }: Shelf): void {
  const refund = program.command('refund').description('money that is given back');
  withIdempotencyKey(
    refund
      .command('ask')
      .description('give money back, if the arbiter allows it; exit code 1 when it refuses')
      .argument('<merchant>', 'its id', reading(parseChosenId))
      .requiredOption('--order <order>', 'the order', reading(parseChosenId))
      .requiredOption('--amount <amount>', 'as "20.99 INR"', reading(parseAmount))
      .option('--payment <payment>', 'what it is given back from', reading(parseId('pay')))
      .option('--only-decide', 'ask for the decision alone: no money moves'),
  ).action(
    online<AskOptions>(async (session, { words: [merchant = ''], options }) => {
      const { amountMinor, currency } = options.amount;
      const asked = {
        merchant_id: merchant,
        order_id: options.order,
        amount: { amount: amountMinor.toString(), currency },
      };
      const key = given({ idempotencyKey: options.idempotencyKey });
      if (options.onlyDecide === true)
        return session.finish(
          await session.client.post('/v1/decisions', {
            body: { flow: 'refund', ...asked },
            ...key,
          }),
          { text: decisionText, exit: exitOf },
        );
      return session.finish(
        await session.client.post('/v1/refunds', {
          body: given({ ...asked, payment_id: options.payment }),
          ...key,
        }),
        { text: (answer) => refundText(answer.refund) },
      );
    }),
  );
  refund
    .command('show')
    .description('one refund')
    .argument('<refund>', 'rfd_...', reading(parseId('rfd')))
    .action(
      online(async (session, { words: [id = ''] }) =>
        session.finish(
          await session.client.get('/v1/refunds/{refund_id}', { path: { refund_id: id } }),
          { text: refundText },
        ),
      ),
    );
}

const refundText = (refund: Refund): string =>
  printFields([
    ['refund', refund.refund_id],
    ['state', refund.state],
    ['decision', refund.decision_id],
    ['merchant', refund.merchant_id],
    ['order', refund.order_id],
    ['payment', refund.payment_id],
    ['provider', refund.provider],
    ['provider ref', refund.provider_ref],
    ['amount', printAmount(refund.amount)],
  ]);
