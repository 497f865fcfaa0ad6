import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/base/platform/index.js';
import type { ShopPage, ShopProduct } from '../../src/trust/facts/index.js';
import { unavailableStatus } from '../../src/trust/status/index.js';
import {
  openedShop,
  priceOf,
  publishingRooms,
  type PublishingShop,
  publishingShop,
  teas,
} from '../support/catalog.js';
import { createTestMerchant, testHouse, valueOf } from '../support/tenants.js';
import { type TrustRooms, trustRooms } from '../support/trust.js';

const house = testHouse();

const listed = async (shop: PublishingShop, size = 100, rooms = shop.rooms): Promise<ShopPage> => {
  const page = await rooms.shop.list(shop.tenant.tenantId, { after: null, size });
  if (page === null) throw new Error('the first page has no cursor');
  return page;
};
const idsOf = async (shop: PublishingShop, rooms = shop.rooms): Promise<readonly string[]> =>
  (await listed(shop, 100, rooms)).products.map(({ productId }) => productId);
const found = (shop: PublishingShop, productId = 'tea-0'): Promise<ShopProduct | null> =>
  shop.rooms.shop.find(shop.tenant.tenantId, { productId });

type Type = 'price' | 'catalog_snapshot' | 'inventory';
async function withdraw(
  shop: PublishingShop,
  {
    type,
    subject = 'tea-0',
    status = 'revoked',
  }: { type: Type; subject?: string; status?: 'revoked' | 'suspended' | 'valid' },
) {
  const { rows } = await house.database.query<{ list_uri: string; slot_index: string }>(
    `SELECT list_uri, slot_index FROM fact_lineages
      WHERE tenant_id = $1 AND artifact_type = $2 AND subject = $3`,
    [shop.tenant.tenantId, type, subject],
  );
  const slot = { uri: rows[0]?.list_uri ?? '', index: Number(rows[0]?.slot_index) };
  valueOf(
    await shop.rooms.trust.revocations.change(shop.tenant.context(), {
      ...{ target: { slot }, status, reasonCode: 'recall', scope: shop.tenant.admin },
    }),
  );
}

