import { describe, expect, it } from 'vitest';
import {
  byType,
  faultsOf,
  GOOD_FACTS,
  openedShop,
  priceOf,
  publishingRooms,
  type PublishingShop,
  publishingShop,
  teas,
} from '../support/catalog.js';
import { testHouse, valueOf } from '../support/tenants.js';

const house = testHouse();

const opened = (count = 1) => openedShop(house, count);

async function revoke(shop: PublishingShop, type: string, variantId = 'tea-0'): Promise<void> {
  const fact = await byType(shop, type, variantId);
  if (fact === undefined) throw new Error(`there is no ${type} to revoke`);
  await revokeSlot(shop, { uri: fact.status.listUri ?? '', index: fact.status.index ?? -1 });
}

async function revokeSlot(shop: PublishingShop, slot: { uri: string; index: number }) {
  valueOf(
    await shop.rooms.trust.revocations.change(shop.tenant.context(), {
      target: { slot },
      status: 'revoked',
      reasonCode: 'recall',
      scope: shop.tenant.admin,
    }),
  );
}

describe('a merchant who only imported a catalogue', () => {
  it('has all five facts as soon as somebody reads them, and nothing before', async () => {
    const shop = await opened(2);
    expect(await shop.count('status_slots')).toBe(0);
    expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    expect(await shop.count('status_slots')).toBe(5);
    expect(await shop.count('fact_lineages')).toBe(5);
    const entries = await shop.count('entries');
    expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    expect(await shop.count('entries')).toBe(entries);
  });

  it('says the price and the pieces of the catalogue', async () => {
    const shop = await opened();
    expect(await byType(shop, 'price')).toMatchObject({
      unitPrice: { amountMinor: 100n, currency: 'INR' },
      productId: 'tea-0',
      variantId: 'tea-0',
    });
    expect(await byType(shop, 'inventory')).toMatchObject({ quantityAvailable: 10 });
    expect(await byType(shop, 'catalog_snapshot')).toMatchObject({ productRefs: ['tea-0'] });
  });

  it('of a variant that is in no catalogue nothing is published', async () => {
    const shop = await opened();
    expect(await shop.facts(['coffee'])).toEqual([]);
    const mixed = await shop.facts(['tea-0', 'coffee']);
    expect(mixed.map(({ type, variantId }) => [type, variantId])).toHaveLength(5);
  });

  it('what is not for sale has no fact: without a price, without stock, not listed', async () => {
    const shop = await publishingShop(house);
    const { products = [], variants = [], prices = [], counts = [] } = teas(3);
    await shop.import({
      products: products.map((one) => ({ ...one, isListed: one.productId !== 'tea-2' })),
      variants,
      prices: prices.slice(1),
      counts: counts.filter(({ variantId }) => variantId !== 'tea-1'),
    });
    const typesOf = async (variantId: string) =>
      (await shop.facts([variantId])).map(({ type }) => type).sort();
    expect(await typesOf('tea-0')).not.toContain('price');
    expect(await typesOf('tea-1')).not.toContain('inventory');
    expect(await typesOf('tea-2')).not.toContain('catalog_snapshot');
  });
});

