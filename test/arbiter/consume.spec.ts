import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS, PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, cartOf } from '../../src/demo/purchases.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import { allowed, consume, differencesOf, entriesOf, fresh, inr, moveClock } from './uses.js';

let service: TestService;
let second: TestService;
let shop: Shop;

beforeAll(async () => {
  [service, second] = await Promise.all([startTestService(), startTestService()]);
  shop = await openShop(service);
});

const [CHAI, KETTLE] = PRODUCTS;
const cart = cartOf(CHAI, 2);

describe('POST /v1/decisions/{decision_id}/consume', () => {
  it('uses an allow once: the payment is issuing, and counts from here on', async () => {
    const decisionId = await allowed(shop, ALLOWED_HANDOFF);
    const used = await consume(shop, decisionId, { cart, order_id: 'first', provider: 'shopify' });
    expect(used).toMatchObject({
      status: 200,
      body: {
        decision_id: decisionId,
        flow: 'handoff',
        merchant_id: SHOP,
        order_id: 'first',
        provider: 'shopify',
        amount: inr(91_800),
        used_at: '2026-11-30T09:30:00.000Z',
        payment: {
          payment_id: decisionId.replace('arbdec_', 'pay_'),
          kind: 'link',
          state: 'issuing',
          url: null,
          expires_at: '2026-11-30T10:00:00.000Z',
        },
        refund: null,
      },
    });
  });

  it('a second use is refused under the decision’s own id, and told so even when it would also have expired', async () => {
    const own = await openShop(service);
    const decisionId = await allowed(own, ALLOWED_HANDOFF);
    expect((await consume(own, decisionId, { cart })).status).toBe(200);
    const refusal = {
      status: 403,
      body: {
        type: expect.stringContaining('arbiter_refused'),
        code: 'arbiter_refused',
        failing_rule: 'allow_use',
        reason: 'allow_already_used',
        decision_id: decisionId,
        action: 'The commerce arbiter refused: allow_use (allow_already_used).',
        required_config: 'allow.decision_id',
        reason_page: expect.stringContaining('/docs/reasons/allow_use/allow_already_used'),
      },
    };
    expect(await consume(own, decisionId, { cart })).toMatchObject(refusal);
    await moveClock(own, FROZEN_AT_MS + 600_001);
    expect(await consume(own, decisionId, { cart: cartOf(KETTLE, 1) })).toMatchObject(refusal);
    const kinds = await entriesOf(own, ['allow.used', 'allow.use_refused']);
    expect(kinds.map(({ type }) => type)).toEqual([
      'allow.used',
      'allow.use_refused',
      'allow.use_refused',
    ]);
    expect(await differencesOf(own)).toEqual([]);
  });

  it.each([
    [600_000, 200, undefined],
    [600_001, 403, 'allow_expired'],
  ])('%i ms after the decision: %i', async (afterMs, status, reason) => {
    const own = await openShop(service);
    const decisionId = await allowed(own, ALLOWED_HANDOFF);
    await moveClock(own, FROZEN_AT_MS + afterMs);
    const used = await consume(own, decisionId, { cart });
    expect([used.status, used.body.reason]).toEqual([status, reason]);
    if (reason !== undefined) expect(used.body.decision_id).toBe(decisionId);
  });

  it.each<[string, object]>([
    ['one paisa more shipping', { ...cart, shipping: inr(1), total: inr(91_801) }],
    [
      'one paisa moved from price to tax',
      {
        ...cart,
        lines: [
          {
            product_id: CHAI.productId,
            variant_id: CHAI.variantId,
            quantity: 1,
            unit_price: inr(91_799),
          },
        ],
        tax: inr(1),
        total: inr(91_800),
      },
    ],
    ['one piece less', cartOf(PRODUCTS[0], 1)],
    ['a fulfilment choice', { ...cart, fulfilment_choice: 'home' }],
  ])('another cart (%s) is refused, and the allow can still be used', async (_name, other) => {
    const decisionId = await allowed(shop, ALLOWED_HANDOFF);
    const used = await consume(shop, decisionId, { cart: other });
    expect([used.status, used.body.failing_rule, used.body.reason, used.body.decision_id]).toEqual([
      403,
      'allow_use',
      'allow_cart_mismatch',
      decisionId,
    ]);
    expect((await consume(shop, decisionId, { cart })).status).toBe(200);
  });

  it('names the buyer of the decision again without being told', async () => {
    const decisionId = await allowed(shop, { ...ALLOWED_HANDOFF, buyer_reference: 'somebody' });
    expect((await consume(shop, decisionId, { cart })).status).toBe(200);
  });

  it('a repeat under its key has the first outcome, used or refused', async () => {
    const decisionId = await allowed(shop, ALLOWED_HANDOFF);
    const order = { cart, order_id: fresh('order') };
    const first = await consume(shop, decisionId, order, { idempotencyKey: 'again' });
    const before = await shop.entryCount();
    expect(await consume(shop, decisionId, order, { idempotencyKey: 'again' })).toEqual(first);
    const refused = await consume(shop, decisionId, order, { idempotencyKey: 'no' });
    const again = await consume(shop, decisionId, order, { idempotencyKey: 'no' });
    const { request_id: requestId } = again.body as { request_id: string };
    expect(again.body).toEqual({ ...refused.body, request_id: requestId });
    expect(await shop.entryCount()).toBe(before + 1);
  });

  it.each([2, 100])('%i uses at once, by two services: one wins', async (count) => {
    const decisionId = await allowed(shop, ALLOWED_HANDOFF);
    const elsewhere: Shop = { ...shop, call: callOn(second) };
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        consume(index % 2 === 0 ? shop : elsewhere, decisionId, { cart }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const reasons = answers.flatMap(({ status, body }) =>
      status === 200 ? [] : [String(body.reason)],
    );
    expect(new Set(reasons)).toEqual(new Set(['allow_already_used']));
    const entries = await entriesOf(shop, ['allow.used', 'allow.use_refused', 'payment.started']);
    const mine = entries.filter(({ data }) => JSON.stringify(data).includes(decisionId));
    expect(mine.filter(({ type }) => type === 'allow.used')).toHaveLength(1);
    expect(mine.filter(({ type }) => type === 'payment.started')).toHaveLength(1);
    expect(mine.filter(({ type }) => type === 'allow.use_refused')).toHaveLength(count - 1);
  });

  it('one order is paid once: 409 while another payment of it can be paid, and nothing is used up', async () => {
    const own = await openShop(service);
    const [one, two] = [await allowed(own, ALLOWED_HANDOFF), await allowed(own, ALLOWED_HANDOFF)];
    expect((await consume(own, one, { cart, order_id: 'o' })).status).toBe(200);
    const conflict = await consume(own, two, { cart, order_id: 'o' });
    expect([conflict.status, conflict.body.field]).toEqual([409, '/order_id']);
    expect((await consume(own, two, { cart, order_id: 'p' })).status).toBe(200);
  });

  it('404 for what is not there, 400 for a body of the other kind, 403 for an agent', async () => {
    const decisionId = await allowed(shop, ALLOWED_HANDOFF);
    expect((await consume(shop, 'arbdec_000000000000', { cart })).status).toBe(404);
    expect((await consume(shop, 'nothing', { cart })).status).toBe(400);
    const cartless = await consume(shop, decisionId, {});
    expect([cartless.status, cartless.body.field]).toEqual([400, '/cart']);
    const mixed = await consume(shop, decisionId, { cart, amount: inr(1) });
    expect([mixed.status, mixed.body.field]).toEqual([400, '/amount']);
    const sum = await consume(shop, decisionId, { cart: { ...cart, total: inr(1) } });
    expect([sum.status, sum.body.field]).toEqual([400, '/cart/total/amount']);
    expect((await consume(shop, decisionId, { cart }, { as: 'agent' })).status).toBe(403);
    const keyless = await consume(shop, decisionId, { cart }, { idempotencyKey: undefined });
    expect([keyless.status, keyless.body.code]).toEqual([400, 'idempotency_key_required']);
    const elsewhere = await openShop(service);
    expect((await consume(elsewhere, decisionId, { cart })).status).toBe(404);
  });

  it('what was refused or only judged is answered with the refusal it was, and writes nothing', async () => {
    const refused = await shop.ask({ ...ALLOWED_HANDOFF, cart: cartOf(PRODUCTS[3], 1) });
    expect(refused.body.outcome).toBe('refuse');
    const dry = await shop.ask(ALLOWED_PURCHASE);
    expect(dry.body.dry_run).toBe(true);
    const before = await shop.entryCount();
    for (const [{ body }, rule, reason] of [
      [refused, refused.body.failing_rule, refused.body.reason],
      [dry, 'agent_executed_payment', 'agent_executed_payment_disabled'],
    ] as const) {
      const used = await consume(shop, body.decision_id, { cart });
      expect(used).toMatchObject({
        status: 403,
        body: { failing_rule: rule, reason, decision_id: body.decision_id },
      });
    }
    expect(await shop.entryCount()).toBe(before);
  });

  it('a refund: its order and amount, once', async () => {
    const own = await openShop(service);
    const order = { merchant_id: SHOP, order_id: 'back', amount: inr(1000) };
    const as = { as: 'merchant_system' } as const;
    await own.call('POST', '/v1/captures', {
      ...as,
      idempotencyKey: 'c',
      body: { capture_id: 'c', ...order },
    });
    const refund = { flow: 'refund', ...order, amount: inr(400) };
    const asked = await own.ask(refund, { ...as, idempotencyKey: 'r' });
    const id = String(asked.body.decision_id);
    const use = (body: Parameters<typeof consume>[2]) => consume(own, id, body);
    expect((await use({ order_id: 'other' })).body.reason).toBe('allow_cart_mismatch');
    expect((await use({ order_id: 'back', amount: inr(401) })).body.reason).toBe(
      'allow_cart_mismatch',
    );
    expect((await use({ order_id: 'back', cart })).body.field).toBe('/cart');
    expect((await use({ order_id: 'back', payment_id: 'pay_000000000000' })).body.field).toBe(
      '/payment_id',
    );
    expect(await use({ order_id: 'back', amount: inr(400) })).toMatchObject({
      status: 200,
      body: {
        flow: 'refund',
        payment: null,
        refund: { refund_id: id.replace('arbdec_', 'rfd_'), state: 'submitted', payment_id: null },
      },
    });
    expect((await use({ order_id: 'back' })).body.reason).toBe('allow_already_used');
    expect(await differencesOf(own)).toEqual([]);
  });

  it('an agent payment is a charge; with the switch turned off meanwhile it is refused', async () => {
    const charging = await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' });
    const own = await openShop(charging);
    await switchAgentPayment(own, true);
    const decisionId = await allowed(own, ALLOWED_PURCHASE);
    await switchAgentPayment(own, false);
    expect(await consume(own, decisionId, { cart })).toMatchObject({
      status: 403,
      body: {
        failing_rule: 'agent_executed_payment',
        reason: 'agent_executed_payment_disabled',
        decision_id: decisionId,
      },
    });
    await switchAgentPayment(own, true);
    expect((await consume(own, decisionId, { cart })).body).toMatchObject({
      flow: 'agent_payment',
      payment: { kind: 'charge', expires_at: null },
    });
    expect(await differencesOf(own)).toEqual([]);
  });
});

it('the migration finds the allows that were given before there was a table of them', async () => {
  const own = await openShop(service);
  await allowed(own, ALLOWED_HANDOFF);
  await own.ask(ALLOWED_PURCHASE);
  await own.ask({ ...ALLOWED_HANDOFF, cart: cartOf(PRODUCTS[3], 1) });
  const order = { merchant_id: SHOP, order_id: 'o', amount: inr(5) };
  const as = { as: 'merchant_system' } as const;
  const body = { capture_id: 'c', ...order };
  await own.call('POST', '/v1/captures', { ...as, idempotencyKey: 'c', body });
  await own.ask({ flow: 'refund', ...order }, { ...as, idempotencyKey: 'r' });
  const migration = readFileSync('migrations/0054_allows.sql', 'utf8');
  const [, columns = '', select = ''] =
    /INSERT INTO allows \(([^)]*)\)\s+(SELECT[^;]*);/.exec(migration) ?? [];
  const { rows } = await testDatabase().pool.query<{ side: string; count: string }>(
    `WITH found (${columns}) AS (${select}),
      mine AS (SELECT * FROM found WHERE tenant_id = $1),
      kept AS (SELECT ${columns} FROM allows WHERE tenant_id = $1)
      SELECT 'kept' AS side, count(*) FROM kept
      UNION ALL SELECT 'differ', count(*)
        FROM ((SELECT * FROM mine EXCEPT SELECT * FROM kept) UNION (SELECT * FROM kept EXCEPT SELECT * FROM mine)) AS d`,
    [own.tenantId],
  );
  expect(rows).toEqual([
    { side: 'kept', count: '2' },
    { side: 'differ', count: '0' },
  ]);
});

describe('the database alone', () => {
  const insert = (row: Readonly<Record<string, unknown>>) =>
    testDatabase().pool.query(
      `INSERT INTO allow_uses (tenant_id, decision_id, reference, provider, order_id, expires_at_ms, used_at_ms, entry_seq, tx_id)
        SELECT tenant_id, decision_id, reference, provider, order_id, expires_at_ms, $2, entry_seq, tx_id
          FROM allow_uses WHERE tenant_id = $1 LIMIT 1`,
      [shop.tenantId, row['usedAtMs']],
    );

  it('refuses a second use of one allow', async () => {
    await expect(insert({ usedAtMs: FROZEN_AT_MS })).rejects.toThrow('allow_used_once');
  });

  it('refuses a late use', async () => {
    await expect(insert({ usedAtMs: FROZEN_AT_MS + 600_001 })).rejects.toThrow(
      'allow_used_in_time',
    );
  });
});

function callOn(other: TestService): Shop['call'] {
  return async (method, path, options = {}) => {
    const response = await fetch(`${other.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${shop.apiKeys[options.as ?? 'agent']}`,
        'content-type': 'application/json',
        'idempotency-key': options.idempotencyKey ?? fresh('key'),
      },
      body: JSON.stringify(options.body),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
}