describe('what a shop may show', () => {
  it('is published by being read: signed price, availability, artifact ids', async () => {
    const shop = await openedShop(house, 2);
    const { products, next } = await listed(shop);
    expect(next).toBeNull();
    expect(products.map(({ productId }) => productId)).toEqual(['tea-0', 'tea-1']);
    expect(products[0]).toMatchObject({
      merchantId: shop.merchantId,
      slug: 'tea-0',
      title: 'Tea',
      fact: { type: 'catalog_snapshot', envelopeText: null },
      validUntilMs: shop.atMs + 300_000,
      variants: [
        {
          variantId: 'tea-0',
          price: { amountMinor: 100n, currency: 'INR' },
          availability: 'in_stock',
          validUntilMs: shop.atMs + 300_000,
        },
      ],
    });
    expect(products[0]?.variants[0]?.facts.map(({ type }) => type)).toEqual(['price']);
  });

  it('one product comes with its stock fact and the signed envelopes', async () => {
    const shop = await openedShop(house);
    const product = await found(shop);
    const facts = [product?.fact, ...(product?.variants[0]?.facts ?? [])];
    expect(facts.map((fact) => fact?.type)).toEqual(['catalog_snapshot', 'price', 'inventory']);
    for (const fact of facts)
      expect(JSON.parse(fact?.envelopeText ?? '')).toMatchObject({ artifact_id: fact?.artifactId });
    expect(product?.validUntilMs).toBe(shop.atMs + 300_000);
  });

  it.each(['price', 'catalog_snapshot'] as const)('not after its %s was revoked', async (type) => {
    const shop = await openedShop(house, 2);
    expect(await idsOf(shop)).toEqual(['tea-0', 'tea-1']);
    await withdraw(shop, { type });
    expect(await idsOf(shop)).toEqual(['tea-1']);
    expect(await found(shop)).toBeNull();
    expect((await shop.rooms.shop.search(shop.tenant.tenantId, 'tea')).products).toHaveLength(1);
    // A second process, which has verified nothing yet.
    expect(await idsOf(shop, publishingRooms(house))).toEqual(['tea-1']);
    const entries = await shop.count('entries');
    await shop.move(301_000);
    expect(await idsOf(shop)).toEqual(['tea-1']);
    // The clock, and the other product's price: what was revoked is never renewed.
    expect(await shop.count('entries')).toBeLessThanOrEqual(entries + 2);
    // Nor does a reader wait for anybody to find that out.
    let asked = 0;
    const { renewals } = shop.rooms;
    const renew = renewals.renew.bind(renewals);
    renewals.renew = (...wish) => {
      asked += 1;
      return renew(...wish);
    };
    expect(await idsOf(shop)).toEqual(['tea-1']);
    expect(asked).toBe(0);
  });

  it('again after a suspension was lifted, and after a revoked price was set anew', async () => {
    const shop = await openedShop(house);
    await listed(shop);
    await withdraw(shop, { type: 'price', status: 'suspended' });
    expect(await idsOf(shop)).toEqual([]);
    await withdraw(shop, { type: 'price', status: 'valid' });
    expect(await idsOf(shop)).toEqual(['tea-0']);
    await withdraw(shop, { type: 'price' });
    expect(await idsOf(shop)).toEqual([]);
    await shop.set(priceOf('tea-0', 100n));
    expect(await idsOf(shop)).toEqual(['tea-0']);
  });

  it('only the newest price, at once', async () => {
    const shop = await openedShop(house);
    await listed(shop);
    await shop.import(priceOf('tea-0', 250n));
    const { products } = await listed(shop);
    expect(products[0]?.variants[0]?.price.amountMinor).toBe(250n);
  });

  it('nothing that is not listed, has no price or no variant', async () => {
    const shop = await openedShop(house, 1);
    const { products = [], variants = [] } = teas(3, 1);
    await shop.import({
      products: [
        ...products.map((one) => ({ ...one, isListed: one.productId !== 'tea-1' })),
        { productId: 'tea-9', title: 'Tea', imageUrl: null, isListed: true },
      ],
      variants,
      prices: ['tea-1', 'tea-3'].map((variantId) => ({
        variantId,
        amountMinor: 1n,
        currency: 'INR',
      })),
    });
    expect(await idsOf(shop)).toEqual(['tea-0', 'tea-3']);
    for (const productId of ['tea-1', 'tea-2', 'tea-9', 'nothing'])
      expect(await found(shop, productId)).toBeNull();
    await shop.import({
      products: products.map((one) => ({ ...one, isListed: one.productId === 'tea-1' })),
    });
    expect(await idsOf(shop)).toEqual(['tea-0', 'tea-1']);
    expect(await found(shop, 'tea-3')).toBeNull();
  });
});

describe('availability', () => {
  const availability = async (shop: PublishingShop) =>
    (await listed(shop)).products[0]?.variants[0]?.availability;

  it('is the stock of now, and unknown where none is kept or its fact was withdrawn', async () => {
    const shop = await openedShop(house);
    expect(await availability(shop)).toBe('in_stock');
    await shop.import({ counts: [{ variantId: 'tea-0', onHand: 0 }] });
    expect(await availability(shop)).toBe('out_of_stock');
    await shop.import({ counts: [{ variantId: 'tea-0', onHand: 3 }] });
    await found(shop);
    await shop.move(61_000);
    expect(await availability(shop)).toBe('in_stock');
    await withdraw(shop, { type: 'inventory' });
    expect(await availability(shop)).toBe('unknown');
    expect((await found(shop))?.variants[0]).toMatchObject({ availability: 'unknown' });
    const { products, variants, prices } = teas(1, 5);
    const other = await publishingShop(house);
    await other.import({ products, variants, prices });
    expect(await availability(other)).toBe('unknown');
  });

  it('a reading of the whole shop renews no stock, one of a product does', async () => {
    const shop = await openedShop(house);
    await listed(shop);
    expect(await shop.countFacts('inventory')).toBe(0);
    await found(shop);
    expect(await shop.countFacts('inventory')).toBe(1);
  });
});

