import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { CHANGE_ROWS_MAX } from '../../src/trust/facts/index.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { holdingStock } from '../support/stock.js';
import { testHouse, valueOf } from '../support/tenants.js';

let shop: Shop;
let names = 0;
const fresh = (what: string): string => `${what}-${(names += 1)}`;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

/** A table as a file would be sent. */
async function send(
  kind: string,
  table: string | Buffer,
  { query = `merchant_id=${SHOP}&currency=INR`, type = 'text/csv' } = {},
): Promise<Answer> {
  const response = await fetch(`${shop.service.baseUrl}/v1/catalog/imports/${kind}?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.apiKeys.merchant_system}`, 'content-type': type },
    body: typeof table === 'string' ? table : new Uint8Array(table),
  });
  return { status: response.status, body: await response.json() };
}

const importJson = (body: unknown): Promise<Answer> =>
  shop.call('POST', '/v1/catalog/imports', { as: 'merchant_system', body });

async function rowCounts(): Promise<readonly number[]> {
  const tables = ['catalog_products', 'catalog_variants', 'catalog_prices', 'stock', 'entries'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1)`);
  const { rows } = await testDatabase().pool.query<Record<string, string>>(
    `SELECT ${counts.map((count, index) => `${count} AS c${index}`).join(', ')}`,
    [shop.tenantId],
  );
  return Object.values(rows[0] ?? {}).map(Number);
}

const askFor = (variantId: string, amount: number, quantity = 1): Promise<Answer> => {
  const money = (minor: number) => ({ amount: String(minor), currency: 'INR' });
  return shop.ask({
    ...ALLOWED_HANDOFF,
    cart: {
      currency: 'INR',
      lines: [
        { product_id: variantId, variant_id: variantId, quantity, unit_price: money(amount) },
      ],
      total: money(amount * quantity),
    },
  });
};

describe('a shop that sends two tables', () => {
  it('sells at once, at the price and in the pieces that it sent', async () => {
    const [roses, pot] = [fresh('roses'), fresh('pot')];
    const products = await send(
      'products',
      `id,title,price,image_url\n${roses},Bouquet of "Red" Roses,3500,https://example.com/r.jpg\n${pot},Pot,1500,\n`,
    );
    expect(products).toEqual({
      status: 200,
      body: { merchant_id: SHOP, products: 2, variants: 2, prices: 2, counts: 0, policies: false },
    });
    expect(await send('inventory', `product_id,quantity\n${roses},5\n${pot},0\n`)).toMatchObject({
      status: 200,
      body: { counts: 2 },
    });
    expect((await askFor(roses, 3_500, 5)).body).toMatchObject({ outcome: 'allow' });
    expect((await askFor(roses, 3_499)).body).toMatchObject({ reason: 'price_changed:price' });
    expect((await askFor(roses, 3_500, 6)).body).toMatchObject({
      reason: 'inventory_snapshot_insufficient:inventory',
    });
    expect((await askFor(pot, 1_500)).body).toMatchObject({
      reason: 'inventory_snapshot_insufficient:inventory',
    });
    await send('prices', `id,price\n${roses},4000\n`);
    expect((await askFor(roses, 3_500)).body).toMatchObject({ reason: 'price_changed:price' });
    expect((await askFor(roses, 4_000)).body).toMatchObject({ outcome: 'allow' });
    await send('inventory', `product_id,quantity\n${roses},60\n`);
    expect((await askFor(roses, 4_000, 40)).body.reason ?? null).not.toBe(
      'inventory_snapshot_insufficient:inventory',
    );
  });

  it('a second time it writes nothing', async () => {
    const table = `id,title,price\n${fresh('a')},A,1\n${fresh('b')},B,2\n`;
    await send('products', table);
    const before = await rowCounts();
    expect((await send('products', table)).status).toBe(200);
    expect(await rowCounts()).toEqual(before);
  });
});

