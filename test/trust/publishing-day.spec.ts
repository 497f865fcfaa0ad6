import { expect, it } from 'vitest';
import { artifactFault } from '../../src/core/rules/index.js';
import { CHANGE_ROWS_MAX } from '../../src/trust/facts/index.js';
import { publishingShop, teas } from '../support/catalog.js';
import { testHouse } from '../support/tenants.js';

/**
 * A shop of 10,000 variants sells for a day. The clock moves in steps of half an hour; in each, purchases of drawn
 * variants rest on facts that are published or renewed because they are read. What it costs is counted.
 */
const VARIANTS = 10_000;
const STEP_MS = 1_800_000;
const STEPS = 48;
const PURCHASES_PER_STEP = 2;
const LINES = 3;
const TIMEOUT_MS = 180_000;

/** The same draw in every run. */
function drawing(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
}

it(
  'a shop of 10,000 variants sells for a day: slots, entries and lists are bounded',
  async () => {
    const shop = await publishingShop(testHouse());
    for (let from = 0; from < VARIANTS; from += CHANGE_ROWS_MAX)
      await shop.import(teas(CHANGE_ROWS_MAX, from));
    // 500 rows an entry: the catalogue and the stock.
    const afterImport = await shop.count('entries');
    expect(afterImport).toBeLessThanOrEqual((2 * VARIANTS) / 500 + 10);

    const draw = drawing(20_261_130);
    const bought = new Set<number>();
    let purchases = 0;
    for (let step = 0; step < STEPS; step += 1) {
      await shop.move(STEP_MS);
      for (let purchase = 0; purchase < PURCHASES_PER_STEP; purchase += 1) {
        // Half of what is bought are bestsellers.
        const drawn = Array.from({ length: LINES }, (_, line) =>
          draw(line % 2 === 0 ? 50 : VARIANTS),
        );
        for (const one of drawn) bought.add(one);
        const ids = [...new Set(drawn.map((one) => `tea-${one}`))];
        const facts = await shop.facts(ids);
        expect(facts).toHaveLength(3 * ids.length + 2);
        for (const fact of facts) expect(artifactFault(fact, shop.atMs)).toBeNull();
        purchases += 1;
      }
    }
    await shop.rooms.renewals.settled();
    expect(shop.rooms.failures).toEqual([]);

    // A slot for each subject that was read, however often it was renewed: product, price and stock, and two of the merchant.
    expect(await shop.count('status_slots')).toBe(3 * bought.size + 2);
    expect(await shop.count('fact_lineages')).toBe(3 * bought.size + 2);
    // A purchase costs at most the reservation, the binding, and one entry for new and one for renewed facts, twice where
    // something is renewed behind the answer; beside them the clock of each step.
    const entries = (await shop.count('entries')) - afterImport;
    expect(entries).toBeLessThanOrEqual(purchases * 6 + STEPS + 20);
    // No fact is signed unless somebody reads it: at most once a purchase for each of its subjects.
    expect(await shop.count('artifacts')).toBeLessThanOrEqual(purchases * (3 * LINES + 2));
    expect(await listCount(shop.tenant.tenantId)).toBe(1);

    // A second day costs new entries, and slots only for what was never read before.
    const slots = await shop.count('status_slots');
    await shop.move(STEP_MS);
    await shop.facts([...bought].slice(0, 20).map((one) => `tea-${one}`));
    expect(await shop.count('status_slots')).toBe(slots);
  },
  TIMEOUT_MS,
);

async function listCount(tenantId: string): Promise<number> {
  const { rows } = await testHouse().database.query<{ count: string }>(
    'SELECT count(DISTINCT list_uri) FROM status_slots WHERE tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0]?.count);
}