describe('when nobody can tell', () => {
  it('nothing is shown once the status list is over, and nobody waits for a renewal', async () => {
    const shop = await openedShop(house);
    await found(shop);
    expect(await idsOf(shop)).toEqual(['tea-0']);
    const statuses = {
      check: (_tenantId: unknown, questions: readonly { uri: string; index: number }[]) =>
        Promise.resolve(questions.map((question) => unavailableStatus(question, 'status_timeout'))),
    };
    const dead = publishingRooms(house, {
      ...trustRooms(house),
      statuses,
    } as unknown as TrustRooms);
    expect(await idsOf(shop, dead)).toEqual([]);
    expect(await dead.shop.find(shop.tenant.tenantId, { productId: 'tea-0' })).toBeNull();
    expect(dead.failures).toEqual([]);
    expect(await idsOf(shop)).toEqual(['tea-0']);
  });

  it('a compromised key’s facts are gone at once', async () => {
    const shop = await openedShop(house);
    await listed(shop);
    const { issuerKeys } = shop.rooms.trust;
    const key = (await issuerKeys.list(shop.tenant.tenantId)).find(
      ({ issuer, role }) => role === 'fact_issuer' && issuer.startsWith('urn:'),
    );
    const issuerKeyId = key?.id ?? '';
    valueOf(
      await issuerKeys.compromise(shop.tenant.context(), { issuerKeyId, atMs: shop.atMs - 1 }),
    );
    expect(await idsOf(shop)).toEqual([]);
  });
});

describe('names', () => {
  it('the oldest merchant’s products by their ids, those of others with their merchant', async () => {
    const shop = await openedShop(house, 1);
    const { tenant } = shop;
    const other = await createTestMerchant(house, tenant, { merchantId: 'a-later-shop' });
    await shop.import({ ...teas(1), merchantId: other });
    const slugs = (await listed(shop)).products.map(({ merchantId, slug }) => [merchantId, slug]);
    expect(new Map(slugs as [string, string][])).toEqual(
      new Map([
        [shop.merchantId, 'tea-0'],
        [other, `${other}~tea-0`],
      ]),
    );
    const find = (wanted: Parameters<typeof shop.rooms.shop.find>[1]) =>
      shop.rooms.shop.find(tenant.tenantId, wanted);
    for (const [wanted, merchantId] of [
      [{ slug: 'tea-0' }, shop.merchantId],
      [{ slug: `${other}~tea-0` }, other],
      [{ productId: 'tea-0' }, shop.merchantId],
      [{ productId: 'tea-0', merchantId: other }, other],
      [{ variantId: 'tea-0' }, shop.merchantId],
      [{ variantId: 'tea-0', merchantId: other }, other],
    ] as const)
      expect((await find(wanted))?.merchantId).toBe(merchantId);
    for (const wanted of [
      { slug: '~' },
      { slug: 'nobody~tea-0' },
      { productId: 'tea 0' },
      { productId: '\0' },
      { variantId: 'x', merchantId: '\ud800' },
    ])
      expect(await find(wanted)).toBeNull();
  });

  it('a variant beyond those that are shown is found by its own name', async () => {
    const shop = await openedShop(house);
    const ids = Array.from({ length: 120 }, (_, index) => `size-${String(index).padStart(3, '0')}`);
    await shop.import({
      variants: ids.map((variantId) => ({ variantId, productId: 'tea-0', title: null })),
      prices: ids.map((variantId) => ({ variantId, amountMinor: 1n, currency: 'INR' })),
    });
    const product = await found(shop);
    expect(product?.variants).toHaveLength(100);
    expect(product?.variants.map(({ variantId }) => variantId)).not.toContain('size-119');
    const named = await shop.rooms.shop.find(shop.tenant.tenantId, { variantId: 'size-119' });
    expect(named?.variants.map(({ variantId }) => variantId)).toContain('size-119');
  });

  it('search finds words of titles and ids, case ignored, and bad text finds nothing', async () => {
    const shop = await openedShop(house, 3);
    await shop.import({
      products: [{ productId: 'tea-1', title: 'Grüner Tee 100%_', imageUrl: null, isListed: true }],
    });
    const ids = async (text: string) =>
      (await shop.rooms.shop.search(shop.tenant.tenantId, text)).products.map(
        ({ productId }) => productId,
      );
    expect(await ids('GRÜNER tee')).toEqual(['tea-1']);
    expect(await ids('%_')).toEqual(['tea-1']);
    expect(await ids('tea-2')).toEqual(['tea-2']);
    for (const text of ['', ' ', '\0', '\ud800', 'coffee', 'x'.repeat(10_000)])
      expect(await ids(text)).toEqual([]);
  });
});

