import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  artifactIdOf,
  CARD_TERMS,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  intentToken,
  paymentToken,
  PRODUCTS,
  SHOP,
} from '../../src/demo/demo-world.js';
import {
  ALLOWED_PURCHASE as CHARGE_DECISION,
  cartOf,
  SHOP_AUTHORITY,
} from '../../src/demo/purchases.js';
import { refusalsByRule } from '../../src/demo/tour-purchases.js';
import { capture, charge, paidOrder, refund, sweep, TOTAL_MINOR } from '../money/desk.js';
import { ProviderDouble } from '../money/provider-double.js';
import type { TestService } from '../support/service.js';
import { answered, setLimits, shopLimits, withdraw } from './money-books.js';
import { type Answer, openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import { allowed, consume, entriesOf, fresh, inr } from './uses.js';

/**
 * facts/arbiter.md 5.7 (rules 7 and 8, the off switch, refunds) and O1 to O4, I1 to I5, by POST /v1/charges and
 * POST /v1/refunds with a provider that counts its calls. What stands elsewhere:
 *
 * engine: all 2^8 combinations; no third value      src/core/rules/combinations.spec.ts, decision-codec.spec.ts
 * rule 7: buyer present                             test/arbiter/buyer.spec.ts
 * rule 7: a currency that is not the intent's       rule 1 refuses it first; src/core/rules/boundaries-limits.spec.ts
 * rule 8: evidence missing, expired, unverified      test/arbiter/later-debits.spec.ts, evidence-use.spec.ts
 * O2 no adapter can be resolved                     test/money/payer.spec.ts, test/money/reconciler.spec.ts
 * O3 dry runs                                       test/arbiter/decisions.spec.ts
 * I2 parallel refunds                               test/money/payer-races.spec.ts, test/book/money-moves.spec.ts
 * I2 zero, negative, currency: at the decision      test/arbiter/money.spec.ts
 */

const [CHAI] = PRODUCTS;

let provider: ProviderDouble;
let service: TestService;
beforeAll(async () => {
  provider = await ProviderDouble.start();
  const on = { AGENT_EXECUTED_PAYMENT_ENABLED: 'true' };
  service = await startTestService(on, { rails: provider.rails() });
});
beforeEach(() => {
  provider.trouble = 'ok';
});

async function openCharging(at = service): Promise<Shop> {
  const shop = await openShop(at);
  await switchAgentPayment(shop, true);
  return shop;
}

/** It was refused like this, and nobody was called and nothing begun. */
async function expectRefused(shop: Shop, answer: Answer, [rule, reason]: readonly string[]) {
  expect([answer.status, answer.body.failing_rule, answer.body.reason]).toEqual([
    403,
    rule,
    reason,
  ]);
  expect(await entriesOf(shop, ['allow.used', 'payment.started', 'refund.submitted'])).toEqual([]);
}

describe('rule 7: buyer away, each limit in turn (G3 to G5)', () => {
  const absent = (change: object) => ({
    not_present: {
      currency: 'INR',
      order_max_minor: '1000000',
      items_max: 5,
      daily_max_minor: '3000000',
      ...change,
    },
  });
  const inlineIntent = (shop: Shop, capMinor: number) => {
    const [slot] = shop.spareSlots;
    if (slot === undefined) throw new Error('the seed reserves spare places');
    const place = { tenantId: shop.tenantId, agentId: shop.agentId, atMs: FROZEN_AT_MS };
    return intentToken({ id: fresh('intent'), merchantId: SHOP, slot }, place, { capMinor });
  };
  const withMandates = (mandate_refs: readonly string[]) => ({
    buyer_authority: { ...SHOP_AUTHORITY, mandate_refs },
  });

  it.each<[string, object]>([
    ['not_present_limits_missing', { not_present: null }],
    ['not_present_amount_cap_exceeded', absent({ order_max_minor: '91799' })],
    ['not_present_items_cap_exceeded', absent({ items_max: 1 })],
    [
      'not_present_currency_mismatch',
      {
        currencies: [
          { currency: 'INR', order_max_minor: '5000000' },
          { currency: 'USD', order_max_minor: '5000000' },
        ],
        ...absent({ currency: 'USD' }),
      },
    ],
  ])('%s', async (reason, limits) => {
    const shop = await openCharging();
    await setLimits(shop, { ...shopLimits(), ...limits });
    const calls = provider.calls.length;
    await expectRefused(shop, await charge(shop), ['not_present_limits', reason]);
    expect(provider.calls).toHaveLength(calls);
  });

  it('not_present_daily_amount_cap_exceeded: what absent buyers paid counts, of others not', async () => {
    const shop = await openCharging();
    const room = String(2 * TOTAL_MINOR - 1);
    const daily = { order_max_minor: String(TOTAL_MINOR), daily_max_minor: room };
    await setLimits(shop, shopLimits({}, absent(daily)));
    await paidOrder(shop);
    const first = answered(await charge(shop), 201);
    expect(first.payment.state).toBe('paid');
    const [slot] = shop.spareSlots;
    if (slot === undefined) throw new Error('the seed reserves spare places');
    const place = { tenantId: shop.tenantId, agentId: shop.agentId, atMs: FROZEN_AT_MS };
    const another = { id: fresh('payment'), merchantId: SHOP, slot };
    const second = await charge(
      shop,
      withMandates([CREDENTIAL_IDS.shop.intent, paymentToken(another, place, CARD_TERMS)]),
    );
    expect(second.body).toMatchObject({
      failing_rule: 'not_present_limits',
      reason: 'not_present_daily_amount_cap_exceeded',
    });
  });

  it('intent_cap_exceeded: 1 less than the order; equal is enough', async () => {
    const shop = await openCharging();
    const paying = (capMinor: number) =>
      withMandates([inlineIntent(shop, capMinor), CREDENTIAL_IDS.shop.payment]);
    const low = await charge(shop, paying(TOTAL_MINOR - 1));
    await expectRefused(shop, low, ['not_present_limits', 'intent_cap_exceeded']);
    expect((await charge(shop, paying(TOTAL_MINOR))).status).toBe(201);
  });

  it('what the request says about presence is no member of it (G2)', async () => {
    const shop = await openCharging();
    for (const word of ['buyer_present', 'presence', 'not_present'])
      expect((await charge(shop, { [word]: true })).body).toMatchObject({ field: `/${word}` });
  });
});

describe('agent-executed payment', () => {
  it.each(['1', '2', '3', '4', '5', '6', '7', '8'])(
    'rule %s alone refuses a charge; the provider is never called (M25, M26)',
    async (number) => {
      const shop = await openCharging();
      const found = refusalsByRule(shop)[Number(number) - 1];
      if (found === undefined) throw new Error('there are eight');
      // The route has no member for the flow, and leaves out what is undefined.
      const body = { ...found.body, flow: undefined };
      const calls = provider.calls.length;
      await expectRefused(shop, await charge(shop, body), [found.rule, found.reason]);
      expect(provider.calls).toHaveLength(calls);
    },
  );

  it.each([
    [false, false],
    [false, true],
    [true, false],
  ])('off: deployment %s, merchant %s (O1, O2)', async (deployment, merchant) => {
    const environment = { AGENT_EXECUTED_PAYMENT_ENABLED: String(deployment) };
    const at = await startTestService(environment, { rails: provider.rails() });
    const shop = await openShop(at);
    await switchAgentPayment(shop, merchant);
    const calls = provider.calls.length;
    const disabled = ['agent_executed_payment', 'agent_executed_payment_disabled'];
    await expectRefused(shop, await charge(shop), disabled);
    // Not a silent handoff either.
    expect(await entriesOf(shop, ['payment.started'])).toEqual([]);
    expect(provider.calls).toHaveLength(calls);
  });

  it('on: eight rules, and the allow is used before the charge call (O4)', async () => {
    const shop = await openCharging();
    provider.trouble = 'slow';
    const called = provider.nextCall();
    const asked = charge(shop);
    await called;
    const [decided] = await entriesOf(shop, ['decision.recorded']);
    expect((decided?.data['decision'] as { trace: readonly object[] }).trace).toHaveLength(8);
    const [used] = await entriesOf(shop, ['allow.used']);
    expect(used?.data['decision_id']).toBe(decided?.data['decision_id']);
    provider.release();
    expect((await asked).body.payment.state).toBe('paid');
  });

  it('a charge whose answer is lost draws on passport, intent and the day of absent buyers until it is known (3.5)', async () => {
    const shop = await openCharging();
    const counters = async () => {
      const body = { ...CHARGE_DECISION, agent_id: shop.agentId };
      const simulated = await shop.call('POST', '/v1/simulate', { as: 'tenant_admin', body });
      const seen = answered(simulated, 200).judged.counters;
      const { passport_spent_minor, intent_spent_minor, not_present_day_minor } = seen;
      return [passport_spent_minor, intent_spent_minor, not_present_day_minor].map(String);
    };
    provider.trouble = 'break';
    expect((await charge(shop)).body.payment.state).toBe('issuing');
    expect(await counters()).toEqual(Array(3).fill(String(TOTAL_MINOR)));
    // The provider never heard of it: asked about, it is over.
    await sweep(shop);
    expect(await counters()).toEqual(['0', '0', '0']);
  });

  it('switched off between decision and use: not charged', async () => {
    const shop = await openCharging();
    const decisionId = await allowed(shop, CHARGE_DECISION);
    await switchAgentPayment(shop, false);
    const used = await consume(shop, decisionId, { cart: cartOf(CHAI, 2) });
    const disabled = ['agent_executed_payment', 'agent_executed_payment_disabled'];
    await expectRefused(shop, used, disabled);
  });
});

describe('POST /v1/refunds (I1 to I5)', () => {
  const RULE = 'refund_within_captured';

  it.each([
    ['0', 'INR', 'refund_amount_not_positive'],
    ['-1', 'INR', 'refund_amount_not_positive'],
    ['1', 'USD', 'refund_currency_mismatch'],
    [String(TOTAL_MINOR + 1), 'INR', 'refund_exceeds_captured'],
  ])('%s %s: %s', async (amount, currency, reason) => {
    const shop = await openShop(service);
    const { order_id } = await paidOrder(shop);
    const calls = provider.calls.length;
    const answer = await refund(shop, { order_id, amount: { amount, currency } });
    expect([answer.status, answer.body.failing_rule, answer.body.reason]).toEqual([
      403,
      RULE,
      reason,
    ]);
    expect(provider.calls).toHaveLength(calls);
  });

  it.each(['1.5', '1e3', '', ' 1', '+1', '0x1', '１', 1, 1.5, null])(
    '%j is no amount: 400 (I1)',
    async (amount) => {
      const shop = await openShop(service);
      const answer = await refund(shop, { order_id: 'o', amount: { amount, currency: 'INR' } });
      expect([answer.status, answer.body.field]).toEqual([400, '/amount/amount']);
    },
  );

  it('full; full twice', async () => {
    const shop = await openShop(service);
    const { order_id, amount } = await paidOrder(shop);
    expect((await refund(shop, { order_id, amount })).body.refund.state).toBe('done');
    const twice = await refund(shop, { order_id, amount });
    expect([twice.status, twice.body.reason]).toEqual([403, 'refund_exceeds_captured']);
  });

  it('in parts, to the last paisa and no further', async () => {
    const shop = await openShop(service);
    const { order_id } = await paidOrder(shop);
    const back = async (minor: number) =>
      (await refund(shop, { order_id, amount: inr(minor) })).status;
    expect(await back(1)).toBe(201);
    expect(await back(TOTAL_MINOR)).toBe(403);
    expect(await back(TOTAL_MINOR - 1)).toBe(201);
    expect(await back(1)).toBe(403);
  });

  it('order without capture, with and without a link', async () => {
    const shop = await openShop(service);
    for (const order_id of ['never', await unpaid(shop)]) {
      const answer = await refund(shop, { order_id, amount: inr(1) });
      expect([answer.status, answer.body.reason]).toEqual([403, 'refund_exceeds_captured']);
    }
  });
  async function unpaid(shop: Shop): Promise<string> {
    const order_id = fresh('order');
    const body = { merchant_id: SHOP, cart: cartOf(CHAI, 1), provider: 'merchant', order_id };
    const options = { as: 'merchant_system', idempotencyKey: order_id, body } as const;
    answered(await shop.call('POST', '/v1/handoffs', options), 201);
    return order_id;
  }

  it('of unknown outcome counts as done (I3); one that failed gives its amount back', async () => {
    const shop = await openShop(service);
    const { order_id, amount } = await paidOrder(shop);
    provider.trouble = 'break_after';
    const unknown = answered(await refund(shop, { order_id, amount }), 201);
    expect(unknown.refund.state).toBe('submitted');
    provider.trouble = 'ok';
    expect((await refund(shop, { order_id, amount })).body.reason).toBe('refund_exceeds_captured');
    const other = await paidOrder(shop);
    provider.trouble = 'reject';
    const failed = answered(await refund(shop, { order_id: other.order_id, amount }), 201);
    expect(failed.refund.state).toBe('failed');
    provider.trouble = 'ok';
    expect((await refund(shop, { order_id: other.order_id, amount })).body.refund.state).toBe(
      'done',
    );
  });

  it('a revoked artifact, limits and a full day do not block it (I5)', async () => {
    const shop = await openShop(service);
    const { order_id, amount } = await paidOrder(shop);
    for (const type of ['price', 'inventory'] as const)
      await withdraw(shop, artifactIdOf({ merchantId: SHOP, type, product: CHAI }));
    await setLimits(shop, shopLimits({ order_max_minor: '1', daily_max_minor: '1' }));
    const { body } = await refund(shop, { order_id, amount });
    expect(body.refund.state).toBe('done');
    const path = `/v1/decisions/${body.decision.decision_id}`;
    const read = (await shop.call('GET', path, { as: 'auditor' })).body;
    expect((read.trace as { rule: string }[]).map(({ rule }) => rule)).toEqual([RULE]);
  });

  it('of a link’s late payment: after it lapsed or was canceled, the money can be given back', async () => {
    const shop = await openShop(service);
    for (const said of ['lapsed', 'canceled']) {
      const order_id = await unpaid(shop);
      const path = `/v1/payments?order_id=${order_id}`;
      const [late] = (await shop.call('GET', path, { as: 'tenant_admin' })).body.items;
      const options = { as: 'merchant_system', idempotencyKey: fresh('r') } as const;
      const reports = `/v1/payments/${late.payment_id}/reports`;
      answered(await shop.call('POST', reports, { ...options, body: { report: said } }), 200);
      expect((await refund(shop, { order_id, amount: inr(1) })).status).toBe(403);
      answered(await capture(shop, late), 201);
      const back = answered(await refund(shop, { order_id, amount: late.amount }), 201);
      expect(back.refund).toMatchObject({ state: 'submitted', payment_id: late.payment_id });
    }
  });
});
