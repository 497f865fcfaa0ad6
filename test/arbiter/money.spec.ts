import { beforeAll, describe, expect, it } from 'vitest';
import {
  CARD_TERMS,
  CREDENTIAL_IDS,
  FROZEN_AT_MS,
  paymentToken,
  PRODUCTS,
  SHOP,
  STALL,
} from '../../src/demo/demo-world.js';
import { ALLOWED_PURCHASE, cartOf, SHOP_AUTHORITY } from '../../src/demo/purchases.js';
import { STALL_HANDOFF } from '../../src/demo/tour-purchases.js';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { testDatabase } from '../support/database.js';
import { type Answer, openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';

let shop: Shop;
let names = 0;
const fresh = (what: string): string => `${what}-${(names += 1)}`;

beforeAll(async () => {
  shop = await openShop(await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' }));
  await switchAgentPayment(shop, true);
});

const inr = (amount: number | bigint) => ({ amount: String(amount), currency: 'INR' });

interface Captured {
  readonly orderId?: string;
  readonly amount: { amount: string; currency: string };
  readonly merchantId?: string;
  readonly captureId?: string;
  readonly decisionId?: string;
  readonly key?: string;
  readonly at?: Shop;
}

function capture(captured: Captured): Promise<Answer> {
  const captureId = captured.captureId ?? fresh('capture');
  return (captured.at ?? shop).call('POST', '/v1/captures', {
    as: 'merchant_system',
    idempotencyKey: captured.key ?? captureId,
    body: {
      capture_id: captureId,
      merchant_id: captured.merchantId ?? SHOP,
      order_id: captured.orderId ?? fresh('order'),
      amount: captured.amount,
      ...(captured.decisionId === undefined ? {} : { decision_id: captured.decisionId }),
    },
  });
}

const refund = (orderId: string, amount: object, key = fresh('refund')): Promise<Answer> =>
  shop.ask(
    { flow: 'refund', merchant_id: SHOP, order_id: orderId, amount },
    { as: 'merchant_system', idempotencyKey: key },
  );

describe('POST /v1/captures', () => {
  it('201 records what was captured', async () => {
    const { status, body } = await capture({ orderId: 'order-a', amount: inr(500) });
    expect(status).toBe(201);
    expect(body).toEqual({
      capture_id: expect.any(String),
      merchant_id: SHOP,
      order_id: 'order-a',
      amount: inr(500),
      decision_id: null,
      payment_id: null,
      confirmed_at: '2026-11-30T09:30:00.000Z',
    });
  });

  it('replays under its key, and 409 under the same key with another body', async () => {
    const first = await capture({ captureId: 'twice', orderId: 'order-b', amount: inr(500) });
    const before = await shop.entryCount();
    const again = await capture({ captureId: 'twice', orderId: 'order-b', amount: inr(500) });
    expect(again).toEqual(first);
    expect(await shop.entryCount()).toBe(before);
    const other = await capture({ captureId: 'twice', orderId: 'order-b', amount: inr(501) });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    const twoKeys = await capture({ captureId: 'twice', key: 'k', amount: inr(500) });
    expect([twoKeys.status, twoKeys.body.field]).toEqual([409, '/capture_id']);
    expect(await shop.entryCount()).toBe(before);
  });

  it.each<[string, number, string, Partial<Captured>]>([
    ['no money', 400, '/amount/amount', { amount: inr(0) }],
    ['negative money', 400, '/amount/amount', { amount: inr(-1) }],
    ['an unknown merchant', 404, '/merchant_id', { merchantId: 'nobody' }],
    ['an unknown decision', 404, '/decision_id', { decisionId: 'arbdec_000000000000' }],
  ])('refuses %s', async (_name, status, field, change) => {
    const before = await shop.entryCount();
    const answer = await capture({ amount: inr(1), ...change });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
    expect(await shop.entryCount()).toBe(before);
  });

  it('409 another currency for the same order, a refused decision, sums beyond 18 digits', async () => {
    await capture({ orderId: 'order-c', amount: inr(5) });
    const usd = { amount: '5', currency: 'USD' };
    const currency = await capture({ orderId: 'order-c', amount: usd });
    expect([currency.status, currency.body.field]).toEqual([409, '/amount/currency']);
    const refused = await shop.ask({ ...ALLOWED_PURCHASE, buyer_authority: {} });
    const named = await capture({ amount: inr(5), decisionId: refused.body.decision_id });
    expect([named.status, named.body.field]).toEqual([409, '/decision_id']);
    const other = await openShop(shop.service);
    const most = { orderId: 'vast', amount: inr(999_999_999_999_999_999n), at: other };
    expect((await capture(most)).status).toBe(201);
    expect((await capture(most)).body.field).toBe('/amount/amount');
    // Sums of a day may be vast; a decision still answers, and its entry can be read again.
    await capture({ ...most, orderId: 'vast-2' });
    const decided = await other.ask({
      ...ALLOWED_PURCHASE,
      flow: 'handoff',
      buyer_authority: undefined,
    });
    expect(decided.body).toMatchObject({ outcome: 'refuse', reason: 'daily_amount_cap_exceeded' });
    const path = `/v1/decisions/${decided.body.decision_id}`;
    expect((await other.call('GET', path, { as: 'auditor' })).status).toBe(200);
  });

  it('403 for agents, 400 without an Idempotency-Key', async () => {
    const body = { capture_id: 'x', merchant_id: SHOP, order_id: 'o', amount: inr(1) };
    expect((await shop.call('POST', '/v1/captures', { body, idempotencyKey: 'x' })).status).toBe(
      403,
    );
    const keyless = await shop.call('POST', '/v1/captures', { body, as: 'merchant_system' });
    expect([keyless.status, keyless.body.code]).toEqual([400, 'idempotency_key_required']);
  });
});

describe('refunds', () => {
  it('in sequence: full, then nothing is left', async () => {
    await capture({ orderId: 'order-d', amount: inr(1000) });
    expect((await refund('order-d', inr(400))).body).toMatchObject({
      outcome: 'allow',
      flow: 'refund',
      order_id: 'order-d',
      usable: true,
      allow: { cart_hash: null, single_use: true },
    });
    expect((await refund('order-d', inr(601))).body).toMatchObject({
      failing_rule: 'refund_within_captured',
      reason: 'refund_exceeds_captured',
    });
    expect((await refund('order-d', inr(600))).body.outcome).toBe('allow');
    expect((await refund('order-d', inr(1))).body.reason).toBe('refund_exceeds_captured');
  });

  it('zero, negative, another currency, never captured: each by its reason', async () => {
    await capture({ orderId: 'order-e', amount: inr(1000) });
    const reasonOf = async (orderId: string, amount: object) =>
      String((await refund(orderId, amount)).body.reason);
    expect(await reasonOf('order-e', inr(0))).toBe('refund_amount_not_positive');
    expect(await reasonOf('order-e', inr(-5))).toBe('refund_amount_not_positive');
    expect(await reasonOf('order-e', { amount: '5', currency: 'USD' })).toBe(
      'refund_currency_mismatch',
    );
    expect(await reasonOf('order-never', inr(1))).toBe('refund_exceeds_captured');
  });

  it('in parallel they never exceed what was captured', async () => {
    await capture({ orderId: 'order-f', amount: inr(1000) });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund('order-f', inr(300))),
    );
    const allowed = answers.filter(({ body }) => body.outcome === 'allow');
    expect(allowed).toHaveLength(3);
    expect(new Set(answers.map(({ body }) => String(body.decision_id))).size).toBe(20);
  });

  it('the same key: one refund, the same answer; another amount: 409', async () => {
    await capture({ orderId: 'order-g', amount: inr(1000) });
    const first = await refund('order-g', inr(700), 'same-key');
    const before = await shop.entryCount();
    expect(await refund('order-g', inr(700), 'same-key')).toEqual(first);
    expect(await shop.entryCount()).toBe(before);
    expect((await refund('order-g', inr(1), 'same-key')).body.code).toBe('idempotency_conflict');
  });

  it('of the live world take nothing from what was captured while nobody can use them (J7)', async () => {
    const { service } = shop;
    const as = (apiKey: string, path: string, body: object) =>
      shop.call('POST', path, { apiKey, body, idempotencyKey: fresh('live') });
    const created = await as(service.platformAdminKey, '/v1/tenants', { world: 'live', name: 'L' });
    const adminKey = String(created.body.admin_api_key.api_key);
    await as(adminKey, '/v1/merchants', { merchant_id: 'm', name: 'M', country: 'IN' });
    const key = await as(adminKey, '/v1/api-keys', { name: 'k', role: 'merchant_system' });
    const shopKey = String(key.body.api_key);
    const order = { merchant_id: 'm', order_id: 'o', amount: inr(1000) };
    const captured = await as(shopKey, '/v1/captures', { capture_id: 'c', ...order });
    expect(captured.status).toBe(201);
    for (const attempt of ['first', 'second']) {
      const { body } = await as(shopKey, '/v1/decisions', { flow: 'refund', ...order });
      expect(body, attempt).toMatchObject({
        outcome: 'allow',
        usable: false,
        usable_reason: 'grantex_countersignature_missing',
        usable_action: expect.stringMatching(/^Ask for a new decision/),
      });
    }
  });

  it('400 without an Idempotency-Key', async () => {
    const body = { flow: 'refund', merchant_id: SHOP, order_id: 'o', amount: inr(1) };
    expect((await shop.ask(body, { as: 'merchant_system' })).body.code).toBe(
      'idempotency_key_required',
    );
  });

  it('ask nothing of the facts: a revoked price stops no refund (I5)', async () => {
    const own = await openShop(shop.service);
    await capture({ at: own, orderId: 'order-h', amount: inr(10) });
    const { body } = await own.ask(
      { flow: 'refund', merchant_id: SHOP, order_id: 'order-h', amount: inr(10) },
      { as: 'merchant_system', idempotencyKey: 'k' },
    );
    expect(body.outcome).toBe('allow');
  });
});