it('pages go on where they ended, and a made-up cursor is told', async () => {
  const shop = await openedShop(house, 5);
  const { tenantId } = shop.tenant;
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: ShopPage | null = await shop.rooms.shop.list(tenantId, { after, size: 2 });
    seen.push(...(page?.products.map(({ productId }) => productId) ?? []));
    after = page?.next ?? null;
  } while (after !== null);
  expect(seen).toEqual([0, 1, 2, 3, 4].map((index) => `tea-${index}`));
  for (const cursor of ['', '!', 'AA', Buffer.from('a b c').toString('base64url')])
    expect(await shop.rooms.shop.list(tenantId, { after: cursor, size: 2 })).toBeNull();
});

it('nothing of another tenant', async () => {
  const [ours, theirs] = [await openedShop(house, 1), await publishingShop(house)];
  await listed(ours);
  expect((await listed(theirs, 10, ours.rooms)).products).toEqual([]);
  expect(await ours.rooms.shop.find(theirs.tenant.tenantId, { productId: 'tea-0' })).toBeNull();
});

/**
 * Rooms of one process that count what a reading asks: its own statements, keys and statuses (one statement each; fetching a
 * status list, which happens about once a minute, is not the reading's), and signatures that were verified.
 */
function countedRooms() {
  const counts = { asked: 0, verified: 0 };
  const database: Queryable = {
    query: (text, values) => {
      counts.asked += 1;
      return house.database.query(text, values);
    },
  };
  const trust = trustRooms(house);
  const { issuerKeys, statuses, checker } = trust;
  const find = issuerKeys.find.bind(issuerKeys);
  issuerKeys.find = (...question) => {
    counts.asked += 1;
    return find(...question);
  };
  const check = statuses.check.bind(statuses);
  statuses.check = (...question) => {
    counts.asked += 1;
    return check(...question);
  };
  const isValid = checker.isValid.bind(checker);
  checker.isValid = (claim) => {
    // Of a list, whose signature is not a fact's.
    if (claim.key.alg === 'ES256') counts.verified += 1;
    return isValid(claim);
  };
  const rooms = publishingRooms({ ...house, database }, trust);
  return {
    rooms,
    async countsOf(reading: () => Promise<unknown>) {
      const before = { ...counts };
      await reading();
      return {
        asked: counts.asked - before.asked,
        verified: counts.verified - before.verified,
      };
    },
  };
}

it('a reading of 1,000 products verifies each artifact once per process, and asks as often as one of a single product', async () => {
  const first = countedRooms();
  const shop = await publishingShop(house, first.rooms);
  await shop.import(teas(1_000));
  const read = async (rooms = first.rooms) =>
    expect((await listed(shop, 1_000, rooms)).products).toHaveLength(1_000);
  for (let turn = 0; turn < 30; turn += 1)
    if ((await listed(shop, 1_000)).products.length === 1_000) break;
  const began = performance.now();
  expect(await first.countsOf(read)).toEqual({ asked: 5, verified: 0 });
  const tookMs = (performance.now() - began).toFixed(0);
  console.log(`a reading of 1,000 products took ${tookMs} ms`);
  expect((await first.countsOf(() => listed(shop, 1))).asked).toBe(5);
  // Another process verifies each of the 2,000 facts once, however many read at the same time.
  const second = countedRooms();
  const three = () => Promise.all([1, 2, 3].map(() => read(second.rooms)));
  expect((await second.countsOf(three)).verified).toBe(2_000);
  expect(await second.countsOf(() => read(second.rooms))).toEqual({ asked: 5, verified: 0 });
}, 120_000);
