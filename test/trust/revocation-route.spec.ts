import { beforeAll, expect, it } from 'vitest';
import { PRODUCTS, SHOP } from '../../src/demo/demo-world.js';
import { answered } from '../arbiter/money-books.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';

/** What POST /v1/revocations takes as a name, and from whom. */

const [CHAI] = PRODUCTS;
const PRICE = { artifact_type: 'price', merchant_id: SHOP, variant_id: CHAI.variantId };

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const asked = (target: object, as: 'tenant_admin' | 'merchant_system' = 'tenant_admin') =>
  shop.call('POST', '/v1/revocations', { as, body: { ...target, reason_code: 'other' } });

it.each([
  ['nothing named', {}],
  ['two names', { subject_id: 'x', artifact_type: 'price', merchant_id: SHOP }],
  ['half a slot', { uri: 'https://lists.example/1' }],
  ['half a fact', { artifact_type: 'price' }],
  ['a kind of a slot', { uri: 'https://lists.example/1', idx: 1, subject_kind: 'mandate' }],
])('not %s', async (_what, target) => {
  expect(await asked(target)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', field: '/subject_id' },
  });
});

it('no place that nobody reserved', async () => {
  const made = await shop.call('POST', '/v1/status-slots', {
    as: 'tenant_admin',
    body: { count: 1 },
  });
  const [{ uri }] = answered<{ slots: [{ uri: string }] }>(made, 201).slots;
  for (const idx of [131_072, 2 ** 31 - 1])
    expect(await asked({ uri, idx })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const later = uri.replace(/[0-9]+$/, '999999');
  expect((await asked({ uri: later, idx: 0 })).status).toBe(404);
});

it('no list of somebody else', async () => {
  expect(await asked({ uri: 'https://lists.example/status/1', idx: 1 })).toMatchObject({
    status: 409,
    body: { code: 'conflict', field: '/uri' },
  });
});

it('of a key bound to a merchant only what is wholly its own', async () => {
  const other = await asked({ ...PRICE, merchant_id: 'somebody' }, 'merchant_system');
  expect(other.status).toBe(404);
  expect((await asked(PRICE, 'merchant_system')).status).toBe(200);
});
