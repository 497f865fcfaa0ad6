import { describe, expect, it } from 'vitest';
import { openedShop } from '../support/catalog.js';
import { problemOf, testHouse, valueOf } from '../support/tenants.js';

/** Cases of facts/arbiter.md 2 and decisions 4.4 on what may be published at all. */

const house = testHouse();
const POLICIES = {
  ...{ returns: 'r', warranty: 'w', fulfillment: 'f', cancellation: 'c', support: 's' },
  jurisdictions: ['IN'],
  tables: [],
};

describe('4.4: a lineage is type and subject', () => {
  it.each(['policy', 'protocol_adapter'] as const)(
    'a %s is of the merchant as a whole: another subject takes no slot, whoever asks for it',
    async (type) => {
      const shop = await openedShop(house);
      const { merchantId, rooms, tenant } = shop;
      // Stated and published: from here on it is nobody's guess.
      await shop.set({ policies: POLICIES });
      await shop.facts(['tea-0']);
      const [slots, lineages] = await Promise.all([
        shop.count('status_slots'),
        shop.count('fact_lineages'),
      ]);
      const read = await rooms.cached.read(tenant.admin, { merchantId, type, subject: 'returns' });
      expect(problemOf(read).code).toBe('not_found');
      const wish = { merchantId, type, subject: 'returns', after: null };
      const published = valueOf(
        await rooms.publications.publish(tenant.context(), tenant.admin, wish),
      );
      expect(published).toMatchObject({ published: 0, absent: 1 });
      expect(await shop.count('status_slots')).toBe(slots);
      expect(await shop.count('fact_lineages')).toBe(lineages);
    },
  );
});
