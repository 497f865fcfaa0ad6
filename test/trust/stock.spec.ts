import { beforeAll, describe, expect, it } from 'vitest';
import { decidePurchase } from '../../src/core/rules/index.js';
import { PRODUCTS, SHOP, STALL } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, cartOf } from '../../src/demo/purchases.js';
import { decisionRecorded } from '../../src/money/arbiter/index.js';
import { type Answer, openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { holdingStock } from '../support/stock.js';
import { testHouse, valueOf } from '../support/tenants.js';

const [CHAI, KETTLE] = PRODUCTS;
const VARIANT = CHAI.variantId;

let shop: Shop;
let names = 0;
const fresh = (what: string): string => `${what}-${(names += 1)}`;
beforeAll(async () => {
  shop = await openShop(await startTestService());
});

const pathOf = (variantId: string): string => `/v1/stock/${encodeURIComponent(variantId)}`;
const set = (variantId: string, onHand: unknown, options: Parameters<Shop['call']>[2] = {}) =>
  shop.call('PUT', pathOf(variantId), {
    as: 'merchant_system',
    body: { merchant_id: SHOP, on_hand: onHand },
    ...options,
  });
const read = (variantId: string, options: Parameters<Shop['call']>[2] = {}): Promise<Answer> =>
  shop.call('GET', `${pathOf(variantId)}?merchant_id=${SHOP}`, {
    as: 'merchant_system',
    ...options,
  });

async function keyOf(grant: object): Promise<string> {
  const body = { name: 'k', ...grant };
  const made = await shop.call('POST', '/v1/api-keys', { as: 'tenant_admin', body });
  expect(made.status).toBe(201);
  return String(made.body.api_key);
}

const hold = (variantId: string, quantity: number) =>
  testHouse().writer.execute(
    holdingStock({ tenantId: shop.tenantId, merchantId: SHOP }, 'pay_1', [{ variantId, quantity }]),
  );

describe('PUT /v1/stock/{variant_id}', () => {
  it('200: sets, sets again, is read back', async () => {
    const variantId = fresh('tea/green:50g');
    expect(await read(variantId)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const first = await set(variantId, 3);
    expect(first).toEqual({
      status: 200,
      body: { merchant_id: SHOP, variant_id: variantId, on_hand: 3, held: 0, available: 3 },
    });
    for (const onHand of [0, 1_000_000_000])
      expect((await set(variantId, onHand)).body).toMatchObject({ on_hand: onHand });
    expect((await read(variantId)).body).toMatchObject({ on_hand: 1_000_000_000, held: 0 });
  });

  it('the number that is so already writes nothing; a repeat under one key answers the same', async () => {
    const variantId = fresh('same');
    const idempotencyKey = fresh('key');
    const first = await set(variantId, 7, { idempotencyKey });
    const count = await shop.entryCount();
    expect(await set(variantId, 7, { idempotencyKey })).toEqual(first);
    expect(await set(variantId, 7)).toEqual(first);
    expect(await shop.entryCount()).toBe(count);
    expect(await set(variantId, 8, { idempotencyKey })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
  });

  it('409: fewer than are held, naming how many and what to do; as many as are held is taken', async () => {
    const variantId = fresh('held');
    await set(variantId, 5);
    valueOf(await hold(variantId, 3));
    const below = await set(variantId, 2);
    expect(below).toMatchObject({ status: 409, body: { code: 'conflict', field: '/on_hand' } });
    expect(below.body.detail).toContain('3 pieces');
    expect(below.body.fix).toContain('3 or more');
    expect((await read(variantId)).body).toMatchObject({ on_hand: 5, held: 3, available: 2 });
    expect((await set(variantId, 3)).body).toMatchObject({ on_hand: 3, held: 3, available: 0 });
  });

  it.each([-1, 1.5, 1_000_000_001, 2 ** 53, '5', null, true, [[]], {}])(
    '400: an on_hand of %j',
    async (onHand) => {
      expect(await set(fresh('bad'), onHand)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', field: '/on_hand' },
      });
    },
  );

  it('400: a body of another form, a variant id that nobody may choose', async () => {
    const variantId = fresh('form');
    const put = (body: unknown) =>
      shop.call('PUT', pathOf(variantId), { as: 'merchant_system', body });
    for (const body of [
      {},
      { merchant_id: SHOP },
      { on_hand: 1 },
      { merchant_id: SHOP, on_hand: 1, held: 0 },
      { merchant_id: 'a b', on_hand: 1 },
      { merchant_id: '\u0000', on_hand: 1 },
      [],
      'x',
    ])
      expect((await put(body)).status).toBe(400);
    for (const path of ['%00', '%20x', '-x', '..%2Fetc', 'a%0Ab', '%F0%9F%92%A5', 'a'.repeat(129)])
      for (const method of ['PUT', 'GET']) {
        const body = method === 'PUT' ? { merchant_id: SHOP, on_hand: 1 } : undefined;
        const answer = await shop.call(method, `/v1/stock/${path}?merchant_id=${SHOP}`, {
          as: 'merchant_system',
          ...(body === undefined ? {} : { body }),
        });
        expect([path, method, answer.status]).toEqual([path, method, 400]);
      }
    expect((await read(variantId)).status).toBe(404);
    const longest = 'a'.repeat(128);
    expect((await set(longest, 1)).body).toMatchObject({ variant_id: longest });
  });

  it('404: no such merchant, and alike one that the key is not bound to', async () => {
    const apiKey = await keyOf({ role: 'merchant_system', merchant_ids: [STALL] });
    const variantId = fresh('bound');
    await set(variantId, 1);
    for (const [merchant, options] of [
      ['nobody', {}],
      [SHOP, { apiKey }],
    ] as const) {
      const body = { merchant_id: merchant, on_hand: 4 };
      expect(await set(variantId, 4, { ...options, body })).toMatchObject({
        status: 404,
        body: { field: '/merchant_id' },
      });
      const list = `/v1/stock?merchant_id=${merchant}`;
      for (const path of [list, `${pathOf(variantId)}?merchant_id=${merchant}`])
        expect((await shop.call('GET', path, { as: 'merchant_system', ...options })).status).toBe(
          404,
        );
    }
    expect((await read(variantId)).body).toMatchObject({ on_hand: 1 });
  });
});

describe('roles', () => {
  const roles = {
    tenant_admin: [200, 200],
    operator: [200, 200],
    merchant_system: [200, 200],
    auditor: [403, 200],
    psp: [403, 403],
  } as const;

  it.each(Object.entries(roles))('%s', async (role, [writes, reads]) => {
    const apiKey = await keyOf({ role });
    const variantId = fresh('role');
    await set(variantId, 1);
    expect((await set(variantId, 2, { apiKey })).status).toBe(writes);
    expect((await read(variantId, { apiKey })).status).toBe(reads);
    const list = await shop.call('GET', `/v1/stock?merchant_id=${SHOP}`, { apiKey });
    expect(list.status).toBe(reads);
  });

  it('an agent neither sets nor sees it', async () => {
    expect((await set(fresh('agent'), 2, { as: 'agent' })).status).toBe(403);
    expect((await read(VARIANT, { as: 'agent' })).status).toBe(403);
  });

  it('a key narrowed to another topic may not, one narrowed to stock may', async () => {
    const variantId = fresh('scope');
    const trust = await keyOf({ role: 'merchant_system', scopes: ['trust'] });
    expect((await set(variantId, 2, { apiKey: trust })).status).toBe(403);
    const own = await keyOf({ role: 'merchant_system', scopes: ['stock'] });
    expect((await set(variantId, 2, { apiKey: own })).status).toBe(200);
  });
});

describe('GET /v1/stock', () => {
  it('pages through a merchant’s variants by id, and shows no other merchant’s', async () => {
    const ids = ['p/1', 'p/2', 'p/3', 'p/4', 'p/5'];
    for (const variantId of ids)
      await set(variantId, 1, { body: { merchant_id: STALL, on_hand: 1 } });
    await set('p/other', 1);
    const found: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages += 1) {
      if (pages > 5) expect.fail('the list ends');
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Answer = await shop.call('GET', `/v1/stock?merchant_id=${STALL}&limit=2${from}`, {
        as: 'auditor',
      });
      expect(page.status).toBe(200);
      const items = page.body.items as readonly { variant_id: string }[];
      found.push(...items.map(({ variant_id }) => variant_id));
      cursor = page.body.next_cursor as string | null;
    }
    expect(found).toEqual(ids);
  });

  it.each([
    '',
    '?merchant_id=',
    '?merchant_id=%00',
    `?merchant_id=${SHOP}&cursor=%00`,
    `?merchant_id=${SHOP}&cursor=%20x`,
    `?merchant_id=${SHOP}&limit=0`,
    `?merchant_id=${SHOP}&limit=201`,
    `?merchant_id=${SHOP}&more=1`,
    `?merchant_id=${SHOP}&merchant_id=${STALL}`,
  ])('400: %s', async (query) => {
    expect((await shop.call('GET', `/v1/stock${query}`, { as: 'auditor' })).status).toBe(400);
  });
});

describe('a decision', () => {
  const short = 'inventory_snapshot_insufficient:inventory';
  const simulate = (body: object) =>
    shop.call('POST', '/v1/simulate', {
      as: 'auditor',
      body: { ...body, agent_id: shop.agentId },
    });
  const cell = (available: number) => [{ variant_id: VARIANT, quantity_available: available }];

  it('is judged by the signed count alone while no stock is kept', async () => {
    const { body } = await simulate(ALLOWED_HANDOFF);
    expect(body).toMatchObject({ outcome: 'allow', judged: { counters: { stock: [] } } });
  });

  it('sees the lower of both: allowed when equal, refused when one piece is missing', async () => {
    await set(VARIANT, 2);
    expect((await shop.ask(ALLOWED_HANDOFF)).body).toMatchObject({ outcome: 'allow' });
    const seen = await simulate(ALLOWED_HANDOFF);
    expect(seen.body).toMatchObject({ outcome: 'allow', judged: { counters: { stock: cell(2) } } });

    valueOf(await hold(VARIANT, 1));
    for (const [body, rule] of [
      [ALLOWED_HANDOFF, 'handoff_facts_valid'],
      [ALLOWED_PURCHASE, 'facts_valid'],
    ] as const) {
      const refused = await shop.ask(body);
      expect(refused.body).toMatchObject({ failing_rule: rule, reason: short });
      const path = `/v1/decisions/${refused.body.decision_id}`;
      const { body: explained } = await shop.call('GET', path, { as: 'auditor' });
      expect(explained.judged.counters.stock).toEqual(cell(1));
      const lines = explained.trace as readonly { rule: string; observations: unknown[] }[];
      const line = lines.find((one) => one.rule === rule);
      expect(line?.observations).toContainEqual({
        kind: 'count',
        name: 'line.stock',
        observed: 2,
        limit: 1,
      });
      expect((await simulate(body)).body).toMatchObject({ outcome: 'refuse', reason: short });
    }
    const [line] = cartOf(CHAI, 1)['lines'] as [object];
    const split = { ...cartOf(CHAI, 2), lines: [line, line] };
    const twoLines = await shop.ask({ ...ALLOWED_HANDOFF, cart: split });
    expect(twoLines.body).toMatchObject({ reason: short });
    const one = { ...ALLOWED_HANDOFF, cart: cartOf(CHAI, 1) };
    expect((await shop.ask(one)).body).toMatchObject({ outcome: 'allow' });
    await set(VARIANT, 1_000);
    const beyond = await shop.ask({ ...ALLOWED_HANDOFF, cart: cartOf(CHAI, 101) });
    expect(beyond.body).toMatchObject({ reason: short });
  });

  it('does not see the stock of another merchant or variant', async () => {
    await set(VARIANT, 1_000);
    await set(VARIANT, 0, { body: { merchant_id: STALL, on_hand: 0 } });
    await set(KETTLE.variantId, 0);
    expect((await shop.ask(ALLOWED_HANDOFF)).body).toMatchObject({ outcome: 'allow' });
  });

  it('judged again from its entry comes out the same, from before stock was kept too', async () => {
    const { rows } = await testDatabase().pool.query<{ body: string }>(
      `SELECT body FROM entries WHERE tenant_id = $1 AND type = 'decision.recorded' ORDER BY seq`,
      [shop.tenantId],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { body } of rows) {
      const entry = JSON.parse(body) as { at: string; data: { judged: { counters: object } } };
      const { judged, decision } = decisionRecorded.data.decode(entry.data, 'data');
      if (judged.kind !== 'purchase') continue;
      const again = decidePurchase({ ...judged, atMs: Date.parse(entry.at) });
      expect(again).toEqual(decision);
      delete (entry.data.judged.counters as { stock?: unknown }).stock;
      const before = decisionRecorded.data.decode(entry.data, 'data');
      expect(before.judged).toMatchObject({ counters: { stock: [] } });
    }
  });
});
