import { beforeAll, describe, expect, it } from 'vitest';
import { SHOP, STALL } from '../../src/demo/demo-world.js';
import {
  type Answer,
  type CallOptions,
  openShop,
  type Shop,
  startTestService,
} from '../arbiter/shop.js';

let shop: Shop;
let names = 0;
const fresh = (what: string): string => `${what}-${(names += 1)}`;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const asMerchant = { as: 'merchant_system' } as const;
const put = (path: string, body: object, options: CallOptions = {}): Promise<Answer> =>
  shop.call('PUT', `/v1/catalog/${path}`, {
    ...asMerchant,
    body: { merchant_id: SHOP, ...body },
    ...options,
  });
const get = (path: string, options: CallOptions = {}): Promise<Answer> =>
  shop.call('GET', `/v1/catalog/${path}`, { ...asMerchant, ...options });
const INR = (amount: string) => ({ price: { amount, currency: 'INR' } });

async function keyOf(grant: object): Promise<string> {
  const body = { name: 'k', ...grant };
  const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
  expect(made.status).toBe(201);
  return String(made.body.api_key);
}

/** A product with one variant, under the same id. */
async function product(): Promise<string> {
  const id = fresh('tea');
  expect((await put(`products/${id}`, { title: 'Tea' })).status).toBe(200);
  expect((await put(`variants/${id}`, { product_id: id })).status).toBe(200);
  return id;
}

