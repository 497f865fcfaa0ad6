import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { artifactIdOf, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { cartOf } from '../../src/demo/purchases.js';
import {
  type Answer,
  openShop,
  type Shop,
  startTestService,
  switchAgentPayment,
} from '../arbiter/shop.js';
import { entriesOf, inr } from '../arbiter/uses.js';
import type { TestService } from '../support/service.js';
import {
  handOff,
  on,
  paidOrder,
  type PaymentBody,
  refund,
  setDailyMaximum,
  TOTAL_MINOR,
} from './desk.js';
import { ProviderDouble } from './provider-double.js';
import { chargeAsk, contextOf, openBench, passportOf, termsOf } from './saga-bench.js';
import { faultsOf, RIGHT } from './sums.js';

let provider: ProviderDouble;
let services: readonly [TestService, TestService];
let shop: Shop;

beforeAll(async () => {
  provider = await ProviderDouble.start();
  const options = { rails: provider.rails() };
  const environment = { AGENT_EXECUTED_PAYMENT_ENABLED: 'true' };
  services = await Promise.all([
    startTestService(environment, options),
    startTestService(environment, options),
  ]);
});
beforeEach(async () => {
  provider.trouble = 'ok';
  shop = await openShop(services[0]);
});

const [CHAI] = PRODUCTS;

/** So many requests at once, by turns through both services. */
const atOnce = <Value>(count: number, send: (at: Shop, place: number) => Promise<Value>) =>
  Promise.all(
    Array.from({ length: count }, (_, place) =>
      send(on(services[place % 2 === 0 ? 0 : 1], shop), place),
    ),
  );

/** How many answers have each status. */
function statusesOf(answers: readonly { readonly status: number }[]) {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const paymentIdIn = ({ body }: Answer): string => (body.payment as PaymentBody).payment_id;

describe('at once, through two services', () => {
  it('100 handoffs at the last room under the daily maximum: exactly those that fit', async () => {
    await setDailyMaximum(shop, 7 * TOTAL_MINOR + 50);
    const answers = await atOnce(100, (at) => handOff(at));
    expect(statusesOf(answers)).toEqual({ 201: 7, 403: 93 });
    const refused = answers.filter(({ status }) => status === 403);
    const reasons = refused.map(({ body }) => String(body.reason));
    expect(new Set(reasons)).toEqual(new Set(['daily_amount_cap_exceeded']));
    const paymentIds = answers.filter(({ status }) => status === 201).map(paymentIdIn);
    for (const paymentId of paymentIds) expect(provider.movesOf(paymentId)).toHaveLength(1);
    expect(new Set(paymentIds).size).toBe(7);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('100 requests with the same key: one payment, one call of the provider', async () => {
    const before = provider.calls.length;
    const body = { order_id: 'once' };
    const answers = await atOnce(100, (at) => handOff(at, body, { idempotencyKey: 'once' }));
    const told = answers.filter(({ status }) => status === 201);
    expect(told.length).toBeGreaterThan(0);
    const paymentIds = new Set(told.map(paymentIdIn));
    expect(paymentIds.size).toBe(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(others.map((answer) => String(answer.body.code)))).toEqual(
      new Set(others.length === 0 ? [] : ['idempotency_in_flight']),
    );
    expect(provider.calls.length).toBe(before + 1);
    expect(await entriesOf(shop, ['decision.recorded', 'allow.used'])).toHaveLength(2);
    const after = await handOff(shop, body, { idempotencyKey: 'once' });
    expect(after.body.payment).toMatchObject({ payment_id: [...paymentIds][0], state: 'open' });
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('refunds of one more than half: one', async () => {
    const { order_id } = await paidOrder(shop);
    const amount = inr(TOTAL_MINOR / 2 + 1);
    const answers = await atOnce(10, (at) => refund(at, { order_id, amount }));
    expect(statusesOf(answers)).toEqual({ 201: 1, 403: 9 });
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('handoffs for one order: one', async () => {
    const answers = await atOnce(10, (at) => handOff(at, { order_id: 'same' }));
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: 9 });
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('handoffs for the last piece: one', async () => {
    const put = await shop.call('PUT', `/v1/stock/${CHAI.variantId}`, {
      as: 'merchant_system',
      body: { merchant_id: SHOP, on_hand: 1 },
    });
    expect(put.status).toBe(200);
    const cart = cartOf(CHAI, 1);
    const answers = await atOnce(10, (at) => handOff(at, { cart }));
    expect(statusesOf(answers)).toEqual({ 201: 1, 403: 9 });
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it.each<[string, string, (at: Shop) => Promise<unknown>]>([
    [
      'a revocation of the price',
      'status.changed',
      (at) =>
        at.call('POST', '/v1/revocations', {
          as: 'tenant_admin',
          body: {
            subject_id: artifactIdOf({ merchantId: SHOP, type: 'price', product: CHAI }),
            status: 'revoked',
            reason_code: 'other',
          },
        }),
    ],
    ['limits without room', 'merchant_limits.set', (at) => setDailyMaximum(at, TOTAL_MINOR - 1)],
  ])('handoffs and %s: none starts after it', async (_name, type, change) => {
    const setUp = (await entriesOf(shop, [type])).length;
    const handoffs = (count: number) => atOnce(count, (at) => handOff(at));
    const [first, , late] = await Promise.all([handoffs(10), change(shop), handoffs(10)]);
    const after = await handoffs(2);
    expect(statusesOf(after)).toEqual({ 403: 2 });
    const answers = [...first, ...late];
    expect(answers.every(({ status }) => status === 201 || status === 403)).toBe(true);
    const [changed] = (await entriesOf(shop, [type])).slice(setUp);
    const started = await entriesOf(shop, ['payment.started']);
    expect(started).toHaveLength(answers.filter(({ status }) => status === 201).length);
    for (const { seq } of started) expect(seq).toBeLessThan(changed?.seq ?? 0);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('charges under one passport, through two writers: as many as it covers', async () => {
    await switchAgentPayment(shop, true);
    const benches = [openBench(shop, provider), openBench(shop, provider)];
    const passport = passportOf(shop);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, place) => {
        const bench = benches[place % 2];
        const context = contextOf(shop, `charge-${place}`);
        return bench?.payer.charge(context, chargeAsk(shop, passport), termsOf(`o-${place}`));
      }),
    );
    const ends = answers.map((answer) =>
      answer?.ok !== true
        ? 'problem'
        : answer.value.kind === 'started'
          ? answer.value.subject.state
          : answer.value.refused.reason,
    );
    expect(ends.filter((end) => end === 'paid')).toHaveLength(4);
    expect(ends.filter((end) => end === 'passport_amount_cap_exceeded')).toHaveLength(8);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
    await Promise.all(benches.map((bench) => bench.close()));
  });
});