describe('totals', () => {
  it('the day of a merchant: captures of today in this currency, refunds do not reduce it', async () => {
    const own = await openShop(shop.service);
    const stall = { merchantId: STALL, at: own };
    const outcome = async () =>
      (await own.ask(STALL_HANDOFF)).body as {
        outcome: string;
        reason: string;
        decision_id: string;
      };
    await capture({ ...stall, amount: inr(54_100), orderId: 'day' });
    await capture({ ...stall, amount: { amount: '9000000', currency: 'USD' } });
    await capture({ merchantId: SHOP, at: own, amount: inr(9_000_000) });
    expect((await outcome()).outcome).toBe('allow');
    await capture({ ...stall, amount: inr(1) });
    expect(await outcome()).toMatchObject({
      failing_rule: 'handoff_merchant_limits',
      reason: 'daily_amount_cap_exceeded',
      code: 'arbiter_refused',
      action: 'The commerce arbiter refused: handoff_merchant_limits (daily_amount_cap_exceeded).',
    });
    await own.ask(
      { flow: 'refund', merchant_id: STALL, order_id: 'day', amount: inr(54_100) },
      { as: 'merchant_system', idempotencyKey: 'k' },
    );
    expect((await outcome()).reason).toBe('daily_amount_cap_exceeded');
    const clock = { as: 'tenant_admin', body: { now: '2026-12-01T00:00:00.000Z' } } as const;
    expect((await own.call('PUT', '/v1/test-clock', clock)).status).toBe(200);
    // The new day is empty; only the facts have grown old.
    expect((await outcome()).reason).toMatch(/^artifact_expired_or_stale|^catalog_stale/);
    const simulated = await own.call('POST', '/v1/simulate', { ...clock, body: STALL_HANDOFF });
    expect(simulated.body.judged.counters.merchant_day_minor).toBe('0');
  });

  it('passport and intent grow by captures that name an allowed decision', async () => {
    const own = await openShop(shop.service);
    await switchAgentPayment(own, true);
    const [chai] = PRODUCTS;
    const place = { tenantId: own.tenantId, agentId: own.agentId, atMs: FROZEN_AT_MS };
    // Each under a payment mandate of its own: the capture uses up that of its decision.
    const buy = async (packs: number) => {
      const [slot] = own.spareSlots;
      if (slot === undefined) throw new Error('the seed reserves spare places');
      const mandate = { id: fresh('mandate'), merchantId: SHOP, slot };
      const mandates = [CREDENTIAL_IDS.shop.intent, paymentToken(mandate, place, CARD_TERMS)];
      const { body } = await own.ask({
        ...ALLOWED_PURCHASE,
        cart: cartOf(chai, packs),
        buyer_authority: { ...SHOP_AUTHORITY, mandate_refs: mandates },
      });
      return body as { outcome: string; reason: string; decision_id: string };
    };
    const first = await buy(2);
    expect((await buy(4)).outcome).toBe('allow');
    await capture({ at: own, amount: inr(91_800), decisionId: first.decision_id });
    expect(await buy(3)).toMatchObject({ reason: 'passport_amount_cap_exceeded' });
    const second = await buy(2);
    expect(second.outcome).toBe('allow');
    const path = `/v1/decisions/${second.decision_id}`;
    const { body } = await own.call('GET', path, { as: 'auditor' });
    expect(body.judged.counters).toEqual({
      passport_spent_minor: '91800',
      intent_spent_minor: '91800',
      intents_spent: [{ ref: 'demo-intent', spent_minor: '91800' }],
      merchant_day_minor: '91800',
      not_present_day_minor: '91800',
      stock: [],
      used_mandate_refs: [],
    });
  });
});

it('every table is what the ledger folds to, and every link and mac holds', async () => {
  const connection = await testDatabase().pool.connect();
  try {
    const report = await checkRebuild(connection, shop.tenantId, {
      projections: PROJECTIONS,
      sealer: null,
    });
    expect(report.differences).toEqual([]);
    expect(report.entryCount).toBe(await shop.entryCount());
  } finally {
    connection.release();
  }
});
