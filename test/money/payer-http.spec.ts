import { beforeAll, describe, expect, it } from 'vitest';
import { SHOP, STALL } from '../../src/demo/demo-world.js';
import {
  type Answer,
  type CallOptions,
  openShop,
  type Shop,
  startTestService,
} from '../arbiter/shop.js';
import { fresh, inr } from '../arbiter/uses.js';
import { capture, CHARGE, HANDOFF, handOff, type PaymentBody, refund } from './desk.js';
import { ProviderDouble } from './provider-double.js';

interface RefundBody {
  readonly refund_id: string;
  readonly order_id: string;
}

type Role = (typeof ROLES)[number];
const ROLES = ['agent', 'merchant_system', 'operator', 'tenant_admin', 'auditor', 'psp'] as const;

let shop: Shop;
let elsewhere: Shop;
let keys: Readonly<Record<Role, string>>;
/** Bound to the other merchant of the tenant. */
let stallKey: string;
/** A payment and a refund of the merchant's own system. */
let own: PaymentBody;
let back: RefundBody;

beforeAll(async () => {
  const provider = await ProviderDouble.start();
  const service = await startTestService({}, { rails: provider.rails() });
  [shop, elsewhere] = [await openShop(service), await openShop(service)];
  const keyOf = async (grant: object) => {
    const body = { name: 'k', ...grant };
    const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
    return String(made.body.api_key);
  };
  keys = {
    ...shop.apiKeys,
    operator: await keyOf({ role: 'operator' }),
    psp: await keyOf({ role: 'psp' }),
  };
  stallKey = await keyOf({ role: 'merchant_system', merchant_ids: [STALL] });
  own = (await handOff(shop, { provider: 'merchant' })).body.payment;
  const money = { order_id: fresh('order'), amount: inr(1_000) };
  await capture(shop, money, { payment_id: undefined });
  back = (await refund(shop, { ...money, amount: inr(100) })).body.refund;
});

const NEVER_PAYMENT = 'pay_000000000000';
const NEVER_REFUND = 'rfd_000000000000';

interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: () => string;
  readonly body?: () => object;
  /** Who may call it; the others are answered 403. */
  readonly roles: readonly Role[];
  readonly status: number;
}

const EVERYBODY_BUT_AGENTS: readonly Role[] = ROLES.filter((role) => role !== 'agent');

const ROUTES: readonly Route[] = [
  {
    name: 'POST /v1/handoffs',
    method: 'POST',
    path: () => '/v1/handoffs',
    body: () => ({ ...HANDOFF, order_id: fresh('order') }),
    roles: ['agent', 'merchant_system', 'operator', 'tenant_admin'],
    status: 201,
  },
  {
    name: 'POST /v1/charges',
    method: 'POST',
    path: () => '/v1/charges',
    body: () => ({ ...CHARGE, order_id: fresh('order') }),
    roles: ['agent', 'merchant_system', 'operator', 'tenant_admin'],
    // Switched off.
    status: 403,
  },
  {
    name: 'POST /v1/refunds',
    method: 'POST',
    path: () => '/v1/refunds',
    body: () => ({ merchant_id: SHOP, order_id: back.order_id, amount: inr(1) }),
    roles: ['merchant_system', 'operator', 'tenant_admin'],
    status: 201,
  },
  {
    name: 'GET /v1/payments',
    method: 'GET',
    path: () => '/v1/payments',
    roles: ['merchant_system', 'operator', 'tenant_admin', 'auditor'],
    status: 200,
  },
  {
    name: 'GET /v1/payments/{payment_id}',
    method: 'GET',
    path: () => `/v1/payments/${own.payment_id}`,
    // An agent sees the payments of its own decisions only.
    roles: EVERYBODY_BUT_AGENTS,
    status: 200,
  },
  {
    name: 'POST /v1/payments/{payment_id}/reports',
    method: 'POST',
    path: () => `/v1/payments/${own.payment_id}/reports`,
    body: () => ({ report: 'issued', url: 'https://shop.example/pay' }),
    roles: ['merchant_system', 'psp'],
    status: 200,
  },
  {
    name: 'POST /v1/payments/{payment_id}/cancel',
    method: 'POST',
    path: () => `/v1/payments/${own.payment_id}/cancel`,
    roles: ['merchant_system', 'operator', 'tenant_admin'],
    status: 200,
  },
  {
    name: 'GET /v1/refunds/{refund_id}',
    method: 'GET',
    path: () => `/v1/refunds/${back.refund_id}`,
    roles: EVERYBODY_BUT_AGENTS,
    status: 200,
  },
  {
    name: 'POST /v1/refunds/{refund_id}/reports',
    method: 'POST',
    path: () => `/v1/refunds/${back.refund_id}/reports`,
    body: () => ({ report: 'done' }),
    roles: ['merchant_system', 'psp'],
    status: 200,
  },
];

