import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { cartOf } from '../../src/demo/purchases.js';
import { type Arbiter, ARBITER, Payer } from '../../src/money/arbiter/index.js';
import { type Book, BOOK } from '../../src/money/book/index.js';
import { RAILS, type Rails } from '../../src/money/payments/index.js';
import { RailDirectory } from '../../src/money/rails/rail-directory.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from '../arbiter/shop.js';
import { entriesOf, fresh, inr } from '../arbiter/uses.js';
import type { TestService } from '../support/service.js';
import { problemOf, testHouse } from '../support/tenants.js';
import {
  capture,
  charge,
  HANDOFF,
  handOff,
  on,
  paidOrder,
  paymentNow,
  refund,
  TOTAL_MINOR,
} from './desk.js';
import { ProviderDouble } from './provider-double.js';
import { contextOf } from './saga-bench.js';
import { faultsOf, RIGHT } from './sums.js';

let provider: ProviderDouble;
let service: TestService;
let second: TestService;
let shop: Shop;

beforeAll(async () => {
  provider = await ProviderDouble.start();
  const rails = provider.rails();
  const on = { AGENT_EXECUTED_PAYMENT_ENABLED: 'true' };
  [service, second] = await Promise.all([
    startTestService(on, { rails }),
    startTestService(on, { rails }),
  ]);
  shop = await openShop(service);
  await switchAgentPayment(shop, true);
});
beforeEach(() => {
  provider.trouble = 'ok';
});

const cancel = (of: Shop, paymentId: string, idempotencyKey = fresh('key')) =>
  of.call('POST', `/v1/payments/${paymentId}/cancel`, { as: 'merchant_system', idempotencyKey });

