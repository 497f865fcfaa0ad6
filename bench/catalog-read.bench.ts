import { rmSync } from 'node:fs';
import { demoRooms } from '../src/demo/demo-rooms.js';
import { FROZEN_AT_MS, SHOP } from '../src/demo/demo-world.js';
import { seedDemoTenant } from '../src/demo/seed.js';
import { printCatalog } from '../src/doors/storefront/shop/print-catalog.js';
import { startService } from '../src/service.js';
import {
  type Catalog,
  CATALOG,
  NO_CHANGE,
  publisherContext,
  SHOP_READING,
  type ShopPage,
  type ShopReading,
} from '../src/trust/facts/index.js';
import { temporaryDataFolder } from '../test/support/data-folder.js';
import { closedLoop, race, repeat, report } from './lib/ratio.js';

// A reading of 1,000 products judges 2,000 signed facts: keys, times and status anew, signatures once per process. The
// baseline writes the same answer as JSON. Database, authority and status list are the real ones, all on this machine.
const PRODUCTS = 1_000;
const READINGS_MAX = 100;

const dataDir = temporaryDataFolder('arbiter-bench-');
const service = await startService({
  environment: { PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'off', JOBS: 'off', LOG_LEVEL: 'error' },
});
try {
  const reading = service.app.get<ShopReading>(SHOP_READING, { strict: false });
  const tenantId = await openShop();
  const read = async (): Promise<ShopPage> => {
    const page = await reading.list(tenantId, { after: null, size: PRODUCTS });
    if (page === null) throw new Error('the first page has no cursor');
    return page;
  };
  let page = await read();
  for (let count = 1; page.products.length < PRODUCTS && count < READINGS_MAX; count += 1)
    page = await read();
  if (page.products.length < PRODUCTS) throw new Error('not every product was published');
  const answer = printCatalog('https://shop.example', page);
  report(
    await race({
      name: 'catalog-read',
      claim: `readings of ${PRODUCTS} signed products, all judged / JSON.stringify of the same answer`,
      candidate: closedLoop(1, read),
      baseline: repeat(() => JSON.stringify(answer), 1),
    }),
  );
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** A tenant whose time stands still, so that no fact ends while it is read. */
async function openShop() {
  const spec = { tenantId: 'tnt_bench' as const, name: 'bench', frozenAtMs: FROZEN_AT_MS };
  const seeded = await seedDemoTenant(demoRooms(service.app), { ...spec, isWitnessed: false });
  if (!seeded.ok) throw new Error(seeded.error.detail);
  const { tenantId } = seeded.value;
  const ids = Array.from({ length: PRODUCTS }, (_, index) => `product-${index}`);
  const imported = await service.app.get<Catalog>(CATALOG, { strict: false }).import(
    publisherContext(tenantId),
    { tenantId, merchantIds: null },
    {
      ...NO_CHANGE,
      merchantId: SHOP,
      products: ids.map((productId) => ({
        ...{ productId, title: 'A product', imageUrl: null, isListed: true },
      })),
      variants: ids.map((variantId) => ({ variantId, productId: variantId, title: null })),
      prices: ids.map((variantId) => ({ variantId, amountMinor: 45_900n, currency: 'INR' })),
      counts: ids.map((variantId) => ({ variantId, onHand: 5 })),
    },
  );
  if (!imported.ok) throw new Error(imported.error.detail);
  return tenantId;
}
