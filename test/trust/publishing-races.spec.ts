import { describe, expect, it } from 'vitest';
import { err, problem } from '../../src/core/kernel/index.js';
import type { AuthorityPort } from '../../src/trust/authority/index.js';
import type { StatusChecker } from '../../src/trust/status/index.js';
import {
  byType,
  faultsOf,
  openedShop,
  priceOf,
  publishingRooms,
  type PublishingShop,
} from '../support/catalog.js';
import { testHouse, valueOf } from '../support/tenants.js';
import { trustRooms } from '../support/trust.js';

/** What happens between the look at the status of a fact and the lock under which it is renewed. */
const house = testHouse();

/** Rooms in which `meanwhile` happens after the status was looked at, each time. */
function interrupted(meanwhile: () => Promise<unknown>) {
  const trust = trustRooms(house);
  const statuses: StatusChecker = {
    async check(...asked) {
      const said = await trust.statuses.check(...asked);
      await meanwhile();
      return said;
    },
  };
  const rooms = publishingRooms(house, { ...trust, statuses: statuses as typeof trust.statuses });
  return rooms;
}

async function read(shop: PublishingShop): Promise<void> {
  await shop.facts(['tea-0']);
  await shop.rooms.renewals.settled();
}

const publishPrice = (shop: PublishingShop, rooms = shop.rooms) =>
  rooms.publications.publish(shop.tenant.context(), shop.tenant.admin, {
    merchantId: shop.merchantId,
    type: 'price',
    subject: 'tea-0',
    after: null,
  });

describe('between the look and the lock', () => {
  it.each(['revoked', 'suspended'] as const)(
    'the price is %s: it is not renewed',
    async (status) => {
      const shop = await openedShop(house);
      await read(shop);
      const price = await byType(shop, 'price');
      const slot = { uri: price?.status.listUri ?? '', index: price?.status.index ?? -1 };
      await shop.move(200_000);
      const rooms = interrupted(async () =>
        valueOf(
          await shop.rooms.trust.revocations.change(shop.tenant.context(), {
            target: { slot },
            status,
            reasonCode: 'price_error',
            scope: shop.tenant.admin,
          }),
        ),
      );
      expect(valueOf(await publishPrice(shop, rooms))).toMatchObject({ published: 0, renewed: 0 });
      expect(await shop.countFacts('price')).toBe(1);
      const faults = Object.fromEntries(await faultsOf(shop, ['tea-0']));
      expect(faults['price']).toBe(`artifact_${status}`);
    },
  );

  it('another price is set: the one before is not renewed, and the new one is published when it is read', async () => {
    const shop = await openedShop(house);
    await read(shop);
    await shop.move(200_000);
    const rooms = interrupted(() => shop.import(priceOf('tea-0', 777n)));
    expect(valueOf(await publishPrice(shop, rooms))).toMatchObject({ renewed: 0 });
    expect((await byType(shop, 'price'))?.unitPrice?.amountMinor).toBe(777n);
  });

  it('another price is set before the first is published: the first never stands', async () => {
    const shop = await openedShop(house);
    const rooms = interrupted(() => shop.import(priceOf('tea-0', 777n)));
    expect(valueOf(await publishPrice(shop, rooms))).toMatchObject({ published: 0 });
    expect(await shop.countFacts('price')).toBe(0);
    expect((await byType(shop, 'price'))?.unitPrice?.amountMinor).toBe(777n);
  });

  it('another process renews it: it is renewed once', async () => {
    const shop = await openedShop(house);
    await read(shop);
    await shop.move(200_000);
    const rooms = interrupted(() => publishPrice(shop));
    expect(valueOf(await publishPrice(shop, rooms))).toMatchObject({ renewed: 0, unchanged: 1 });
    expect(await shop.countFacts('price')).toBe(2);
  });

  it('another process publishes it first: one of the two slots stays, the other is never used', async () => {
    const shop = await openedShop(house);
    const rooms = interrupted(() => publishPrice(shop));
    expect(valueOf(await publishPrice(shop, rooms))).toMatchObject({ published: 0, unchanged: 1 });
    expect(await shop.countFacts('price')).toBe(1);
    expect(await shop.count('status_slots')).toBe(2);
    expect(Object.fromEntries(await faultsOf(shop, ['tea-0']))).toMatchObject({ price: null });
  });
});

it('an authority that does not answer costs no slot at the next try', async () => {
  const shop = await openedShop(house);
  const trust = trustRooms(house);
  let isAway = true;
  const away = problem('unavailable', 'It does not answer.', { fix: 'Wait.' });
  const authorityPort: AuthorityPort = Object.assign(
    Object.create(trust.authorityPort) as AuthorityPort,
    {
      bindObjects: (...objects: Parameters<AuthorityPort['bindObjects']>) =>
        isAway ? Promise.resolve(err(away)) : trust.authorityPort.bindObjects(...objects),
    },
  );
  const rooms = publishingRooms(house, { ...trust, authorityPort });
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect(await publishPrice(shop, rooms)).toMatchObject({ ok: false });
  expect(await shop.count('status_slots')).toBe(1);
  isAway = false;
  expect(valueOf(await publishPrice(shop, rooms))).toMatchObject({ published: 1 });
  expect(await shop.count('status_slots')).toBe(1);
});