const call = (at: Shop, { method, path, body }: Route, options: CallOptions): Promise<Answer> =>
  at.call(method, path(), {
    ...(body === undefined ? {} : { body: body() }),
    ...(method === 'POST' ? { idempotencyKey: fresh('key') } : {}),
    ...options,
  });

describe.each(ROUTES)('$name', (route) => {
  it.each(ROLES)('as %s', async (role) => {
    const { status, body } = await call(shop, route, { apiKey: keys[role] });
    if (route.roles.includes(role)) {
      const code = route.status === 403 ? 'arbiter_refused' : '';
      expect([status, body.code ?? '']).toEqual([route.status, code]);
      return;
    }
    // An agent may ask, and what it may not see is not there.
    expect([403, 404]).toContain(status);
    expect(['forbidden', 'not_found']).toContain(body.code);
  });

  it('401 without a key', async () => {
    const answer = await call(shop, route, { apiKey: 'ak_test_nobody' });
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });

  if (route.method === 'POST')
    it('400 without an Idempotency-Key', async () => {
      const apiKey = keys.merchant_system;
      const answer = await call(shop, route, { apiKey, idempotencyKey: undefined });
      expect([answer.status, answer.body.code]).toEqual([400, 'idempotency_key_required']);
    });

  it('a key of another merchant finds nothing', async () => {
    const answer = await call(shop, route, { apiKey: stallKey });
    if (route.path() === '/v1/payments') {
      expect([answer.status, answer.body.items]).toEqual([200, []]);
      return;
    }
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  // Its own merchant has the same name, so these two are its own there.
  if (!['POST /v1/handoffs', 'POST /v1/charges'].includes(route.name))
    it('another tenant finds nothing', async () => {
      const answer = await call(shop, route, { apiKey: elsewhere.apiKeys.merchant_system });
      if (answer.status === 200) expect(answer.body).toEqual({ items: [], next_cursor: null });
      else expect([403, 404]).toContain(answer.status);
    });
});

describe('a body', () => {
  const good = { ...HANDOFF, order_id: 'never' };
  const big = '9'.repeat(18);
  const cartOf = (price: string, total = price) => ({
    currency: 'INR',
    lines: [{ ...lineOf(), quantity: 1, unit_price: { amount: price, currency: 'INR' } }],
    total: { amount: total, currency: 'INR' },
  });
  const lineOf = () => (HANDOFF['cart'] as { lines: readonly object[] }).lines[0];

  it.each<[string, string, object, number, string]>([
    ['no order', '/v1/handoffs', { order_id: undefined }, 400, '/order_id'],
    ['an order that is no name', '/v1/handoffs', { order_id: '../x' }, 400, '/order_id'],
    ['an unknown provider', '/v1/handoffs', { provider: 'stripe' }, 400, '/provider'],
    ['an unknown member', '/v1/handoffs', { force: true }, 400, '/force'],
    ['another flow', '/v1/handoffs', { flow: 'refund' }, 400, '/flow'],
    ['a life of 59 s', '/v1/handoffs', { expires_in_seconds: 59 }, 400, '/expires_in_seconds'],
    ['86401 s', '/v1/handoffs', { expires_in_seconds: 86_401 }, 400, '/expires_in_seconds'],
    ['half seconds', '/v1/handoffs', { expires_in_seconds: 60.5 }, 400, '/expires_in_seconds'],
    ['seconds as text', '/v1/handoffs', { expires_in_seconds: '60' }, 400, '/expires_in_seconds'],
    ['no description', '/v1/handoffs', { description: '' }, 400, '/description'],
    ['a long one', '/v1/handoffs', { description: 'x'.repeat(201) }, 400, '/description'],
    ['a NUL in it', '/v1/handoffs', { description: 'a\u0000b' }, 400, '/description'],
    ['a line break', '/v1/handoffs', { description: 'a\nb' }, 400, '/description'],
    ['turned text', '/v1/handoffs', { description: 'a\u202eb' }, 400, '/description'],
    ['19 digits', '/v1/handoffs', { cart: cartOf('1'.repeat(19)) }, 400, '/cart'],
    ['18 digits', '/v1/handoffs', { cart: cartOf(big) }, 403, ''],
    ['a negative price', '/v1/handoffs', { cart: cartOf('-1') }, 400, '/cart'],
    ['another total', '/v1/handoffs', { cart: cartOf('45900', '45899') }, 400, '/cart'],
    ['a life', '/v1/charges', { expires_in_seconds: 60 }, 400, '/expires_in_seconds'],
    ['nothing', '/v1/refunds', { amount: inr(0) }, 403, ''],
    ['less than nothing', '/v1/refunds', { amount: inr(-1) }, 403, ''],
    ['18 digits', '/v1/refunds', { amount: inr(BigInt(big)) }, 403, ''],
    ['19 digits', '/v1/refunds', { amount: inr(BigInt(`${big}9`)) }, 400, '/amount'],
    ['no currency', '/v1/refunds', { amount: inr(1).amount }, 400, '/amount'],
    ['no payment id', '/v1/refunds', { payment_id: 'pay_x' }, 400, '/payment_id'],
    ['an unknown payment', '/v1/refunds', { payment_id: NEVER_PAYMENT }, 404, '/payment_id'],
  ])('with %s at %s (%j): %i', async (_name, path, change, status, field) => {
    const start =
      path === '/v1/refunds'
        ? { merchant_id: SHOP, order_id: back.order_id, amount: inr(1) }
        : path === '/v1/charges'
          ? { ...CHARGE, order_id: 'never' }
          : good;
    const before = await shop.entryCount();
    const options = { as: 'merchant_system', idempotencyKey: fresh('key') } as const;
    const answer = await shop.call('POST', path, { ...options, body: { ...start, ...change } });
    expect([answer.status, String(answer.body.field ?? '')]).toEqual([
      status,
      expect.stringMatching(new RegExp(`^${field}`)),
    ]);
    if (status !== 403) expect(await shop.entryCount()).toBe(before);
  });

  it.each([60, 86_400])('with a life of %i s: 201', async (seconds) => {
    expect((await handOff(shop, { expires_in_seconds: seconds })).status).toBe(201);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//shop.example',
    '/thanks',
    'http://shop.example/',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https:\\\\shop.example',
    'https:evil.example',
    'https:/evil.example',
    'http:localhost/',
    'https://@shop.example/',
    'https://shop.example/\r\nset-cookie: x',
    ' https://shop.example/',
    'https://shöp.example/',
    `https://shop.example/${'x'.repeat(2_048)}`,
    '',
  ])('with a return_url %j: 400', async (return_url) => {
    const answer = await handOff(shop, { return_url });
    expect([answer.status, answer.body.field]).toEqual([400, '/return_url']);
    const options = { as: 'merchant_system', idempotencyKey: fresh('key') } as const;
    const path = `/v1/payments/${own.payment_id}/reports`;
    const body = { report: 'issued', url: return_url };
    expect((await shop.call('POST', path, { ...options, body })).status).toBe(400);
  });

  it.each([
    'https://shop.example/thanks?order=1',
    'http://localhost:3000/x',
    'HTTPS://SHOP.example',
  ])('with a return_url %j: 201', async (return_url) => {
    expect((await handOff(shop, { return_url })).status).toBe(201);
  });
});

describe('an id in the path', () => {
  const BAD = [
    'pay_',
    'pay_XYZ',
    'PAY_000000000000',
    'pay_0000000000000',
    '%00',
    '%2e%2e',
    'x'.repeat(300),
  ];

  it.each(BAD)('%s: 400 or 404', async (id) => {
    const as = { as: 'merchant_system' } as const;
    for (const path of [`/v1/payments/${id}`, `/v1/refunds/${id}`]) {
      expect([400, 404]).toContain((await shop.call('GET', path, as)).status);
      const told = { ...as, idempotencyKey: fresh('key'), body: { report: 'failed' } };
      expect([400, 404]).toContain((await shop.call('POST', `${path}/reports`, told)).status);
    }
  });

  it('of nothing: 404', async () => {
    const as = { as: 'merchant_system', idempotencyKey: fresh('key') } as const;
    const get = { as: 'merchant_system' } as const;
    expect((await shop.call('GET', `/v1/payments/${NEVER_PAYMENT}`, get)).status).toBe(404);
    expect((await shop.call('GET', `/v1/refunds/${NEVER_REFUND}`, get)).status).toBe(404);
    expect((await shop.call('POST', `/v1/payments/${NEVER_PAYMENT}/cancel`, as)).status).toBe(404);
  });
});

describe('a report', () => {
  const report = (path: string, body: object, apiKey = keys.merchant_system) =>
    shop.call('POST', path, { apiKey, idempotencyKey: fresh('key'), body });

  it.each([
    { report: 'paid' },
    { report: 'failed', detail: 'x'.repeat(501) },
    { report: 'failed', detail: 'a\u202eb' },
    { report: 'failed', provider_ref: 'with space' },
    { report: 'failed', provider_ref: '' },
    { report: 'failed', state: 'open' },
    {},
  ])('%j: 400', async (body) => {
    const path = `/v1/payments/${own.payment_id}/reports`;
    expect((await report(path, body)).status).toBe(400);
  });

  it('late, twice and in any order: 200, and a payment only moves forward', async () => {
    const answer = await handOff(shop, { provider: 'shopify' });
    const { payment_id: paymentId } = answer.body.payment as PaymentBody;
    const path = `/v1/payments/${paymentId}/reports`;
    const states: string[] = [];
    for (const one of ['canceled', 'issued', 'canceled', 'failed', 'lapsed'])
      states.push((await report(path, { report: one })).body.state);
    expect(states).toEqual(['canceled', 'canceled', 'canceled', 'failed', 'failed']);
  });
});

describe('an agent', () => {
  it('sees the payments of its own decisions, and of no others', async () => {
    const mine = (await handOff(shop, {}, { as: 'agent' })).body.payment as PaymentBody;
    const read = (id: string) => shop.call('GET', `/v1/payments/${id}`, { as: 'agent' });
    expect((await read(mine.payment_id)).status).toBe(200);
    expect((await read(own.payment_id)).status).toBe(404);
  });

  it('403: asks for another agent, or takes a discount', async () => {
    const other = await handOff(shop, { agent_id: 'agt_x' }, { as: 'agent' });
    expect([other.status, other.body.code]).toEqual([403, 'forbidden']);
  });
});

describe('GET /v1/payments', () => {
  const search = (query: string) =>
    shop.call('GET', `/v1/payments?${query}`, { as: 'tenant_admin' });

  it('pages through all, newest first, and finds by what is asked', async () => {
    const itemsOf = ({ body }: Answer) => body.items as readonly PaymentBody[];
    const all = itemsOf(await search('limit=200'));
    const ids: string[] = [];
    let query = 'limit=2';
    for (;;) {
      const page = await search(query);
      ids.push(...itemsOf(page).map((item) => item.payment_id));
      if (page.body.next_cursor === null) break;
      query = `limit=2&cursor=${String(page.body.next_cursor)}`;
    }
    expect(ids).toEqual(all.map((item) => item.payment_id));
    const [one] = (await search(`order_id=${own.order_id}`)).body.items;
    expect(one.payment_id).toBe(own.payment_id);
    for (const item of (await search('state=open')).body.items) expect(item.state).toBe('open');
    expect((await search('review=true')).body.items).toEqual([]);
    expect((await search('merchant_id=nobody')).body.items).toEqual([]);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'state=lost', 'review=maybe', 'x=1'])(
    '%s: 400',
    async (query) => {
      expect((await search(query)).status).toBe(400);
    },
  );
});
