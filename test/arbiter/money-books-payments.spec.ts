import { beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTS, SHOP, STALL } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, cartOf } from '../../src/demo/purchases.js';
import {
  capture,
  handOff,
  paidOrder,
  paymentNow,
  refund,
  sweep,
  TOTAL_MINOR,
} from '../money/desk.js';
import { faultsOf, RIGHT } from '../money/sums.js';
import type { TestService } from '../support/service.js';
import { answered, behave, paymentsOf, report } from './money-books.js';
import { openShop, type Shop, startTestService } from './shop.js';
import { entriesOf, fresh, inr } from './uses.js';

/**
 * The reports of facts/payments.md 7.1 as cases, where our routes can meet them, its transitions (7.3), its invariants
 * (7.4), and decisions 7.3. With the product's own sandbox. What stands elsewhere:
 *
 * B1 crash and lost answer at every step             test/money/failure-table.spec.ts, payer-killed.spec.ts
 * B3 same request, same recorded result              test/money/payer.spec.ts (allowed, refused, under way, after a day)
 * B4 one allow, many uses                            test/arbiter/consume.spec.ts
 * B5 ids of challenges                               comes with the 402 protocol: there is no challenge yet
 * B6 parallel refunds                                test/money/payer-races.spec.ts, test/book/money-moves.spec.ts
 * B7 the answer and the webhook tell the same        test/money/payer.spec.ts, test/money/webhooks-in.spec.ts
 * B8 one webhook many times at once                  test/money/webhooks-in.spec.ts
 * B9 digits shown to people                          test/money/pay-page.spec.ts
 * B11 signatures over raw bytes                      test/money/webhooks-in.spec.ts
 * 7.3 every state times every report                 src/money/payments/payment-state.spec.ts, src/money/book/payments.spec.ts
 * 7.4 I4 caps in every interleaving                  test/money/model.spec.ts, test/money/payer-races.spec.ts
 * 7.4 I7 any order, with the counters                src/money/book/payments-properties.spec.ts
 * 7.4 I8 judged again from its entry                 test/arbiter/decisions.spec.ts
 */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});

const cancel = (shop: Shop, paymentId: string) =>
  shop.call('POST', `/v1/payments/${paymentId}/cancel`, {
    as: 'merchant_system',
    idempotencyKey: fresh('cancel'),
  });