describe('a table that does not fit', () => {
  it.each([
    ['products', 'id,title,price\na,A,1\nb,B,1.50\n', 'line 3, column price'],
    ['products', 'id,title,price\na,A,1\na,B,2\n', 'line 3, column id'],
    ['prices', 'id,price\nno-such-variant,1\n', 'line 2, column id'],
    ['inventory', 'product_id,quantity\nno-such-variant,1\n', 'line 2, column product_id'],
    ['variants', 'id,product_id\nv,no-such-product\n', 'line 2, column product_id'],
    ['products', 'id,title\na,A\n', 'line 1, column price'],
  ])('400: %s %j names %s, and nothing is imported', async (kind, table, field) => {
    const before = await rowCounts();
    expect(await send(kind, table)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', field },
    });
    expect(await rowCounts()).toEqual(before);
  });

  it('400 without a currency, 404 of another merchant, 400 of another kind, 415 of another type, 413 of a huge one', async () => {
    const table = `id,title,price\n${fresh('a')},A,1\n`;
    expect(await send('products', table, { query: `merchant_id=${SHOP}` })).toMatchObject({
      status: 400,
      body: { field: '?currency' },
    });
    expect(
      await send('products', table, { query: 'merchant_id=nobody&currency=INR' }),
    ).toMatchObject({
      status: 404,
      body: { field: '/merchant_id' },
    });
    expect((await send('coupons', table)).status).toBe(400);
    expect((await send('products', '{}', { type: 'application/json' })).status).toBe(415);
    expect((await send('products', table, { type: 'text/csv; charset=latin1' })).status).toBe(415);
    expect((await send('products', 'x'.repeat(300_000))).status).toBe(413);
    expect((await send('products', Buffer.from([0x69, 0x64, 0xff, 0x0a]))).status).toBe(400);
    expect((await send('products', 'id,title,price\na\0,A,1')).status).toBe(400);
    const csvToJson = await fetch(`${shop.service.baseUrl}/v1/catalog/imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.apiKeys.merchant_system}`,
        'content-type': 'text/csv',
      },
      body: table,
    });
    expect(csvToJson.status).toBe(415);
  });

  it('409: fewer pieces than are held', async () => {
    const id = fresh('held');
    await send('products', `id,title,price\n${id},A,1\n`);
    await send('inventory', `product_id,quantity\n${id},5\n`);
    valueOf(
      await testHouse().writer.execute(
        holdingStock({ tenantId: shop.tenantId, merchantId: SHOP }, 'pay_1', [
          { variantId: id, quantity: 3 },
        ]),
      ),
    );
    const before = await rowCounts();
    expect(await send('inventory', `product_id,quantity\n${id},2\n`)).toMatchObject({
      status: 409,
      body: { code: 'conflict', field: 'line 2, column quantity' },
    });
    expect(await rowCounts()).toEqual(before);
    expect((await send('inventory', `product_id,quantity\n${id},3\n`)).status).toBe(200);
  });
});

describe('many rows', () => {
  it(`at most ${CHANGE_ROWS_MAX}, an entry for each 500`, async () => {
    const ids = Array.from({ length: CHANGE_ROWS_MAX }, (_, index) => `many-${index}`);
    const rows = ids.map((id) => `${id},Tea of the garden,${100 + id.length}`);
    const [, , , , before = 0] = await rowCounts();
    expect((await send('products', `id,title,price\n${rows.join('\n')}`)).status).toBe(200);
    const [, , , , after = 0] = await rowCounts();
    expect(after - before).toBe(CHANGE_ROWS_MAX / 500);
    const counts = ids.map((id) => `${id},3`);
    expect((await send('inventory', `product_id,quantity\n${counts.join('\n')}`)).status).toBe(200);
    const tooMany = await send('products', `id,title,price\n${rows.join('\n')}\nx,X,1`);
    expect(tooMany).toMatchObject({ status: 400, body: { field: `line ${CHANGE_ROWS_MAX + 2}` } });
  });
});

it('JSON: all or nothing, a row may rest on another of the same request', async () => {
  const id = fresh('json');
  const body = {
    merchant_id: SHOP,
    products: [{ product_id: id, title: 'Tea' }],
    variants: [{ variant_id: id, product_id: id }],
    prices: [{ variant_id: id, price: { amount: '70', currency: 'INR' } }],
    counts: [{ variant_id: id, on_hand: 2 }],
  };
  expect(await importJson(body)).toMatchObject({ status: 200, body: { counts: 1, prices: 1 } });
  const before = await rowCounts();
  const other = { ...body, variants: [{ variant_id: fresh('v'), product_id: 'nothing' }] };
  expect(await importJson(other)).toMatchObject({
    status: 400,
    body: { field: '/variants/0/product_id' },
  });
  expect(await importJson({ ...body, prices: [...body.prices, ...body.prices] })).toMatchObject({
    status: 400,
    body: { field: '/prices/1/variant_id' },
  });
  expect(await rowCounts()).toEqual(before);
});

it('any import is answered, never with a 500, and imports all or nothing', async () => {
  const cell = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('tea', 'cup', 'pot', '1', '250', '0', '') },
    { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constantFrom('"', 'a"b', '"x,y"', '\ud800', '\u202e', '-1', '1.5') },
  );
  const header = fc.constantFrom(
    ...['id,title,price', 'id,title,price,image_url', 'id,price', 'id,product_id'],
    ...['product_id,quantity', 'variant_id,quantity', 'id,title', 'nothing'],
  );
  const table = fc
    .tuple(header, fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 4 }))
    .map(([names_, rows]) => [names_, ...rows.map((row) => row.join(','))].join('\n'));
  const kind = fc.constantFrom('products', 'variants', 'prices', 'inventory');
  await fc.assert(
    fc.asyncProperty(kind, table, async (name, text) => {
      const before = await rowCounts();
      const { status } = await send(name, text);
      expect([200, 400, 409]).toContain(status);
      if (status !== 200) expect(await rowCounts()).toEqual(before);
    }),
    { numRuns: 60 },
  );
});
