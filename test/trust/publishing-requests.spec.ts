import { describe, expect, it } from 'vitest';
import { OVERLAP_SECONDS_MIN } from '../../src/base/keys/index.js';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import type { FactPlace, PublicationPage } from '../../src/trust/facts/index.js';
import {
  byType,
  faultsOf,
  GOOD_FACTS,
  openedShop,
  priceOf,
  publishingRooms,
} from '../support/catalog.js';
import { testDatabase } from '../support/database.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';

const house = testHouse();
const opened = (count = 1) => openedShop(house, count);

describe('publishing on request', () => {
  const wish = (merchantId: string, type: 'price' | null = null) =>
    ({ merchantId, type, subject: null, after: null }) as const;

  it('in pages of at most 200 subjects, one entry each; a repeat publishes nothing', async () => {
    const shop = await opened(150);
    const { publications } = shop.rooms;
    const { tenant, merchantId } = shop;
    let after: FactPlace | null = null;
    let published = 0;
    const entries = await shop.count('entries');
    for (let pages = 1; ; pages += 1) {
      const page: PublicationPage = valueOf(
        await publications.publish(tenant.context(), tenant.admin, { ...wish(merchantId), after }),
      );
      expect(page.total).toBe(452);
      published += page.published;
      after = page.next;
      if (after === null) break;
      expect(pages).toBeLessThan(5);
    }
    expect(published).toBe(452);
    expect(await shop.count('status_slots')).toBe(452);
    // Three pages, each reserves, binds and publishes; the fact key, its issuer key and those of the authority are new.
    expect(await shop.count('entries')).toBeLessThanOrEqual(entries + 3 * 3 + 10);
    const again = valueOf(
      await publications.publish(tenant.context(), tenant.admin, wish(merchantId, 'price')),
    );
    expect(again).toMatchObject({
      published: 0,
      renewed: 0,
      unchanged: 150,
      next: null,
      total: 150,
    });
  });

  it('not_found for a merchant that the key may not touch', async () => {
    const shop = await opened();
    const { publications } = shop.rooms;
    const { tenant } = shop;
    for (const [scope, merchantId] of [
      [{ merchantIds: ['other'] }, shop.merchantId],
      [{ merchantIds: null }, 'nobody'],
    ] as const) {
      const refused = await publications.publish(tenant.context(), scope, wish(merchantId));
      expect(problemOf(refused)).toMatchObject({ code: 'not_found', field: '/merchant_id' });
    }
  });
});

describe('the fact key', () => {
  it('is believed as the tenant’s own issuer key; a rotated one goes on, and facts of both count', async () => {
    const shop = await opened(2);
    const { tenant, rooms } = shop;
    await shop.facts(['tea-0']);
    await house.signingKeys.rotate(tenant.context(), {
      purpose: 'fact',
      overlapSeconds: OVERLAP_SECONDS_MIN,
    });
    expect((await faultsOf(shop, ['tea-0'])).sort()).toEqual(GOOD_FACTS);
    expect(await faultsOf(shop, ['tea-1'])).toContainEqual(['price', null]);
    const keys = await rooms.trust.issuerKeys.list(tenant.tenantId);
    const own = keys.filter(({ issuer }) => issuer === `urn:arbiter:tenant:${tenant.tenantId}`);
    expect(own.map(({ role }) => role)).toEqual(['fact_issuer', 'fact_issuer']);
  });

  it('that an administrator calls compromised publishes nothing more, until it is rotated', async () => {
    const shop = await opened(2);
    const { tenant, rooms } = shop;
    await shop.facts(['tea-0']);
    const keys = await rooms.trust.issuerKeys.list(tenant.tenantId);
    const own = keys.find(
      ({ role, issuer }) => role === 'fact_issuer' && issuer.startsWith('urn:'),
    );
    valueOf(
      await rooms.trust.issuerKeys.compromise(tenant.context(), {
        issuerKeyId: own?.id ?? '',
        atMs: null,
      }),
    );
    expect(await byType(shop, 'price', 'tea-1')).toBeUndefined();
    expect(rooms.failures.at(-1)).toMatchObject({
      why: expect.stringContaining('compromised') as string,
    });
    const slots = await shop.count('status_slots');
    await house.signingKeys.rotate(tenant.context(), {
      purpose: 'fact',
      overlapSeconds: OVERLAP_SECONDS_MIN,
    });
    const again = publishingRooms(house);
    expect((await shop.facts(['tea-1'], again)).map(({ type }) => type)).toContain('price');
    expect(await shop.count('status_slots')).toBeLessThanOrEqual(slots + 3);
  });
});

it('the ledger folds to the same rows', async () => {
  const shop = await opened(3);
  await shop.facts(['tea-0', 'tea-1']);
  await shop.move(301_000);
  await shop.facts(['tea-0']);
  await shop.import(priceOf('tea-0', 5n));
  await shop.facts(['tea-0']);
  await shop.rooms.renewals.settled();
  const client = await testDatabase().pool.connect();
  try {
    const report = await checkRebuild(client, shop.tenant.tenantId, {
      projections: PROJECTIONS,
      sealer: null,
    });
    expect(report.differences).toEqual([]);
  } finally {
    client.release();
  }
});