describe('renewal', () => {
  it('past half its life behind the answer, over within it; slot and lineage stay', async () => {
    const shop = await opened();
    const first = await byType(shop, 'inventory');
    await shop.move(30_000);
    const still = await byType(shop, 'inventory');
    expect(still?.id).toBe(first?.id);
    await shop.rooms.renewals.settled();
    const renewed = await byType(shop, 'inventory');
    expect(renewed?.id).not.toBe(first?.id);
    expect(renewed?.status).toMatchObject({
      listUri: first?.status.listUri,
      index: first?.status.index,
    });
    await shop.move(301_000);
    expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    expect(await shop.count('status_slots')).toBe(5);
  });

  it('before half its life nothing is written', async () => {
    const shop = await opened();
    await shop.facts(['tea-0']);
    await shop.move(29_999);
    const entries = await shop.count('entries');
    await shop.facts(['tea-0']);
    await shop.rooms.renewals.settled();
    expect(await shop.count('entries')).toBe(entries);
    await shop.move(1);
    await shop.facts(['tea-0']);
    await shop.rooms.renewals.settled();
    // The clock, and one entry that renews the stock.
    expect(await shop.count('entries')).toBe(entries + 2);
  });

  it('any number of readers at once cause one entry', async () => {
    const shop = await opened();
    await shop.facts(['tea-0']);
    await shop.move(301_000);
    const entries = await shop.count('entries');
    const all = await Promise.all(Array.from({ length: 30 }, () => faultsOf(shop, ['tea-0'])));
    for (const one of all) expect(one.sort()).toEqual(GOOD_FACTS);
    expect(await shop.count('entries')).toBe(entries + 1);
  });

  it('two processes renew once in half a life', async () => {
    const shop = await opened(10);
    const other = publishingRooms(testHouse());
    const ids = Array.from({ length: 10 }, (_, index) => `tea-${index}`);
    await shop.facts(ids);
    const artifacts = await shop.count('artifacts');
    expect(artifacts).toBe(32);
    await shop.move(301_000);
    await Promise.all(
      [shop.rooms, other, shop.rooms, other].map((rooms) => shop.facts(ids, rooms)),
    );
    await Promise.all([shop.rooms.renewals.settled(), other.renewals.settled()]);
    // Prices and stock are over; a catalogue entry lives for 900 s, the rest for hours.
    expect(await shop.count('artifacts')).toBe(artifacts + 20);
    expect(await shop.count('status_slots')).toBeLessThanOrEqual(32);
  });

  it('other stock is renewed when there are more pieces than the fact vouches for, on the same slot', async () => {
    const shop = await opened();
    const before = await byType(shop, 'inventory');
    await shop.import({ counts: [{ variantId: 'tea-0', onHand: 4 }] });
    expect((await byType(shop, 'inventory'))?.id).toBe(before?.id);
    await shop.import({ counts: [{ variantId: 'tea-0', onHand: 25 }] });
    const after = await byType(shop, 'inventory');
    expect(after?.quantityAvailable).toBe(25);
    expect(after?.status.index).toBe(before?.status.index);
    expect(await shop.count('status_slots')).toBe(5);
  });

  it('survives a restart: another process goes on where this one stopped', async () => {
    const shop = await opened();
    const first = await byType(shop, 'price');
    await shop.move(301_000);
    const again = publishingRooms(testHouse());
    expect((await faultsOf(shop, ['tea-0'], again)).sort()).toEqual(GOOD_FACTS);
    expect((await byType(shop, 'price'))?.status.index).toBe(first?.status.index);
  });
});

describe('another price', () => {
  it('is another lineage with a slot of its own; nobody is given the one before', async () => {
    const shop = await opened();
    const before = await byType(shop, 'price');
    await shop.import(priceOf('tea-0', 120n));
    const after = await byType(shop, 'price');
    expect(after?.unitPrice?.amountMinor).toBe(120n);
    expect(after?.status.index).not.toBe(before?.status.index);
    expect(await shop.count('status_slots')).toBe(6);
    await shop.import(priceOf('tea-0', 100n));
    expect((await byType(shop, 'price'))?.status.index).not.toBe(before?.status.index);
  });

  it('set while the one before is renewed: what stands in the end is the new one', async () => {
    const shop = await opened();
    await shop.facts(['tea-0']);
    for (let round = 1; round <= 10; round += 1) {
      await shop.move(301_000);
      const amountMinor = 100n + BigInt(round);
      await Promise.all([
        shop.facts(['tea-0']),
        shop.import(priceOf('tea-0', amountMinor)),
        shop.facts(['tea-0']),
      ]);
      expect((await byType(shop, 'price'))?.unitPrice?.amountMinor).toBe(amountMinor);
    }
    expect(await shop.count('status_slots')).toBeLessThanOrEqual(5 + 10);
  });

  it('a thousand times a day: as many slots as prices that somebody read', async () => {
    const shop = await opened();
    await shop.facts(['tea-0']);
    for (let change = 1; change <= 60; change += 1) {
      await shop.import(priceOf('tea-0', 1_000n + BigInt(change)));
      if (change % 3 === 0) await shop.facts(['tea-0']);
    }
    expect(await shop.count('status_slots')).toBe(5 + 20);
    expect(await shop.count('fact_lineages')).toBe(5);
  });
});

