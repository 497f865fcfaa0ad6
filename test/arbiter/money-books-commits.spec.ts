import { beforeAll, expect, it } from 'vitest';
import { handOff, paidOrder, refund, charge } from '../money/desk.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { answered } from './money-books.js';
import { type Answer, openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import { allowed, consume, fresh } from './uses.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';

/**
 * What moving money costs (decisions 7.4): the ledger's transactions of one request, and what each of them wrote. The
 * sandbox's own books are the provider's, not counted.
 */

let plain: TestService;
let signing: TestService;
beforeAll(async () => {
  const on = { AGENT_EXECUTED_PAYMENT_ENABLED: 'true' };
  plain = await startTestService(on);
  signing = await startTestService({ ...on, COUNTERSIGNER: 'authority' });
});

/** The types of entries of each transaction that a request caused, in order. */
async function commitsOf(shop: Shop, request: () => Promise<Answer>): Promise<string[][]> {
  const before = await shop.entryCount();
  answered(await request(), 201);
  const { rows } = await testDatabase().pool.query<{ types: string[] }>(
    `SELECT array_agg(body::json->>'type' ORDER BY seq) AS types FROM entries
      WHERE tenant_id = $1 AND seq >= $2 GROUP BY tx_id ORDER BY min(seq)`,
    [shop.tenantId, before],
  );
  return rows.map(({ types }) => types);
}

const DECIDED = ['decision.recorded'];
const SIGNED = ['allow.countersigned'];
const USED = ['allow.used', 'payment.started'];

it('a handoff by the merchant’s own system: decide, use', async () => {
  const shop = await openShop(plain);
  const commits = await commitsOf(shop, () => handOff(shop, { provider: 'merchant' }));
  expect(commits).toEqual([DECIDED, USED]);
});

it('with a countersignature: decide, countersign, use', async () => {
  const shop = await openShop(signing);
  const commits = await commitsOf(shop, () => handOff(shop, { provider: 'merchant' }));
  expect(commits).toEqual([DECIDED, SIGNED, USED]);
});

it('through a provider the result comes to it', async () => {
  const [bare, signed] = [await openShop(plain), await openShop(signing)];
  const result = ['payment.moved'];
  expect(await commitsOf(bare, () => handOff(bare))).toEqual([DECIDED, USED, result]);
  expect(await commitsOf(signed, () => handOff(signed))).toEqual([DECIDED, SIGNED, USED, result]);
});

it('a charge ends with its capture', async () => {
  const shop = await openShop(plain);
  await switchAgentPayment(shop, true);
  const commits = await commitsOf(shop, () => charge(shop));
  expect(commits).toEqual([DECIDED, USED, ['capture.recorded']]);
});

it('a refund: decide and reserve, use and submit, result', async () => {
  const shop = await openShop(plain);
  const { order_id, amount } = await paidOrder(shop);
  const commits = await commitsOf(shop, () => refund(shop, { order_id, amount }));
  expect(commits).toEqual([
    ['decision.recorded', 'refund.allowed'],
    ['allow.used', 'refund.submitted'],
    ['refund.moved'],
  ]);
});

it('a repeat of it writes nothing', async () => {
  const shop = await openShop(plain);
  const order = [{ order_id: fresh('order') }, { idempotencyKey: fresh('key') }] as const;
  answered(await handOff(shop, ...order), 201);
  expect(await commitsOf(shop, () => handOff(shop, ...order))).toEqual([]);
});

it('a decision and its use by two requests cost one each', async () => {
  const shop = await openShop(plain);
  const before = await shop.entryCount();
  const id = await allowed(shop, ALLOWED_HANDOFF);
  answered(await consume(shop, id, { cart: ALLOWED_HANDOFF['cart'] }), 200);
  const { rows } = await testDatabase().pool.query<{ count: string }>(
    'SELECT count(DISTINCT tx_id) FROM entries WHERE tenant_id = $1 AND seq >= $2',
    [shop.tenantId, before],
  );
  expect(Number(rows[0]?.count)).toBe(2);
});
