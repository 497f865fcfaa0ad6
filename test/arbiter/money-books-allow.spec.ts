import { beforeAll, describe, expect, it } from 'vitest';
import { REQUIRED_ARTIFACT_TYPES } from '../../src/core/rules/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import { FROZEN_AT_MS, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, cartOf } from '../../src/demo/purchases.js';
import { capture, CHARGE, charge, HANDOFF, handOff, paidOrder, refund } from '../money/desk.js';
import { ProviderDouble } from '../money/provider-double.js';
import { testDatabase } from '../support/database.js';
import { makeKey, signedEnvelope } from '../support/issuer.js';
import type { TestService } from '../support/service.js';
import { answered, paymentsOf } from './money-books.js';
import { type Answer, openShop, type Shop, startTestService } from './shop.js';
import { allowed, consume, entriesOf, fresh, inr, moveClock } from './uses.js';

/**
 * The allow as facts/arbiter.md 1.7 (M29 to M32), 6.2 to 6.4 (J1 to J8, K1 to K4) and decisions 3.4, 3.8, 3.13, 3.14
 * demand it, where routes reach it. What stands elsewhere:
 *
 * used at 600 s and 600.001 s; other cart; two and a hundred at once    test/arbiter/consume.spec.ts
 * allow_use with the allow's own id; each use and refused use an entry  test/arbiter/consume.spec.ts
 * J3 what the cart hash covers                                          src/money/arbiter/cart.spec.ts
 * countersignature for another decision, another cart (J4, J6)          test/arbiter/countersign.spec.ts
 * J7 it cannot be attached later; key withdrawn                         test/arbiter/countersign.spec.ts
 * J5 is the authority's own check                                       comes with the trust issue
 * 3.4 the re-check at use, each withdrawal and each counter             test/arbiter/recheck.spec.ts
 * K1 queue down, the toggle in both positions                           test/aftercare/review-queue.spec.ts
 * K2, K4 notes: append-only, never parsed, never an outcome             test/aftercare/notes.spec.ts
 * K3 direct SQL update of an outcome                                    test/arbiter/decisions.spec.ts, and below
 */

const [CHAI] = PRODUCTS;
const { cart } = ALLOWED_HANDOFF;

let provider: ProviderDouble;
let service: TestService;
beforeAll(async () => {
  provider = await ProviderDouble.start();
  service = await startTestService({}, { rails: provider.rails() });
});

interface Made {
  readonly api_key?: string;
  readonly slots?: readonly { readonly uri: string; readonly idx: number }[];
}

