import { beforeAll, describe, expect, it } from 'vitest';
import { checkRebuild } from '../../src/base/ledger/index.js';
import { ok } from '../../src/core/kernel/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { returnStock, Stock, type StockHold, takeStock } from '../../src/trust/facts/index.js';
import { freshDatabase, testDatabase } from '../support/database.js';
import { holdingStock, movingStock } from '../support/stock.js';
import {
  createTestMerchant,
  createTestTenant,
  problemOf,
  testHouse,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';

/** Two houses on one database, as two service processes would be. */
const houses = [testHouse(), testHouse()] as const;
const [{ database, writer }] = houses;
const room = new Stock({ database, writer });
const merchantId = 'shop-1';
let tenant: TestTenant;
let names = 0;
const fresh = (): string => `variant-${(names += 1)}`;

beforeAll(async () => {
  tenant = await createTestTenant(houses[0]);
  await createTestMerchant(houses[0], tenant, { merchantId });
});

const set = (variantId: string, onHand: number) =>
  room.set(tenant.context(), tenant.admin, { merchantId, variantId, onHand });
const read = async (variantId: string): Promise<readonly [onHand: number, held: number]> => {
  const { onHand, held } = valueOf(await room.get(tenant.admin, { merchantId, variantId }));
  return [onHand, held];
};
const place = () => ({ tenantId: tenant.tenantId, merchantId });

describe('in parallel', () => {
  const holdOne = (variantId: string, number: number) =>
    houses[number % 2 === 0 ? 0 : 1].writer.execute(
      holdingStock(place(), `pay_${number}`, [{ variantId, quantity: 1 }]),
    );

  it('of twenty payments through two writers one holds the last piece', async () => {
    const variantId = fresh();
    await set(variantId, 1);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, number) => holdOne(variantId, number)),
    );
    const held = results.filter((result) => result.ok);
    expect(held).toHaveLength(1);
    for (const result of results) if (!result.ok) expect(result.error.code).toBe('conflict');
    expect(await read(variantId)).toEqual([1, 1]);
  });

  it('a number set meanwhile never falls below what is held', async () => {
    const variantId = fresh();
    await set(variantId, 4);
    const holds = Array.from({ length: 8 }, (_, number) => holdOne(variantId, number));
    const sets = [3, 2, 1, 0].map((onHand) => set(variantId, onHand));
    await Promise.all(sets);
    const heldCount = (await Promise.all(holds)).filter((result) => result.ok).length;
    const [onHand, held] = await read(variantId);
    expect(held).toBe(heldCount);
    expect(onHand).toBeGreaterThanOrEqual(held);
  });
});

describe('one after the other', () => {
  it('what is returned may be held again, what is taken is gone, a late payment gets the rest', async () => {
    const variantId = fresh();
    const pieces = [{ variantId, quantity: 2 }];
    const holdOf = (paymentId: string): StockHold => ({ merchantId, paymentId, held: pieces });
    const hold = (paymentId: string) => writer.execute(holdingStock(place(), paymentId, pieces));
    await set(variantId, 3);
    valueOf(await hold('pay_1'));
    expect(problemOf(await hold('pay_2')).detail).toContain('1 pieces');

    const lapse = movingStock(place(), pieces, (view) => ok(returnStock(view, holdOf('pay_1'))));
    valueOf(await writer.execute(lapse));
    expect(await read(variantId)).toEqual([3, 0]);

    valueOf(await hold('pay_2'));
    const confirm = movingStock(place(), pieces, (view) =>
      ok(takeStock(view, holdOf('pay_2'), { stillHeld: true }).events),
    );
    valueOf(await writer.execute(confirm));
    expect(await read(variantId)).toEqual([1, 0]);

    let isShort = false;
    const late = movingStock(place(), pieces, (view) => {
      const { events, short } = takeStock(view, holdOf('pay_1'), { stillHeld: false });
      isShort = short;
      return ok(events);
    });
    valueOf(await writer.execute(late));
    expect(isShort).toBe(true);
    expect(await read(variantId)).toEqual([0, 0]);
  });
});

describe('the table', () => {
  const CHECKS = ['stock_on_hand', 'stock_held', 'stock_held_is_on_hand'];

  it.each([
    ['stock_on_hand', -1, -1],
    ['stock_held', 1, -1],
    ['stock_held_is_on_hand', 1, 2],
  ])('%s holds alone', async (check, onHand, held) => {
    const { pool } = await freshDatabase();
    for (const other of CHECKS.filter((name) => name !== check))
      await pool.query(`ALTER TABLE stock DROP CONSTRAINT ${other}`);
    const inserted = pool.query(
      `INSERT INTO stock (tenant_id, merchant_id, variant_id, on_hand, held, entry_seq)
        VALUES ('tnt_1', 'm', 'v', $1, $2, 1)`,
      [onHand, held],
    );
    await expect(inserted).rejects.toMatchObject({ constraint: check });
  });

  it('is what the ledger folds to', async () => {
    const connection = await testDatabase().pool.connect();
    try {
      const report = await checkRebuild(connection, tenant.tenantId, {
        projections: PROJECTIONS,
        sealer: null,
      });
      expect(report.differences).toEqual([]);
      expect(report.rowCount).toBeGreaterThan(0);
    } finally {
      connection.release();
    }
  });
});