describe('reports from the field (7.1)', () => {
  it('B1, B2, B12: an unknown outcome is no failure: no second payment, under whatever key', async () => {
    const shop = await openShop(service);
    await behave(shop, { issue: 'lose_answer' });
    const order_id = fresh('order');
    const idempotencyKey = fresh('key');
    const first = answered(await handOff(shop, { order_id }, { idempotencyKey }), 201);
    expect(first.payment.state).toBe('issuing');
    const again = answered(await handOff(shop, { order_id }, { idempotencyKey }), 201);
    expect(again.payment).toEqual(first.payment);
    const otherKey = await handOff(shop, { order_id });
    expect([otherKey.status, otherKey.body.field]).toEqual([409, '/order_id']);
    expect(await paymentsOf(shop, order_id)).toHaveLength(1);
    // Only asking settles it.
    await sweep(shop);
    expect(await paymentNow(shop, first.payment.payment_id)).toMatchObject({
      state: 'open',
      url: expect.stringContaining('/pay/'),
    });
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('B2: a stranger’s idempotency key is not one’s own; another body under one’s own is a conflict', async () => {
    const shop = await openShop(service);
    const idempotencyKey = 'shared';
    const one = answered(await handOff(shop, {}, { idempotencyKey }), 201);
    const two = answered(await handOff(shop, {}, { idempotencyKey, as: 'agent' }), 201);
    expect(two.payment.payment_id).not.toBe(one.payment.payment_id);
    const other = await handOff(shop, {}, { idempotencyKey });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('B4, B7: one capture told many times at once, under keys of their own: money once', async () => {
    const shop = await openShop(service);
    const { payment } = answered(await handOff(shop), 201);
    const told = await Promise.all(
      Array.from({ length: 10 }, () => capture(shop, payment, { capture_id: 'the-one' })),
    );
    expect(told.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await paymentNow(shop, payment.payment_id)).toMatchObject({
      state: 'paid',
      captured: inr(TOTAL_MINOR),
      review: [],
    });
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('B6: two refunds of 60 on 100; more than was captured of what was agreed', async () => {
    const shop = await openShop(service);
    const { payment } = answered(await handOff(shop, { provider: 'merchant' }), 201);
    answered(await capture(shop, payment, { amount: inr(100) }), 201);
    const { order_id } = payment;
    const both = await Promise.all(
      [60, 60].map((minor) => refund(shop, { order_id, amount: inr(minor) })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
    const over = await refund(shop, { order_id, amount: inr(41) });
    expect([over.status, over.body]).toMatchObject([403, { reason: 'refund_exceeds_captured' }]);
    expect((await refund(shop, { order_id, amount: inr(40) })).status).toBe(201);
  });

  it.each([
    ['KWD', '1234', '1235'],
    ['JPY', '1234', '1235'],
    ['BHD', '999999999999999999', '1000000000000000000'],
  ])('B9: %s is counted in its own minor units, to the last one', async (currency, all, more) => {
    const shop = await openShop(service);
    const order_id = fresh('order');
    const money = { order_id, amount: { amount: all, currency } };
    const paid = answered(await capture(shop, money, { payment_id: undefined }), 201);
    expect(paid.amount).toEqual(money.amount);
    const over = await refund(shop, { order_id, amount: { amount: more, currency } });
    expect(over.status).toBe(more.length > 18 ? 400 : 403);
    const back = answered(await refund(shop, money), 201);
    expect(back.refund.amount).toEqual(money.amount);
  });

  it.each(['19.99', '19.990', 19.99, 1999, '1e3', '1,999', '١٢', '-5', '0', '', null])(
    'B10: %j is no captured amount: 400, nothing is rounded',
    async (amount) => {
      const shop = await openShop(service);
      const entries = await shop.entryCount();
      const money = { order_id: 'o', amount: { amount, currency: 'INR' } };
      const told = await capture(shop, money, { payment_id: undefined });
      expect([told.status, told.body.field]).toEqual([400, '/amount/amount']);
      expect(await shop.entryCount()).toBe(entries);
    },
  );
});

describe('states (7.3)', () => {
  it('a late failure is recorded, not applied; a late capture after a failure is applied and marked', async () => {
    const shop = await openShop(service);
    const { payment } = answered(await handOff(shop, { provider: 'plural' }), 201);
    answered(await report(shop, payment.payment_id, { report: 'failed' }), 200);
    answered(await capture(shop, payment), 201);
    answered(await report(shop, payment.payment_id, { report: 'failed' }), 200);
    expect(await paymentNow(shop, payment.payment_id)).toMatchObject({
      state: 'paid',
      review: ['paid_after_failure'],
    });
    expect(await entriesOf(shop, ['payment.report_ignored'])).toHaveLength(1);
  });

  it('where the order was paid again meanwhile, both are kept, a person is told, and one goes back', async () => {
    const shop = await openShop(service);
    const order_id = fresh('order');
    const first = answered(await handOff(shop, { provider: 'plural', order_id }), 201).payment;
    answered(await report(shop, first.payment_id as string, { report: 'failed' }), 200);
    const second = answered(await handOff(shop, { provider: 'plural', order_id }), 201).payment;
    answered(await capture(shop, second), 201);
    answered(await capture(shop, first), 201);
    expect((await paymentNow(shop, first.payment_id as string)).review).toEqual([
      'paid_after_failure',
      'paid_twice',
    ]);
    const found = await shop.call('GET', '/v1/payments?review=true', { as: 'auditor' });
    expect(found.body.items).toHaveLength(1);
    const { amount, payment_id } = first;
    const back = answered(await refund(shop, { order_id, amount, payment_id }), 201);
    expect(back.refund.payment_id).toBe(payment_id);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('nothing leaves paid but a refund, and a refund is reported forward only', async () => {
    const shop = await openShop(service);
    const { payment } = answered(await handOff(shop, { provider: 'plural' }), 201);
    answered(await capture(shop, payment), 201);
    for (const said of ['issued', 'rejected', 'lapsed', 'canceled', 'failed'])
      answered(await report(shop, payment.payment_id, { report: said }), 200);
    expect((await cancel(shop, payment.payment_id)).body.state).toBe('paid');
    const { order_id, amount } = payment;
    const { refund: back } = answered(await refund(shop, { order_id, amount }), 201);
    const say = async (said: string) =>
      (
        await shop.call('POST', `/v1/refunds/${back.refund_id}/reports`, {
          as: 'merchant_system',
          idempotencyKey: fresh('r'),
          body: { report: said },
        })
      ).body.state as string;
    expect([await say('done'), await say('failed'), await say('done')]).toEqual([
      'done',
      'done',
      'done',
    ]);
    expect(await paymentNow(shop, payment.payment_id)).toMatchObject({
      state: 'paid',
      refunded: amount,
    });
  });
});

describe('one open link for an order (decisions 7.3)', () => {
  it('again is the same link; another is refused until it ends; paid once (I1)', async () => {
    const shop = await openShop(service);
    const order_id = fresh('order');
    const idempotencyKey = fresh('key');
    const first = answered(await handOff(shop, { order_id }, { idempotencyKey }), 201).payment;
    const again = await handOff(shop, { order_id }, { idempotencyKey });
    expect(again.body.payment.url).toBe(first.url);
    expect((await handOff(shop, { order_id })).status).toBe(409);
    // Order ids are a merchant's own.
    const elsewhere = { merchant_id: STALL, cart: cartOf(PRODUCTS[0], 1), order_id };
    expect((await handOff(shop, elsewhere)).status).toBe(201);
    answered(await cancel(shop, first.payment_id as string), 200);
    const second = answered(await handOff(shop, { order_id }), 201).payment;
    answered(await capture(shop, second), 201);
    expect((await handOff(shop, { order_id })).status).toBe(409);
  });

  it('paid after it was canceled: the money is kept, and a person is told', async () => {
    const shop = await openShop(service);
    const { payment } = answered(await handOff(shop), 201);
    answered(await cancel(shop, payment.payment_id as string), 200);
    answered(await capture(shop, payment), 201);
    expect(await paymentNow(shop, payment.payment_id as string)).toMatchObject({
      state: 'paid',
      review: ['paid_after_cancel'],
    });
  });
});

describe('invariants (7.4)', () => {
  it('I2: money beyond what was allowed is written down, and marked where a person has to look', async () => {
    const shop = await openShop(service);
    const { payment } = answered(await handOff(shop), 201);
    answered(await capture(shop, payment, { amount: inr(TOTAL_MINOR + 1) }), 201);
    expect(await paymentNow(shop, payment.payment_id as string)).toMatchObject({
      review: ['amount_differs'],
    });
  });

  it('I5: what is paid has one allowed decision of the same amount, merchant and order', async () => {
    const shop = await openShop(service);
    await Promise.all([paidOrder(shop), paidOrder(shop), paidOrder(shop)]);
    const { body } = await shop.call('GET', '/v1/payments?state=paid', { as: 'auditor' });
    const seen = new Set<string>();
    for (const payment of body.items) {
      const path = `/v1/decisions/${payment.decision_id}`;
      const decision = (await shop.call('GET', path, { as: 'auditor' })).body;
      const { amount, merchant_id } = payment;
      expect(decision).toMatchObject({ outcome: 'allow', amount, merchant_id });
      seen.add(payment.decision_id as string);
    }
    expect(seen.size).toBe(3);
  });

  it('I6: a capture has one name for ever, and belongs to one order', async () => {
    const shop = await openShop(service);
    const [one, two] = [answered(await handOff(shop), 201), answered(await handOff(shop), 201)];
    answered(await capture(shop, one.payment, { capture_id: 'name' }), 201);
    const other = await capture(shop, two.payment, { capture_id: 'name' });
    expect([other.status, other.body.field]).toEqual([409, '/capture_id']);
    expect(await paymentNow(shop, two.payment.payment_id as string)).toMatchObject({
      state: 'open',
    });
  });

  it('I7: reports in every order, each told twice, end the same', async () => {
    const shop = await openShop(service);
    const WORDS = ['issued', 'lapsed', 'canceled', 'failed'] as const;
    const ends = await Promise.all(
      permutations(WORDS).map(async (words) => {
        const { payment } = answered(await handOff(shop, { provider: 'plural' }), 201);
        for (const word of words.flatMap((each) => [each, each]))
          await report(shop, payment.payment_id as string, { report: word });
        return (await paymentNow(shop, payment.payment_id as string)).state;
      }),
    );
    expect(new Set(ends)).toEqual(new Set(['failed']));
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('I8: the same facts at the same instant are the same judgement, byte for byte', async () => {
    const shop = await openShop(service);
    const simulate = async () => {
      const options = { as: 'tenant_admin', body: { ...ALLOWED_HANDOFF, merchant_id: SHOP } };
      const { body } = await shop.call('POST', '/v1/simulate', options as never);
      return JSON.stringify([body.judged, body.trace, body.outcome, body.reason]);
    };
    expect(await simulate()).toBe(await simulate());
  });
});

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, place) =>
    permutations(items.filter((_, other) => other !== place)).map((rest) => [item, ...rest]),
  );
}