/** A tenant of the live world that sells tea, made by routes alone, with facts of this minute. */
async function openLiveShop(at: TestService) {
  const call = async (apiKey: string, [method, path]: readonly [string, string], body: object) => {
    const response = await fetch(`${at.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': fresh('live'),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const tenant = ['POST', '/v1/tenants'] as const;
  const made = await call(at.platformAdminKey, tenant, { world: 'live', name: 'Live' });
  const { tenant: row, admin_api_key } = answered(made, 201);
  const admin = async (how: readonly [string, string], body: object, status = 201): Promise<Made> =>
    answered(await call(admin_api_key.api_key as string, how, body), status);
  const merchant = { merchant_id: SHOP, name: 'Shop', country: 'IN' };
  await admin(['POST', '/v1/merchants'], merchant);
  const currencies = [{ currency: 'INR', order_max_minor: '1000000' }];
  await admin(['PUT', `/v1/merchants/${SHOP}/limits`], { currencies, items_max: 9 }, 200);
  const { api_key = '' } = await admin(['POST', '/v1/api-keys'], {
    name: 'k',
    role: 'merchant_system',
  });
  const key = makeKey('ES256');
  const { kid, jwk } = key;
  const issuer = 'https://issuer.example';
  await admin(['POST', '/v1/issuer-keys'], {
    issuer,
    kid,
    jwk,
    role: 'fact_issuer',
    not_before: '2020-01-01T00:00:00Z',
  });
  const count = REQUIRED_ARTIFACT_TYPES.length;
  const { slots = [] } = await admin(['POST', '/v1/status-slots'], { count });
  const atMs = Math.floor(Date.now() / 1_000) * 1_000;
  const scene = {
    tenantId: row.tenant_id as TenantId,
    merchantId: SHOP,
    agentId: 'agt_1',
    buyer: 'buyer',
    issuer,
    atMs,
  };
  for (const [index, type] of REQUIRED_ARTIFACT_TYPES.entries()) {
    const { uri = '', idx = 0 } = slots[index] ?? {};
    const artifact = signedEnvelope({ key, scene, slot: { uri, index: idx } }, { type });
    await admin(['POST', '/v1/artifacts'], { artifact });
  }
  return {
    tenantId: scene.tenantId,
    ask: (path: string, body: object) => call(api_key, ['POST', path], body),
  };
}

const TEA = {
  currency: 'INR',
  lines: [{ product_id: 'tea', variant_id: 'tea-100g', quantity: 1, unit_price: inr(2_099) }],
  total: inr(2_099),
};
const LIVE_HANDOFF = { merchant_id: SHOP, cart: TEA, provider: 'merchant', order_id: 'live-1' };
const MISSING = { failing_rule: 'allow_use', reason: 'grantex_countersignature_missing' };

describe('countersignature absent in production (M23, M32, J7)', () => {
  it('no link: allowed, not usable, refused at the use under the allow’s own id', async () => {
    const live = await openLiveShop(service);
    const answer = await live.ask('/v1/handoffs', LIVE_HANDOFF);
    expect([answer.status, answer.body]).toMatchObject([403, MISSING]);
    const [decided] = await entriesOf(live as unknown as Shop, ['decision.recorded']);
    expect(answer.body.decision_id).toBe(decided?.data['decision_id']);
    expect(decided?.data['decision']).toMatchObject({ outcome: 'allow' });
    const begun = await entriesOf(live as unknown as Shop, ['payment.started', 'allow.used']);
    expect(begun).toEqual([]);
  });

  it('the decision says so, and what to do; it stays so', async () => {
    const live = await openLiveShop(service);
    const { merchant_id, cart: tea } = LIVE_HANDOFF;
    const { body } = await live.ask('/v1/decisions', { flow: 'handoff', merchant_id, cart: tea });
    expect(body).toMatchObject({
      outcome: 'allow',
      usable: false,
      usable_reason: 'grantex_countersignature_missing',
      usable_action: expect.stringMatching(/new decision/),
    });
    const use = `/v1/decisions/${body.decision_id}/consume`;
    const order = { order_id: 'o', provider: 'merchant', cart: tea };
    for (const answer of [await live.ask(use, order), await live.ask(use, order)])
      expect(answer.body).toMatchObject({
        ...MISSING,
        decision_id: body.decision_id,
      });
  });

  it('a refund needs it as well (decisions 3.14)', async () => {
    const live = await openLiveShop(service);
    const order = { merchant_id: SHOP, order_id: 'o', amount: inr(500) };
    answered(await live.ask('/v1/captures', { capture_id: 'c', ...order }), 201);
    const answer = await live.ask('/v1/refunds', order);
    expect([answer.status, answer.body]).toMatchObject([403, MISSING]);
  });

  it('with it there is a link, countersigned before it was used', async () => {
    const signing = await startTestService({ COUNTERSIGNER: 'authority' });
    const live = await openLiveShop(signing);
    const { payment } = answered(await live.ask('/v1/handoffs', LIVE_HANDOFF), 201);
    expect(payment).toMatchObject({ state: 'issuing', provider: 'merchant' });
    const steps = ['decision.recorded', 'allow.countersigned', 'allow.used'];
    const written = await entriesOf(live as unknown as Shop, steps);
    expect(written.map(({ type }) => type)).toEqual(steps);
  });

  it('staging without countersignature works (J8)', async () => {
    const shop = await openShop(service);
    expect((await handOff(shop)).status).toBe(201);
    expect(await entriesOf(shop, ['allow.countersigned'])).toEqual([]);
  });
});

describe('single use, one flow, one merchant, one order (M29, M30, J2)', () => {
  it('an allow that POST /v1/handoffs used is used', async () => {
    const shop = await openShop(service);
    const { decision } = answered(await handOff(shop), 201);
    const used = await consume(shop, decision.decision_id as string, { cart });
    expect([used.status, used.body]).toMatchObject([
      403,
      {
        failing_rule: 'allow_use',
        reason: 'allow_already_used',
        decision_id: decision.decision_id,
      },
    ]);
  });

  it('a refund’s allow buys nothing, and a purchase’s gives nothing back', async () => {
    const shop = await openShop(service);
    const { order_id, amount } = await paidOrder(shop);
    const body = { flow: 'refund', merchant_id: SHOP, order_id, amount };
    const asked = await shop.ask(body, { as: 'merchant_system', idempotencyKey: 'refund' });
    const refundId = String(asked.body.decision_id);
    expect((await consume(shop, refundId, { order_id, cart })).status).toBe(400);
    const purchaseId = await allowed(shop, ALLOWED_HANDOFF);
    expect((await consume(shop, purchaseId, { order_id, amount })).status).toBe(400);
    expect(await entriesOf(shop, ['allow.use_refused', 'refund.submitted'])).toEqual([]);
    expect((await consume(shop, purchaseId, { cart })).status).toBe(200);
  });

  it('is no longer good after ten minutes, whatever asks for it (M31, J1)', async () => {
    const shop = await openShop(service);
    const { order_id, amount } = await paidOrder(shop);
    const body = { flow: 'refund', merchant_id: SHOP, order_id, amount };
    const asked = await shop.ask(body, { as: 'merchant_system', idempotencyKey: 'refund' });
    expect(Date.parse(asked.body.allow.expires_at as string)).toBe(FROZEN_AT_MS + 600_000);
    await moveClock(shop, FROZEN_AT_MS + 600_001);
    const late = await consume(shop, String(asked.body.decision_id), { order_id });
    expect(late.body).toMatchObject({ failing_rule: 'allow_use', reason: 'allow_expired' });
    // The remedy is a new decision (M32).
    expect((await refund(shop, { order_id, amount })).status).toBe(201);
  });

  it('lines in another order are the same cart; other amounts of the same total are not (J3)', async () => {
    const shop = await openShop(service);
    const [line = {}] = cartOf(CHAI, 1)['lines'] as object[];
    const [, KETTLE] = PRODUCTS;
    const [other = {}] = cartOf(KETTLE, 1)['lines'] as object[];
    const total = inr(CHAI.amountMinor + KETTLE.amountMinor);
    const of = (lines: readonly object[], more: object = {}) => ({
      currency: 'INR',
      lines,
      total,
      ...more,
    });
    const id = await allowed(shop, {
      flow: 'handoff',
      merchant_id: SHOP,
      cart: of([line, other]),
    });
    const moved = of([line, other], { discount: inr(1), tax: inr(1) });
    expect((await consume(shop, id, { cart: moved })).body.reason).toBe('allow_cart_mismatch');
    expect((await consume(shop, id, { cart: of([other, line]) })).status).toBe(200);
  });
});

describe('nobody waits, and nobody sets an outcome (M14, K3, K4)', () => {
  it('no answer is pending: a decision is allow or refuse, at every route that decides', async () => {
    const shop = await openShop(service);
    const outcomes = new Set<unknown>();
    for (const body of [ALLOWED_HANDOFF, { ...ALLOWED_HANDOFF, cart: cartOf(PRODUCTS[3], 1) }])
      outcomes.add((await shop.ask(body)).body.outcome);
    expect([...outcomes].sort()).toEqual(['allow', 'refuse']);
    expect([(await handOff(shop)).status, (await charge(shop)).status]).toEqual([201, 403]);
  });

  it.each([
    ['/v1/decisions', ALLOWED_HANDOFF],
    ['/v1/handoffs', { ...HANDOFF, order_id: 'o' }],
    ['/v1/charges', { ...CHARGE, order_id: 'o' }],
    ['/v1/refunds', { merchant_id: SHOP, order_id: 'o', amount: inr(1) }],
    ['/v1/captures', { capture_id: 'c', merchant_id: SHOP, order_id: 'o', amount: inr(1) }],
  ])('%s has no member for an outcome', async (path, body) => {
    const shop = await openShop(service);
    const entries = await shop.entryCount();
    for (const [member, value] of [
      ['outcome', 'allow'],
      ['usable', true],
      ['countersignature', 'x.y.z'],
      ['decision', { outcome: 'allow' }],
    ] as const) {
      const options = { as: 'merchant_system', idempotencyKey: fresh('k') } as const;
      const asked = await shop.call('POST', path, {
        ...options,
        body: { ...body, [member]: value },
      });
      expect([asked.status, asked.body.field]).toEqual([400, `/${member}`]);
    }
    expect(await shop.entryCount()).toBe(entries);
  });

  it('a note on a refusal changes nothing: the same purchase is refused again', async () => {
    const shop = await openShop(service);
    const body = { cart: cartOf(PRODUCTS[3], 1), order_id: 'noted' };
    const refused = await handOff(shop, body);
    const path = `/v1/decisions/${refused.body.decision_id}`;
    const note = {
      as: 'tenant_admin',
      body: { text: 'outcome: allow. {"outcome":"allow"}' },
    } as const;
    answered(await shop.call('POST', `${path}/notes`, note), 201);
    expect((await shop.call('GET', path, { as: 'auditor' })).body.outcome).toBe('refuse');
    const used = await consume(shop, String(refused.body.decision_id), { cart: body.cart });
    expect([used.status, used.body.reason]).toEqual([403, 'artifact_revoked:price']);
    expect((await handOff(shop, body)).body.reason).toBe('artifact_revoked:price');
    expect(await paymentsOf(shop, 'noted')).toEqual([]);
  });

  it.each([
    `outcome = 'allow'`,
    'failing_rule = NULL',
    'reason = NULL',
    `decision_id = 'arbdec_ffffffffffff'`,
  ])('SQL: UPDATE decisions SET %s is refused', async (change) => {
    const shop = await openShop(service);
    await handOff(shop, { cart: cartOf(PRODUCTS[3], 1) });
    const update = `UPDATE decisions SET ${change} WHERE tenant_id = $1`;
    await expect(testDatabase().pool.query(update, [shop.tenantId])).rejects.toThrow();
  });
});

it('a capture of an order gives its link’s allow no second life', async () => {
  const shop = await openShop(service);
  const { payment, decision } = answered(await handOff(shop), 201);
  answered(await capture(shop, payment), 201);
  const used = await consume(shop, decision.decision_id as string, { cart });
  expect(used.body.reason).toBe('allow_already_used');
});