describe('a revoked price', () => {
  it('is refused, and never comes back by renewal: not later, not in another process, not by an import', async () => {
    const shop = await opened();
    await revoke(shop, 'price');
    expect(Object.fromEntries(await faultsOf(shop, ['tea-0']))).toMatchObject({
      price: 'artifact_revoked',
    });
    const prices = await shop.countFacts('price');
    await shop.import(priceOf('tea-0', 100n));
    for (const rooms of [shop.rooms, publishingRooms(testHouse())]) {
      await shop.move(301_000);
      expect(Object.fromEntries(await faultsOf(shop, ['tea-0'], rooms))).toMatchObject({
        price: 'artifact_expired_or_stale',
        inventory: null,
      });
      const wish = {
        merchantId: shop.merchantId,
        type: 'price',
        subject: 'tea-0',
        after: null,
      } as const;
      const asked = await rooms.publications.publish(
        shop.tenant.context(),
        shop.tenant.admin,
        wish,
      );
      expect(valueOf(asked)).toMatchObject({ published: 0, renewed: 0, withheld: 1 });
    }
    expect(await shop.countFacts('price')).toBe(prices);
    expect(await shop.count('status_slots')).toBe(5);
  });

  it('comes back when it is set anew by hand, or at another amount', async () => {
    const shop = await opened();
    await revoke(shop, 'price');
    await shop.set(priceOf('tea-0', 100n));
    expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    expect(await shop.count('status_slots')).toBe(6);
    await revoke(shop, 'price');
    await shop.import(priceOf('tea-0', 101n));
    expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    expect(await shop.count('status_slots')).toBe(7);
  });

  it('that nobody read yet, or not since it was set anew, is revoked by its name and then not sold', async () => {
    const shop = await publishingShop(house);
    await shop.import(teas(1));
    const revokeByName = async () =>
      valueOf(
        await shop.rooms.trust.revocations.change(shop.tenant.context(), {
          target: { artifactType: 'price', merchantId: shop.merchantId, variantId: 'tea-0' },
          status: 'revoked',
          reasonCode: 'recall',
          scope: shop.tenant.admin,
        }),
      );
    const first = await revokeByName();
    expect((await byType(shop, 'price'))?.status.verdict).toBe('revoked');
    await shop.set(priceOf('tea-0', 100n));
    const second = await revokeByName();
    expect(second.slot).not.toEqual(first.slot);
    expect((await byType(shop, 'price'))?.status.verdict).toBe('revoked');
  });

  it('stays revoked when the revoke races renewals in two processes', async () => {
    const other = publishingRooms(testHouse());
    for (let round = 0; round < 8; round += 1) {
      const shop = await opened();
      const price = await byType(shop, 'price');
      const slot = { uri: price?.status.listUri ?? '', index: price?.status.index ?? -1 };
      await shop.move(301_000);
      await Promise.all([
        shop.facts(['tea-0']),
        revokeSlot(shop, slot),
        shop.facts(['tea-0'], other),
        shop.facts(['tea-0']),
      ]);
      const prices = await shop.countFacts('price');
      await shop.move(301_000);
      const faults = Object.fromEntries(await faultsOf(shop, ['tea-0'], other));
      expect(['artifact_expired_or_stale', 'artifact_revoked']).toContain(faults['price']);
      expect(await shop.countFacts('price')).toBe(prices);
    }
  });

  it('product, stock, policy and protocol alike: each is opened again by the row it is made from', async () => {
    const { products = [], variants = [] } = teas(1);
    const policies = {
      ...{ returns: 'r', warranty: 'w', fulfillment: 'f', cancellation: 'c', support: 's' },
      jurisdictions: ['IN'],
      tables: [],
    };
    for (const [type, change] of [
      ['catalog_snapshot', { products }],
      ['inventory', { variants }],
      ['policy', { policies }],
      ['protocol_adapter', { policies }],
    ] as const) {
      const shop = await opened();
      await shop.set({ policies });
      await revoke(shop, type);
      expect(Object.fromEntries(await faultsOf(shop, ['tea-0']))).toMatchObject({
        [type]: 'artifact_revoked',
      });
      await shop.import(change);
      await shop.import({ counts: [{ variantId: 'tea-0', onHand: 99 }] });
      expect(Object.fromEntries(await faultsOf(shop, ['tea-0']))).toMatchObject({
        [type]: 'artifact_revoked',
      });
      await shop.set(change);
      expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    }
  });
});
