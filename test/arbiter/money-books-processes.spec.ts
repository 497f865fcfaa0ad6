import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { endServices, ServiceProcess } from '../endurance/service-process.js';
import { handOff, on, paidOrder, refund, setDailyMaximum, TOTAL_MINOR } from '../money/desk.js';
import { faultsOf, RIGHT } from '../money/sums.js';
import { testAuthority } from '../support/authority.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { answered } from './money-books.js';
import { openShop, type Shop, startTestService } from './shop.js';
import { allowed, consume, entriesOf, fresh, inr } from './uses.js';

/**
 * What has to hold whatever runs in parallel, through two processes of the operating system that share nothing but the
 * database. Through two services in one process: test/arbiter/consume.spec.ts, test/money/payer-races.spec.ts.
 */

const folder = temporaryDataFolder('arbiter-two-');
let service: TestService;
let processes: readonly ServiceProcess[];
beforeAll(async () => {
  service = await startTestService();
  const environment = {
    ...testAuthority().settings,
    DATABASE_URL: testDatabase().connectionString,
    DATA_DIR: folder,
    SEED_DEMO: 'off',
    JOBS: 'off',
    KEY_ENCRYPTION_KEY: '11'.repeat(32),
    LEDGER_HMAC_MASTER: '22'.repeat(32),
  };
  processes = [await ServiceProcess.start(environment), await ServiceProcess.start(environment)];
});
afterAll(async () => {
  await endServices();
  rmSync(folder, { recursive: true, force: true });
});

/** So many requests at once, by turns to both processes; answers how many came back with each status. */
async function atOnce(
  shop: Shop,
  count: number,
  send: (at: Shop) => Promise<{ readonly status: number }>,
): Promise<Record<number, number>> {
  const shops = processes.map(({ baseUrl }) => on({ ...service, baseUrl }, shop));
  const answers = await Promise.all(
    Array.from({ length: count }, (_, place) => send(shops[place % 2] ?? shop)),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it('100 uses of one allow: one', async () => {
  const shop = await openShop(service);
  const id = await allowed(shop, ALLOWED_HANDOFF);
  const use = (at: Shop) => consume(at, id, { cart: ALLOWED_HANDOFF['cart'] });
  expect(await atOnce(shop, 100, use)).toEqual({ 200: 1, 403: 99 });
  expect(await entriesOf(shop, ['allow.used', 'payment.started'])).toHaveLength(2);
  expect(await entriesOf(shop, ['allow.use_refused'])).toHaveLength(99);
  expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
});

it('100 handoffs at the last room: exactly those that fit', async () => {
  const shop = await openShop(service);
  await setDailyMaximum(shop, 7 * TOTAL_MINOR + 50);
  const ask = (at: Shop) => handOff(at, { provider: 'merchant' });
  expect(await atOnce(shop, 100, ask)).toEqual({ 201: 7, 403: 93 });
  expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
});

it('100 refunds of half and one more: one', async () => {
  const shop = await openShop(service);
  const { order_id } = await paidOrder(shop, { provider: 'merchant' });
  const amount = inr(TOTAL_MINOR / 2 + 1);
  const ask = (at: Shop) => refund(at, { order_id, amount });
  expect(await atOnce(shop, 100, ask)).toEqual({ 201: 1, 403: 99 });
  expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
});

it('100 links for one order, and 100 requests under one key: one payment each', async () => {
  const shop = await openShop(service);
  const order_id = fresh('order');
  const links = (at: Shop) => handOff(at, { order_id, provider: 'merchant' });
  expect(await atOnce(shop, 100, links)).toEqual({ 201: 1, 409: 99 });
  const body = { order_id: fresh('order'), provider: 'merchant' };
  const idempotencyKey = fresh('key');
  await atOnce(shop, 100, (at) => handOff(at, body, { idempotencyKey }));
  answered(await handOff(shop, body, { idempotencyKey }), 201);
  expect(await entriesOf(shop, ['payment.started'])).toHaveLength(2);
  expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
});