describe('products, variants, prices', () => {
  it('are set, set again, read and listed', async () => {
    const id = fresh('tea/green');
    const name = encodeURIComponent(id);
    const set = await put(`products/${name}`, {
      title: 'Grüner Tee',
      image_url: 'https://x.example/a.png',
    });
    expect(set).toEqual({
      status: 200,
      body: {
        merchant_id: SHOP,
        product_id: id,
        title: 'Grüner Tee',
        image_url: 'https://x.example/a.png',
        listed: true,
        revision: 0,
      },
    });
    expect(await get(`products/${name}?merchant_id=${SHOP}`)).toEqual(set);
    const hidden = await put(`products/${name}`, { title: 'Grüner Tee', listed: false });
    expect(hidden.body).toMatchObject({ listed: false, image_url: null, revision: 0 });

    const variant = await put(`variants/${name}`, { product_id: id, title: '100 g' });
    expect(variant.body).toEqual({
      merchant_id: SHOP,
      variant_id: id,
      product_id: id,
      title: '100 g',
      revision: 0,
    });
    const price = await put(`prices/${name}`, INR('45900'));
    expect(price.body).toEqual({
      merchant_id: SHOP,
      variant_id: id,
      price: { amount: '45900', currency: 'INR' },
      revision: 0,
    });
    for (const list of ['products', 'variants', 'prices']) {
      const page = await get(`${list}?merchant_id=${SHOP}&limit=200`, { as: 'auditor' });
      const items = page.body.items as readonly Record<string, unknown>[];
      expect(items.some((one) => one['product_id'] === id || one['variant_id'] === id)).toBe(true);
      const other = await get(`${list}?merchant_id=${STALL}`, { as: 'auditor' });
      expect(other.body).toEqual({ items: [], next_cursor: null });
    }
  });

  it('what is so already writes nothing; another price is another revision', async () => {
    const id = await product();
    await put(`prices/${id}`, INR('100'));
    const count = await shop.entryCount();
    expect((await put(`prices/${id}`, INR('100'))).body.revision).toBe(0);
    await put(`products/${id}`, { title: 'Tea' });
    await put(`variants/${id}`, { product_id: id });
    expect(await shop.entryCount()).toBe(count);
    expect((await put(`prices/${id}`, INR('101'))).body.revision).toBe(1);
    expect((await put(`prices/${id}`, INR('100'))).body.revision).toBe(2);
    const usd = { price: { amount: '100', currency: 'USD' } };
    expect((await put(`prices/${id}`, usd)).body.revision).toBe(3);
    expect((await put(`products/${id}`, { title: 'Better tea' })).body.revision).toBe(0);
  });

  it('a repeat under one key answers the same; another body under it is a conflict', async () => {
    const id = await product();
    const idempotencyKey = fresh('key');
    const first = await put(`prices/${id}`, INR('5'), { idempotencyKey });
    const count = await shop.entryCount();
    expect(await put(`prices/${id}`, INR('5'), { idempotencyKey })).toEqual(first);
    expect(await shop.entryCount()).toBe(count);
    expect(await put(`prices/${id}`, INR('6'), { idempotencyKey })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
  });

  it('rows rest on one another: a variant on its product, for good, a price on its variant', async () => {
    const id = await product();
    const other = await product();
    expect(await put(`variants/${fresh('v')}`, { product_id: 'nothing' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', field: '/variants/0/product_id' },
    });
    expect(await put(`variants/${id}`, { product_id: other })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect(await put(`prices/${fresh('v')}`, INR('1'))).toMatchObject({
      status: 400,
      body: { field: '/prices/0/variant_id' },
    });
  });

  it.each([
    ['products', { title: '' }, '/title'],
    ['products', { title: 'a\nb' }, '/title'],
    ['products', { title: 'x'.repeat(201) }, '/title'],
    ['products', { title: 'x', image_url: 'javascript:alert(1)' }, '/image_url'],
    ['products', { title: 'x', image_url: 'https:// x' }, '/image_url'],
    ['products', { title: 'x', price: 1 }, '/price'],
    ['variants', { product_id: 'a b' }, '/product_id'],
    ['prices', { price: { amount: '-1', currency: 'INR' } }, '/price/amount'],
    ['prices', { price: { amount: '1.5', currency: 'INR' } }, '/price/amount'],
    ['prices', { price: { amount: '9007199254740992', currency: 'INR' } }, '/price/amount'],
    ['prices', { price: { amount: 1, currency: 'INR' } }, '/price/amount'],
    ['prices', { price: { amount: '1', currency: 'ABC' } }, '/price/currency'],
  ])('400: %s %j names %s', async (list, body, field) => {
    expect(await put(`${list}/${fresh('bad')}`, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', field },
    });
  });

  it('the largest price there is', async () => {
    const id = await product();
    const set = await put(`prices/${id}`, INR('9007199254740991'));
    expect(set.body.price.amount).toBe('9007199254740991');
  });
});

describe('policies', () => {
  const policies = {
    returns: '30 days',
    warranty: 'a year',
    fulfillment: 'two days',
    cancellation: 'until dispatch',
    support: 'by mail',
    jurisdictions: ['IN'],
  };

  it('null until they are set; then as they were set', async () => {
    expect((await get(`policies?merchant_id=${STALL}`)).body).toEqual({
      merchant_id: STALL,
      policies: null,
    });
    const set = await put('policies', { ...policies, merchant_id: STALL });
    expect(set).toEqual({ status: 200, body: { merchant_id: STALL, policies } });
    expect(await get(`policies?merchant_id=${STALL}`)).toEqual(set);
    const count = await shop.entryCount();
    await put('policies', { ...policies, merchant_id: STALL });
    expect(await shop.entryCount()).toBe(count);
  });

  it('400 without one of them', async () => {
    const rest = { ...policies, support: undefined };
    expect((await put('policies', rest)).body).toMatchObject({ field: '/support' });
  });
});

describe('who may', () => {
  const roles = {
    tenant_admin: [200, 200],
    operator: [200, 200],
    merchant_system: [200, 200],
    auditor: [403, 200],
    psp: [403, 403],
  } as const;

  it.each(Object.entries(roles))('%s', async (role, [writes, reads]) => {
    const apiKey = await keyOf({ role });
    const id = await product();
    const body = { merchant_id: SHOP, products: [{ product_id: id, title: 'Tea' }] };
    const writing = [
      put(`products/${id}`, { title: 'Tea' }, { apiKey }),
      put(`prices/${id}`, INR('7'), { apiKey }),
      shop.call('POST', '/v1/catalog/imports', { apiKey, body }),
    ];
    expect((await Promise.all(writing)).map(({ status }) => status)).toEqual([
      writes,
      writes,
      writes,
    ]);
    for (const path of ['products', `variants/${id}`, 'prices', 'policies'])
      expect([path, (await get(`${path}?merchant_id=${SHOP}`, { apiKey })).status]).toEqual([
        path,
        reads,
      ]);
  });

  it('404 alike: no such merchant, and one that the key is not bound to', async () => {
    const apiKey = await keyOf({ role: 'merchant_system', merchant_ids: [STALL] });
    const id = await product();
    for (const [merchant, options] of [
      ['nobody', {}],
      [SHOP, { apiKey }],
    ] as const) {
      const body = { merchant_id: merchant, title: 'Tea' };
      expect(await put(`products/${id}`, body, options)).toMatchObject({
        status: 404,
        body: { field: '/merchant_id' },
      });
      for (const path of ['products', `products/${id}`, 'policies'])
        expect((await get(`${path}?merchant_id=${merchant}`, options)).status).toBe(404);
    }
  });

  it('a key narrowed to the catalogue may, one narrowed to stock may not', async () => {
    const id = await product();
    for (const [scopes, status] of [
      [['catalog'], 200],
      [['stock'], 403],
    ] as const) {
      const apiKey = await keyOf({ role: 'merchant_system', scopes });
      expect((await put(`products/${id}`, { title: 'Tea' }, { apiKey })).status).toBe(status);
    }
  });
});