describe('a handoff', () => {
  it('decides, uses the allow, calls the provider once and shows its link', async () => {
    const { status, body } = await handOff(shop, { expires_in_seconds: 60 });
    expect([status, body]).toMatchObject([
      201,
      {
        decision: { outcome: 'allow', usable: true },
        payment: { kind: 'link', state: 'open', amount: inr(TOTAL_MINOR), review: [] },
      },
    ]);
    const { payment_id: paymentId, url, started_at, expires_at } = body.payment;
    expect(paymentId).toBe(String(body.decision.decision_id).replace('arbdec_', 'pay_'));
    expect(url).toBe(`https://pay.example/${paymentId}`);
    expect(Date.parse(expires_at) - Date.parse(started_at)).toBe(60_000);
    expect(provider.movesOf(paymentId)).toEqual(['POST links']);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('refused: the six fields, and nobody is called', async () => {
    const calls = provider.calls.length;
    const { status, body } = await handOff(shop, { cart: cartOf(PRODUCTS[3], 1) });
    expect([status, body]).toMatchObject([
      403,
      {
        code: 'arbiter_refused',
        failing_rule: 'handoff_facts_valid',
        reason: 'artifact_revoked:price',
        decision_id: expect.stringMatching(/^arbdec_/),
        action: expect.any(String),
        required_config: expect.any(String),
        reason_page: expect.stringContaining('artifact_revoked'),
      },
    ]);
    expect(provider.calls.length).toBe(calls);
  });

  it('by the merchant’s own system: nobody is called, and its report moves the payment', async () => {
    const calls = provider.calls.length;
    const { body } = await handOff(shop, { provider: 'plural' });
    expect(body.payment).toMatchObject({ state: 'issuing', url: null, provider: 'plural' });
    const url = 'https://shop.example/pay/1';
    const path = `/v1/payments/${body.payment.payment_id}/reports`;
    const options = { as: 'merchant_system', idempotencyKey: fresh('key') } as const;
    const reported = await shop.call('POST', path, { ...options, body: { report: 'issued', url } });
    expect([reported.status, reported.body]).toMatchObject([200, { state: 'open', url }]);
    expect(provider.calls.length).toBe(calls);
  });

  it('for an order that can be paid already: 409, and nothing is used up', async () => {
    const first = await handOff(shop);
    const order_id = first.body.payment.order_id;
    const again = await handOff(shop, { order_id });
    expect([again.status, again.body.code, again.body.field]).toEqual([
      409,
      'conflict',
      '/order_id',
    ]);
    await cancel(shop, first.body.payment.payment_id);
    expect((await handOff(shop, { order_id })).status).toBe(201);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });
});

describe('the same Idempotency-Key', () => {
  it('again: the same decision and payment as it stands now, no entry, no call', async () => {
    const idempotencyKey = fresh('key');
    const body = { order_id: fresh('order') };
    const first = await handOff(shop, body, { idempotencyKey });
    await capture(shop, first.body.payment);
    const entries = await shop.entryCount();
    const again = await handOff(shop, body, { idempotencyKey });
    expect(again.status).toBe(201);
    expect(again.body.decision).toEqual(first.body.decision);
    expect(again.body.payment).toMatchObject({
      payment_id: first.body.payment.payment_id,
      state: 'paid',
    });
    expect(await shop.entryCount()).toBe(entries);
    expect(provider.movesOf(first.body.payment.payment_id)).toHaveLength(1);
  });

  it('with a refusal: the same refusal', async () => {
    const idempotencyKey = fresh('key');
    const body = { order_id: fresh('order'), cart: cartOf(PRODUCTS[3], 1) };
    const first = await handOff(shop, body, { idempotencyKey });
    const again = await handOff(shop, body, { idempotencyKey });
    expect([again.status, again.body.decision_id]).toEqual([403, first.body.decision_id]);
  });

  it('with another body: 409 idempotency_conflict', async () => {
    const idempotencyKey = fresh('key');
    await handOff(shop, {}, { idempotencyKey });
    const other = await handOff(shop, {}, { idempotencyKey });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('while the first is under way: 409 with Retry-After; in another process the payment as it stands', async () => {
    provider.trouble = 'slow';
    const idempotencyKey = fresh('key');
    const body = { order_id: fresh('order') };
    const called = provider.nextCall();
    const first = handOff(shop, body, { idempotencyKey });
    await called;
    const early = await fetch(`${service.baseUrl}/v1/handoffs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.apiKeys.merchant_system}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ ...HANDOFF, ...body }),
    });
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '1']);
    expect(await early.json()).toMatchObject({ code: 'idempotency_in_flight' });
    const elsewhere = await handOff(on(second, shop), body, { idempotencyKey });
    expect([elsewhere.status, elsewhere.body.payment.state]).toEqual([201, 'issuing']);
    provider.release();
    const answer = await first;
    expect([answer.status, answer.body.payment.state]).toEqual([201, 'open']);
    expect(provider.movesOf(answer.body.payment.payment_id)).toHaveLength(1);
  });

  it('after a day, when the first claim was swept and the second was not: another purchase, not a mixture', async () => {
    const idempotencyKey = fresh('key');
    const body = { order_id: fresh('order') };
    const first = await handOff(shop, body, { idempotencyKey });
    await forgetFirstClaim(shop);
    await cancel(shop, first.body.payment.payment_id);
    const again = await handOff(shop, body, { idempotencyKey });
    const { decision, payment } = again.body;
    expect(payment.payment_id).toBe(String(decision.decision_id).replace('arbdec_', 'pay_'));
    expect(payment.payment_id).not.toBe(first.body.payment.payment_id);
  });
});

/** As the sweeper would, of the claims that the last request of the shop made. */
async function forgetFirstClaim({ tenantId }: Shop): Promise<void> {
  const { rowCount } = await testHouse().database.query(
    `DELETE FROM idempotency_keys WHERE (tenant_id, first_seq) IN (
       SELECT tenant_id, max(seq) FROM entries
        WHERE tenant_id = $1 AND body::json->>'type' = 'decision.recorded' GROUP BY 1)`,
    [tenantId],
  );
  expect(rowCount).toBe(1);
}

describe('a charge', () => {
  it('on the buyer’s mandates: paid at once', async () => {
    const own = await openShop(service);
    await switchAgentPayment(own, true);
    const { status, body } = await charge(own);
    expect([status, body.payment]).toMatchObject([
      201,
      { kind: 'charge', state: 'paid', captured: inr(TOTAL_MINOR), expires_at: null },
    ]);
    expect(provider.movesOf(body.payment.payment_id)).toEqual(['POST charges']);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('switched off by the merchant: 403 agent_executed_payment_disabled, nobody is called', async () => {
    const own = await openShop(service);
    const calls = provider.calls.length;
    const { status, body } = await charge(own);
    expect([status, body]).toMatchObject([
      403,
      {
        failing_rule: 'agent_executed_payment',
        reason: 'agent_executed_payment_disabled',
        decision_id: expect.stringMatching(/^arbdec_/),
      },
    ]);
    expect(provider.calls.length).toBe(calls);
    expect(await entriesOf(own, ['payment.started', 'allow.used'])).toEqual([]);
  });

  it('switched off by the deployment: the same, and there is no adapter at all', async () => {
    const off = await startTestService({}, { rails: provider.rails() });
    const rails = off.app.get<Rails>(RAILS, { strict: false });
    for (const name of ['sandbox', 'plural', 'merchant']) expect(rails.chargeRail(name)).toBeNull();
    const own = await openShop(off);
    await switchAgentPayment(own, true);
    const { status, body } = await charge(own);
    expect([status, body.reason]).toEqual([403, 'agent_executed_payment_disabled']);
  });

  it('whose capture the provider told of first: paid, not a conflict', async () => {
    const own = await openShop(service);
    await switchAgentPayment(own, true);
    provider.trouble = 'slow';
    const called = provider.nextCall();
    const charged = charge(own, { order_id: 'told' });
    await called;
    const [payment] = (await own.call('GET', '/v1/payments', { as: 'tenant_admin' })).body.items;
    await capture(own, payment, { capture_id: payment.payment_id });
    provider.release();
    const { status, body } = await charged;
    expect([status, body.payment.state, body.payment.captured]).toEqual([
      201,
      'paid',
      inr(TOTAL_MINOR),
    ]);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });
});

describe('a refund', () => {
  it('goes back by the rail that took the money; a repeat shows it again', async () => {
    const paid = await paidOrder(shop);
    const idempotencyKey = fresh('key');
    const body = { order_id: paid.order_id, amount: inr(TOTAL_MINOR) };
    const back = await refund(shop, body, { idempotencyKey });
    expect([back.status, back.body.refund]).toMatchObject([
      201,
      { state: 'done', payment_id: paid.payment_id, provider: 'sandbox' },
    ]);
    expect(await refund(shop, body, { idempotencyKey })).toEqual(back);
    expect(provider.movesOf(back.body.refund.refund_id)).toEqual(['POST refunds']);
    expect((await paymentNow(shop, paid.payment_id)).refunded).toEqual(inr(TOTAL_MINOR));
  });

  it('of an order whose money no payment here took: the merchant’s own system gives it back', async () => {
    const order_id = fresh('order');
    const money = { order_id, amount: inr(500) };
    await capture(shop, money, { payment_id: undefined });
    const back = await refund(shop, money);
    expect(back.body.refund).toMatchObject({
      state: 'submitted',
      payment_id: null,
      provider: 'merchant',
    });
  });

  it('takes the oldest payment with enough left, and stays with it in every repeat', async () => {
    const own = await openShop(service);
    const order_id = 'twice';
    const late = (await handOff(own, { order_id })).body.payment;
    await cancel(own, late.payment_id);
    const paid = await paidOrder(own, { order_id });
    expect((await capture(own, late)).status).toBe(201);
    expect((await paymentNow(own, late.payment_id)).review).toEqual([
      'paid_after_cancel',
      'paid_twice',
    ]);
    const idempotencyKey = fresh('key');
    const body = { order_id, amount: inr(TOTAL_MINOR - 100) };
    const back = await refund(own, body, { idempotencyKey });
    expect(back.body.refund.payment_id).toBe(late.payment_id);
    expect(await refund(own, body, { idempotencyKey })).toEqual(back);
    const next = await refund(own, { order_id, amount: inr(200) });
    expect(next.body.refund.payment_id).toBe(paid.payment_id);
    const spread = await refund(own, { order_id, amount: inr(TOTAL_MINOR - 100) });
    expect([spread.status, spread.body.field]).toEqual([409, '/payment_id']);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('404 for a payment of another order before anything is decided, 403 by the rule for more than was captured', async () => {
    const [one, two] = [await paidOrder(shop), await paidOrder(shop)];
    const entries = await shop.entryCount();
    const other = await refund(shop, {
      order_id: one.order_id,
      amount: inr(1),
      payment_id: two.payment_id,
    });
    expect([other.status, other.body.field]).toEqual([404, '/payment_id']);
    expect(await shop.entryCount()).toBe(entries);
    const much = await refund(shop, { order_id: one.order_id, amount: inr(TOTAL_MINOR + 1) });
    expect([much.status, much.body.code]).toEqual([403, 'arbiter_refused']);
  });
});

it('a refund of money that a provider took which is not here: 409 before anything is decided', async () => {
  const paid = await paidOrder(shop);
  const payer = new Payer({
    arbiter: service.app.get<Arbiter>(ARBITER, { strict: false }),
    book: service.app.get<Book>(BOOK, { strict: false }),
    rails: new RailDirectory({ links: [], charges: [], refunds: [] }),
    agentExecutedPaymentEnabled: false,
  });
  const entries = await shop.entryCount();
  const money = { amountMinor: 1n, currency: 'INR' };
  const ask = { world: 'test', merchantId: SHOP, orderId: paid.order_id, ...money } as const;
  const asked = payer.refund(contextOf(shop, fresh('key')), ask, null);
  expect(problemOf(await asked)).toMatchObject({ code: 'conflict', field: '/payment_id' });
  expect(await shop.entryCount()).toBe(entries);
});

describe('cancel', () => {
  it('is recorded, asked of the provider, and again under the same key', async () => {
    const { payment } = (await handOff(shop)).body;
    const key = fresh('key');
    const first = await cancel(shop, payment.payment_id, key);
    expect([first.status, first.body.state]).toEqual([200, 'canceled']);
    expect(provider.knows(payment.payment_id)).toBe('canceled');
    expect(await cancel(shop, payment.payment_id, key)).toEqual(first);
  });

  it('under a key that was used for another payment: 409, and the provider hears nothing', async () => {
    const [one, two] = [await handOff(shop), await handOff(shop)];
    const key = fresh('key');
    await cancel(shop, one.body.payment.payment_id, key);
    const other = await cancel(shop, two.body.payment.payment_id, key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    expect(provider.knows(two.body.payment.payment_id)).toBe('open');
  });

  it('while the link is being issued: the link that comes is withdrawn at once', async () => {
    provider.trouble = 'slow';
    const called = provider.nextCall();
    const order_id = fresh('order');
    const issued = handOff(shop, { order_id });
    await called;
    const [payment] = (
      await shop.call('GET', `/v1/payments?order_id=${order_id}`, { as: 'tenant_admin' })
    ).body.items;
    provider.trouble = 'ok';
    expect((await cancel(shop, payment.payment_id)).body.state).toBe('canceled');
    provider.release();
    const { status, body } = await issued;
    expect([status, body.payment.state]).toEqual([201, 'canceled']);
    expect(provider.knows(payment.payment_id)).toBe('canceled');
    // When the provider was asked first, it may not have had the link yet.
    const calls = provider.calls.filter(({ reference }) => reference === payment.payment_id);
    const cancels = ['POST payments cancel', 'POST payments cancel'];
    expect(calls.map(({ what }) => what)).toEqual(['POST links', ...cancels]);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('409 for a charge', async () => {
    const own = await openShop(service);
    await switchAgentPayment(own, true);
    const { payment } = (await charge(own)).body;
    const answer = await cancel(own, payment.payment_id);
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });
});

it(`counts every payment of ${SHOP} once, whatever came before`, async () => {
  expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
});
