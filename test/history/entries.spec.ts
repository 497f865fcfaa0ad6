import { beforeAll, describe, expect, it } from 'vitest';
import { ENTRIES_SCANNED_MAX } from '../../src/base/history/index.js';
import { nodeHash, leafHash } from '../../src/core/chain/index.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  createTestTenant,
  testHouse,
  type TestHouse,
  type TestTenant,
} from '../support/tenants.js';
import { fill, fillLedger, getAs } from './exporting.js';

let service: TestService;
let house: TestHouse;
let shop: Shop;

beforeAll(async () => {
  service = await startTestService();
  house = testHouse();
  shop = await openShop(service);
});

interface Entry {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly body: string;
}

async function entriesOf(tenant: Pick<TestTenant, 'adminApiKey'>, query = '') {
  const { status, text } = await getAs(service, tenant.adminApiKey, `/v1/ledger/entries${query}`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as { items: readonly Entry[]; next_cursor: string | null };
}

/** Every page behind each other; the number of them is told too. */
async function allOf(tenant: Pick<TestTenant, 'adminApiKey'>, query: string) {
  const items: Entry[] = [];
  let cursor = '';
  for (let pages = 1; ; pages += 1) {
    const page = await entriesOf(tenant, `?${query}${cursor}`);
    items.push(...page.items);
    if (page.next_cursor === null) return { items, pages };
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const CART = {
  currency: 'INR',
  lines: [
    {
      product_id: 'masala-chai',
      variant_id: 'masala-chai-250g',
      quantity: 2,
      unit_price: { amount: '45900', currency: 'INR' },
    },
  ],
  total: { amount: '91800', currency: 'INR' },
};
const PURCHASE = { flow: 'handoff', merchant_id: 'chai-house', cart: CART };

describe('GET /v1/ledger/entries', () => {
  it('is for administrators and auditors of the whole tenant', async () => {
    const bound = await shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'a', role: 'auditor', merchant_ids: ['chai-house'] },
    });
    const operator = await shop.call('POST', '/v1/api-keys', {
      as: 'tenant_admin',
      body: { name: 'o', role: 'operator' },
    });
    const keys = [
      [shop.apiKeys.tenant_admin, 200],
      [shop.apiKeys.auditor, 200],
      [bound.body.api_key as string, 403],
      [operator.body.api_key as string, 403],
      [shop.apiKeys.agent, 403],
      [shop.apiKeys.merchant_system, 403],
      [service.platformAdminKey, 403],
    ] as const;
    for (const path of ['/v1/ledger/entries', '/v1/ledger/inclusion?seq=0'])
      for (const [key, status] of keys)
        expect((await getAs(service, key, path)).status).toBe(status);
  });

  it('shows entries as they are stored', async () => {
    const { body } = await shop.call('GET', '/v1/ledger/entries?limit=1&after_seq=2', {
      as: 'auditor',
    });
    const { rows } = await testDatabase().pool.query(
      'SELECT seq::integer, type, kid, prev, mac, link, body FROM entries WHERE tenant_id = $1 AND seq = 3',
      [shop.tenantId],
    );
    const { at, actor, ...stored } = body.items[0];
    expect(stored).toEqual(rows[0]);
    expect(JSON.parse(stored.body)).toMatchObject({ at, actor });
    expect(body.next_cursor).toBe('3');
  });

  it.each(['asc', 'desc'])('gives every entry once, in the order %s', async (order) => {
    const tenant = await createTestTenant(house);
    await fillLedger(house, tenant, 25);
    const { items, pages } = await allOf(tenant, `order=${order}&limit=10`);
    const seqs = Array.from({ length: items.length }, (_none, seq) => seq);
    expect(items.map(({ seq }) => seq)).toEqual(order === 'asc' ? seqs : seqs.reverse());
    expect(pages).toBe(Math.ceil(items.length / 10));
  });

  it('filters by a type and by a room, whose name is no pattern', async () => {
    const { items } = await allOf({ adminApiKey: shop.apiKeys.auditor }, 'limit=200');
    const typesOf = async (type: string) =>
      (await allOf({ adminApiKey: shop.apiKeys.auditor }, `limit=7&type=${type}`)).items;
    for (const type of ['ledger.opened', 'merchant.created', 'api_key.created'])
      expect(await typesOf(type)).toEqual(items.filter((entry) => entry.type === type));
    for (const room of ['api_key', 'merchant', 'issuer_key'])
      expect(await typesOf(`${room}.*`)).toEqual(
        items.filter((entry) => entry.type.startsWith(`${room}.`)),
      );
    expect(await typesOf('api.*')).toEqual([]);
  });

  it('finds the entries of a time by halving, the first instant included and the last not', async () => {
    const tenant = await createTestTenant(house);
    for (let turn = 0; turn < 12; turn += 1) await house.writer.execute(fill(tenant, 3));
    const { items } = await allOf(tenant, 'limit=200');
    const instants = [...new Set(items.map(({ at }) => at))];
    for (const from of [...instants, '1999-01-01T00:00:00Z', '9000-01-01T00:00:00Z'])
      for (const to of [
        instants[0],
        instants.at(-1),
        '2001-01-01T00:00:00Z',
        '9000-01-01T00:00:00Z',
      ]) {
        const found = await allOf(tenant, `limit=200&from=${from}&to=${to ?? ''}`);
        expect(found.items).toEqual(
          items.filter(
            ({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to ?? ''),
          ),
        );
      }
  });

  it('looks at so many entries a page, and goes on although a page is empty', async () => {
    const tenant = await createTestTenant(house);
    await fillLedger(house, tenant, ENTRIES_SCANNED_MAX + 50);
    await house.rooms.ledgerSettings.switchSealing(tenant.context(), true);
    const first = await entriesOf(tenant, '?type=ledger.sealing_switched');
    expect(first).toEqual({ items: [], next_cursor: String(ENTRIES_SCANNED_MAX - 1) });
    const { items, pages } = await allOf(tenant, 'type=ledger.sealing_switched');
    expect([items.length, pages]).toEqual([1, 2]);
    const backwards = await allOf(tenant, 'type=ledger.opened&order=desc');
    expect([backwards.items.length, backwards.pages]).toEqual([1, 2]);
  });

  it('gives a page of long entries in parts', async () => {
    const tenant = await createTestTenant(house);
    for (let turn = 0; turn < 15; turn += 1)
      await house.writer.execute(fill(tenant, 1, 'x'.repeat(200_000)));
    for (const order of ['asc', 'desc']) {
      const { items, pages } = await allOf(tenant, `limit=200&order=${order}&type=history_test.*`);
      expect(items).toHaveLength(15);
      expect(new Set(items.map(({ seq }) => seq)).size).toBe(15);
      expect(pages).toBeGreaterThan(2);
    }
  });

  it('finds a decision and what came of it', async () => {
    const own = await openShop(service);
    const decided = await own.ask(PURCHASE);
    const other = await own.ask(PURCHASE);
    const id = decided.body.decision_id as string;
    expect(decided.body.outcome).toBe('allow');
    const note = { text: 'looked at' };
    await own.call('POST', `/v1/decisions/${id}/notes`, { as: 'tenant_admin', body: note });
    const used = await own.call('POST', `/v1/decisions/${id}/consume`, {
      as: 'merchant_system',
      idempotencyKey: 'use',
      body: { order_id: 'order-1', provider: 'merchant', cart: CART },
    });
    const captured = await own.call('POST', '/v1/captures', {
      as: 'merchant_system',
      idempotencyKey: 'capture',
      body: {
        merchant_id: 'chai-house',
        order_id: 'order-1',
        capture_id: 'cap-1',
        amount: CART.total,
        decision_id: id,
      },
    });
    expect([used.status, captured.status]).toEqual([200, 201]);
    const admin = { adminApiKey: own.apiKeys.tenant_admin };
    const { items } = await allOf(admin, `decision_id=${id}&limit=2`);
    const types = items.map(({ type }) => type);
    expect(types[0]).toBe('decision.recorded');
    expect(types).toContain('decision.noted');
    expect(types).toContain('allow.used');
    expect(types).toContain('capture.recorded');
    const { items: every } = await allOf(admin, 'limit=200');
    const naming = every.filter(({ body }) => body.includes(id));
    expect(naming.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
    const backwards = await allOf(admin, `decision_id=${id}&limit=2&order=desc`);
    expect(backwards.items).toEqual([...items].reverse());
    const notes = await allOf(admin, `decision_id=${id}&type=decision.*`);
    expect(notes.items.map(({ type }) => type)).toEqual(['decision.recorded', 'decision.noted']);
    const alone = await allOf(admin, `decision_id=${other.body.decision_id as string}`);
    expect(alone.items.map(({ type }) => type)).toEqual(['decision.recorded']);
    expect((await allOf(admin, 'decision_id=arbdec_000000000000')).items).toEqual([]);
    expect(
      (await allOf({ adminApiKey: shop.apiKeys.tenant_admin }, `decision_id=${id}`)).items,
    ).not.toEqual(items);
  });

  it.each([
    ['type=Decision.recorded', '?type'],
    ['type=decision', '?type'],
    ['type=*', '?type'],
    ['type=%25.recorded', '?type'],
    ['decision_id=1', '?decision_id'],
    ['from=yesterday', '?from'],
    ['to=2026-02-30T00:00:00Z', '?to'],
    ['order=up', '?order'],
    ['after_seq=-1', '?after_seq'],
    ['after_seq=1&cursor=1', '?after_seq'],
    ['cursor=x', '?cursor'],
    ['limit=201', '?limit'],
    ['limit=0', '?limit'],
    ['unknown=1', '?unknown'],
  ])('%s is refused and named %s', async (query, field) => {
    const { status, problem } = await getAs(
      service,
      shop.apiKeys.tenant_admin,
      `/v1/ledger/entries?${query}`,
    );
    expect([status, problem?.field]).toEqual([400, field]);
  });

  it.each([
    'after_seq=999999999999999',
    'cursor=999999999999999',
    'after_seq=999999999999999&order=desc',
  ])('a place beyond the end is no fault: %s', async (query) => {
    expect((await getAs(service, shop.apiKeys.auditor, `/v1/ledger/entries?${query}`)).status).toBe(
      200,
    );
  });
});

describe('GET /v1/ledger/inclusion', () => {
  const inclusionOf = async (key: string, query: string) =>
    getAs(service, key, `/v1/ledger/inclusion${query}`);

  it('leads from a decision to the checkpoint of an export', async () => {
    const own = await openShop(service);
    const decided = await own.ask(PURCHASE);
    const id = decided.body.decision_id as string;
    const query = `?decision_id=${id}`;
    const before = JSON.parse((await inclusionOf(own.apiKeys.auditor, query)).text);
    expect(before).toMatchObject({ state: 'uncovered', inclusion: null });
    const exported = await getAs(service, own.apiKeys.tenant_admin, '/v1/ledger/export');
    expect(exported.status).toBe(200);
    const { entry, state, inclusion } = JSON.parse(
      (await inclusionOf(own.apiKeys.auditor, query)).text,
    );
    expect(state).toBe('included');
    expect(JSON.parse(entry.body).data.decision_id).toBe(id);
    expect(rootBy(entry.link, inclusion)).toBe(inclusion.root);
    const [origin, size, root = ''] = (inclusion.checkpoint as string).split('\n');
    expect(origin).toContain(own.tenantId);
    expect(size).toBe(String(inclusion.tree_size));
    expect(Buffer.from(root, 'base64').toString('hex')).toBe(inclusion.root);
  });

  it('says of an unsealed entry that nothing chains it', async () => {
    const tenant = await createTestTenant(house);
    const { text } = await inclusionOf(tenant.adminApiKey, '?seq=0');
    expect(JSON.parse(text)).toMatchObject({ state: 'unsealed', inclusion: null });
  });

  it.each([
    ['', 400, '?decision_id'],
    ['?seq=1&decision_id=arbdec_000000000000', 400, '?decision_id'],
    ['?seq=x', 400, '?seq'],
    ['?seq=999999999999999', 404, '?seq'],
    ['?decision_id=arbdec_000000000000', 404, '?decision_id'],
  ])('asked for as "%s" answers %i', async (query, status, field) => {
    const answered = await inclusionOf(shop.apiKeys.auditor, query);
    expect([answered.status, answered.problem.field]).toEqual([status, field]);
  });
});

/** RFC 9162 section 2.1.3.2, written here once more. */
function rootBy(
  link: string,
  {
    leaf_index: index,
    tree_size: size,
    proof,
  }: { leaf_index: number; tree_size: number; proof: string[] },
): string {
  let [at, last] = [index, size - 1];
  let hash: Uint8Array = leafHash(Buffer.from(link, 'hex'));
  for (const step of proof) {
    const other = Buffer.from(step, 'hex');
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(other, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else hash = nodeHash(hash, other);
    [at, last] = [at >> 1, last >> 1];
  }
  return Buffer.from(hash).toString('hex');
}
