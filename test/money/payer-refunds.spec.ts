import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS } from '../../src/demo/demo-world.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { fresh, inr, moveClock } from '../arbiter/uses.js';
import type { TestService } from '../support/service.js';
import { capture, handOff, paidOrder, paymentNow, refund, TOTAL_MINOR } from './desk.js';
import { ProviderDouble } from './provider-double.js';
import { faultsOf, RIGHT } from './sums.js';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  const provider = await ProviderDouble.start();
  service = await startTestService({}, { rails: provider.rails() });
});
beforeEach(async () => {
  shop = await openShop(service);
});

/** An order whose money two payments took; answers with their ids, the older one first. */
async function paidTwice(orderId: string): Promise<readonly [string, string]> {
  const late = (await handOff(shop, { order_id: orderId })).body.payment;
  const path = `/v1/payments/${late.payment_id}/cancel`;
  await shop.call('POST', path, { as: 'merchant_system', idempotencyKey: fresh('key') });
  const paid = await paidOrder(shop, { order_id: orderId });
  expect((await capture(shop, late)).status).toBe(201);
  return [late.payment_id, paid.payment_id];
}

describe('a refund that no single payment has enough left for', () => {
  it('keeps nothing reserved, and every repeat says the same, whatever came after it', async () => {
    const order_id = fresh('order');
    const [older, newer] = await paidTwice(order_id);
    const idempotencyKey = fresh('key');
    const much = { order_id, amount: inr(TOTAL_MINOR + 1) };
    const refused = await refund(shop, much, { idempotencyKey });
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([
      409,
      'conflict',
      '/payment_id',
    ]);
    const { code, detail, field, fix } = refused.body;
    for (const payment_id of [older, newer]) {
      const body = { order_id, payment_id, amount: inr(TOTAL_MINOR) };
      expect((await refund(shop, body)).status).toBe(201);
      expect((await paymentNow(shop, payment_id)).refunded).toEqual(inr(TOTAL_MINOR));
    }
    for (const days of [1, 2]) {
      const again = await refund(shop, much, { idempotencyKey });
      expect(again.status).toBe(409);
      expect(again.body).toMatchObject({ code, detail, field, fix });
      await moveClock(shop, FROZEN_AT_MS + days * 86_400_000);
    }
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('is the same where the payment is named', async () => {
    const order_id = fresh('order');
    const [older] = await paidTwice(order_id);
    const named = { order_id, payment_id: older, amount: inr(TOTAL_MINOR + 1) };
    expect((await refund(shop, named)).status).toBe(409);
    const all = { order_id, payment_id: older, amount: inr(TOTAL_MINOR) };
    expect((await refund(shop, all)).status).toBe(201);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });
});
