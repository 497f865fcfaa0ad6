import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BUYER, FROZEN_AT_MS, PRODUCTS } from '../../src/demo/demo-world.js';
import { cartOf } from '../../src/demo/purchases.js';
import { DEBIT_KNOWN_AFTER_MS } from '../../src/money/arbiter/debit-mandates.js';
import { testDatabase } from '../support/database.js';
import type { JsonObject } from '../support/issuer.js';
import { secondsOf } from '../support/rail-reports.js';
import type { TestService } from '../support/service.js';
import { checkLedger, WHOLE } from '../support/whole-ledger.js';
import { type Debit, debitOf } from './debits.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from './shop.js';
import {
  consume,
  entriesOf,
  moveClock,
  replayedRecheck,
  SHOP_PATH,
  throughAnotherService,
} from './uses.js';

const [chai] = PRODUCTS;
const body = { cart: cartOf(chai, 1) };
const PRICE_MINOR = 45_900;

let services: readonly TestService[];
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  const start = () => startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' });
  services = [await start(), await start()];
});
beforeEach(async () => {
  const [service, another] = services;
  if (service === undefined || another === undefined) throw new Error('two were started');
  shop = await openShop(service);
  other = throughAnotherService(shop, another);
  await switchAgentPayment(shop, true);
  const rails = { rbi_rails: ['upi_autopay', 'upi_reserve_pay', 'upi_otm'] };
  const patched = await shop.call('PATCH', SHOP_PATH, { as: 'tenant_admin', body: rails });
  expect(patched.status).toBe(200);
});
afterEach(async () => {
  expect(await checkLedger(shop.tenantId)).toEqual(WHOLE);
});

/** Decisions under one debit mandate, each with a payment mandate of its own. */
async function decideMany(
  debit: Debit,
  count: number,
  names: { notice?: string; evidence?: string } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    if (made > 0) await debit.renew();
    const decision = await debit.pay(names);
    expect(decision, String(decision.reason)).toMatchObject({ outcome: 'allow', usable: true });
    ids.push(decision.decision_id);
  }
  return ids;
}

const use = async (decisionId = '', at = shop) => {
  const { status, body: answer } = await consume(at, decisionId, body);
  return { status, reason: answer.reason as string | undefined, answer };
};

const useAll = (ids: readonly string[]) =>
  Promise.all(ids.map((id, index) => use(id, index % 2 === 0 ? shop : other)));

const refusals = (answers: readonly { status: number; reason: string | undefined }[]) =>
  answers.filter(({ status }) => status !== 200).map(({ reason }) => reason);

describe('allows of one UPI AutoPay cycle', () => {
  async function cycle(count: number): Promise<{ debit: Debit; ids: string[] }> {
    const debit = await debitOf(shop);
    await debit.mandate();
    return { debit, ids: await decideMany(debit, count, { notice: await debit.notice() }) };
  }

  it('one is used; the next is refused by rule 8 in a decision of its own', async () => {
    const { ids } = await cycle(2);
    expect((await use(ids[0])).status).toBe(200);
    const { status, answer } = await use(ids[1]);
    expect(status).toBe(403);
    expect(answer).toMatchObject({ failing_rule: 'rbi_afa', reason: 'mandate_debit_underway' });
    expect(ids).not.toContain(answer.decision_id);
    const replayed = await replayedRecheck(shop, String(answer.decision_id));
    expect(replayed.again).toBe(replayed.stored);
    expect(replayed.recheck.decisionId).toBe(ids[1]);
  });

  it('nor is a new decision given while the first is underway', async () => {
    const { debit, ids } = await cycle(1);
    await use(ids[0]);
    await debit.renew();
    const notice = await debit.notice();
    expect((await debit.pay({ notice })).reason).toBe('mandate_debit_underway');
  });

  it('of twenty at the same time in two services one is used', async () => {
    const { ids } = await cycle(20);
    const answers = await useAll(ids);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refusals(answers)).toEqual(Array.from({ length: 19 }, () => 'mandate_debit_underway'));
  });

  it('after the provider reported the debit, its other allows are over and the next cycle works', async () => {
    const { debit, ids } = await cycle(2);
    await use(ids[0]);
    const debited = { version: 2, last_seq: 4, last_debited_at: secondsOf(FROZEN_AT_MS) };
    await debit.mandate(debited);
    expect((await use(ids[1])).reason).toBe('mandate_cycle_already_debited');
    const monthAgo = { last_debited_at: secondsOf(FROZEN_AT_MS) - 31 * 86_400 };
    await debit.mandate({ ...debited, ...monthAgo, version: 3 });
    await debit.renew();
    const [next] = await decideMany(debit, 1, { notice: await debit.notice({ seq: 5 }) });
    expect((await use(next)).status).toBe(200);
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['counts the attempt', { cycle: { attempts: 1, payee_debited: '0' } }, undefined],
    ['counts nothing more', {}, 'mandate_debit_underway'],
    ['is of another state alone', { status: 'paused' }, 'mandate_paused'],
  ])('a report that %s frees the cycle or does not', async (_name, claims, reason) => {
    const { debit, ids } = await cycle(2);
    await use(ids[0]);
    await debit.mandate({ ...claims, version: 2 });
    const second = await use(ids[1]);
    expect(second.reason).toBe(reason);
    if (reason === 'mandate_paused') {
      await debit.mandate({ version: 3 });
      expect((await use(ids[1])).reason).toBe('mandate_debit_underway');
    }
  });

  it('a failed payment alone frees nothing', async () => {
    const { ids } = await cycle(2);
    const { answer } = await use(ids[0]);
    const { payment_id } = answer.payment as { payment_id: string };
    const failed = await shop.call('POST', `/v1/payments/${payment_id}/reports`, {
      as: 'merchant_system',
      idempotencyKey: `failed-${payment_id}`,
      body: { report: 'failed' },
    });
    expect(failed.status).toBe(200);
    expect((await use(ids[1])).reason).toBe('mandate_debit_underway');
  });

  it('a first debit that nobody reported has one use under its name at the bank', async () => {
    const debit = await debitOf(shop, { event: 'first_debit' });
    const decide = async () => {
      await debit.renew();
      return decideMany(debit, 1, { evidence: await debit.evidence() });
    };
    const ids = [...(await decide()), ...(await decide())];
    expect((await use(ids[0])).status).toBe(200);
    expect((await use(ids[1])).reason).toBe('mandate_debit_underway');
  });

  it('the primary key alone refuses a second debit on the same report', async () => {
    const { debit, ids } = await cycle(1);
    await use(ids[0]);
    const copy = `INSERT INTO debit_uses SELECT tenant_id, mandate_ref, report_version, decision_id, used_at_ms,
        entry_seq, tx_id FROM debit_uses WHERE tenant_id = $1 AND mandate_ref = $2`;
    await expect(
      testDatabase().pool.query(copy, [shop.tenantId, debit.scene.mandateRef]),
    ).rejects.toThrow('debited_once_per_report');
  });
});

describe('debits under one block', () => {
  const blockOf = (debits: number, more: JsonObject = {}): JsonObject => ({
    rail: 'upi_reserve_pay',
    block: { blocked: String(debits * PRICE_MINOR), debited: '0', reserved: '0', ...more },
  });
  async function block(
    decisions: number,
    claims: JsonObject,
    rail = 'upi_reserve_pay',
  ): Promise<{ debit: Debit; ids: string[] }> {
    const debit = await debitOf(shop, { rail, event: 'block_debit' });
    await debit.mandate({ ...claims, last_seq: undefined, last_debited_at: undefined });
    return { debit, ids: await decideMany(debit, decisions) };
  }

  async function underwayOf({ scene }: Debit): Promise<string | undefined> {
    const { rows } = await testDatabase().pool.query<{ underway_minor: string }>(
      'SELECT underway_minor FROM debit_mandates WHERE tenant_id = $1 AND mandate_ref = $2',
      [shop.tenantId, scene.mandateRef],
    );
    return rows[0]?.underway_minor;
  }

  it('three that fit are used, the fourth is not, nor decided anew', async () => {
    const { debit, ids } = await block(4, blockOf(3));
    const answers = await useAll(ids);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(refusals(answers)).toEqual(['block_exceeded']);
    await debit.renew();
    expect((await debit.pay()).reason).toBe('block_exceeded');
  });

  it('one minor unit less than three is too little for the third', async () => {
    const blocked = String(3 * PRICE_MINOR - 1);
    const { ids } = await block(3, blockOf(3, { blocked }));
    expect((await use(ids[0])).status).toBe(200);
    expect((await use(ids[1])).status).toBe(200);
    expect((await use(ids[2])).reason).toBe('block_exceeded');
  });

  it('a report takes over what it counts, no less and no more', async () => {
    const { debit, ids } = await block(4, blockOf(3));
    await use(ids[0]);
    await use(ids[1]);
    const counted = { debited: String(PRICE_MINOR) };
    await debit.mandate({ ...blockOf(3, counted), version: 2 });
    expect(await underwayOf(debit)).toBe(String(PRICE_MINOR));
    expect((await use(ids[2])).status).toBe(200);
    expect((await use(ids[3])).reason).toBe('block_exceeded');
    // The buyer enlarges the block.
    await debit.mandate({ ...blockOf(4, counted), version: 3 });
    expect((await use(ids[3])).status).toBe(200);
  });

  it('a report of long after a debit knows of it', async () => {
    const { debit, ids } = await block(2, blockOf(1));
    await use(ids[0]);
    const justBefore = secondsOf(FROZEN_AT_MS + DEBIT_KNOWN_AFTER_MS) - 1;
    const claims = { ...blockOf(1), last_seq: undefined, last_debited_at: undefined };
    await moveClock(shop, FROZEN_AT_MS + DEBIT_KNOWN_AFTER_MS);
    await debit.mandate({ ...claims, version: 2, iat: justBefore });
    expect(await underwayOf(debit)).toBe(String(PRICE_MINOR));
    await debit.mandate({ ...claims, version: 3, iat: justBefore + 1 });
    expect(await underwayOf(debit)).toBe('0');
  });

  it('a one-time mandate is debited once', async () => {
    const claims = { ...blockOf(9), rail: 'upi_otm' };
    const { ids } = await block(2, claims, 'upi_otm');
    expect((await use(ids[0])).status).toBe(200);
    expect((await use(ids[1])).reason).toBe('otm_already_debited');
  });

  it('the database alone refuses a sum above the block', async () => {
    const { debit, ids } = await block(1, blockOf(2));
    await use(ids[0]);
    const set = (sum: number) =>
      testDatabase().pool.query(
        `UPDATE debit_mandates SET underway_minor = ${sum} WHERE tenant_id = $1 AND mandate_ref = $2`,
        [shop.tenantId, debit.scene.mandateRef],
      );
    await expect(set(2 * PRICE_MINOR + 1)).rejects.toThrow('pass what is left of the block');
    await expect(set(-1)).rejects.toThrow('underway_minor');
  });
});

describe('between decision and use', () => {
  it.each<[string, JsonObject, string]>([
    ['opts out', { opted_out_at: secondsOf(FROZEN_AT_MS) - 1 }, 'pdn_opted_out'],
    ['was not reached after all', { delivery: 'failed', delivered_at: undefined }, 'pdn_missing'],
  ])('a buyer who %s is not debited', async (_name, claims, reason) => {
    const debit = await debitOf(shop);
    await debit.mandate();
    const notice = await debit.notice();
    const [id] = await decideMany(debit, 1, { notice });
    await debit.notice({ ...claims, notice_ref: notice, version: 2 });
    expect((await use(id)).reason).toBe(reason);
  });

  it('what the provider changed of the mandate counts', async () => {
    const debit = await debitOf(shop);
    await debit.mandate();
    const [id] = await decideMany(debit, 1, { notice: await debit.notice() });
    await debit.mandate({ version: 2, limit: { amount: '45899', currency: 'INR' } });
    expect((await use(id)).reason).toBe('mandate_amount_exceeded');
    await debit.mandate({ version: 3, rail: 'upi_reserve_pay' });
    expect((await use(id)).reason).toBe('upi_mandate_capability_missing');
    await debit.mandate({ version: 4 });
    expect((await use(id)).status).toBe(200);
  });

  it('a buyer who is erased is not debited', async () => {
    const debit = await debitOf(shop);
    await debit.mandate();
    const [id] = await decideMany(debit, 1, { notice: await debit.notice() });
    const erased = await shop.call('POST', '/v1/buyers/erase', {
      as: 'tenant_admin',
      idempotencyKey: 'erase',
      body: { buyer_reference: BUYER },
    });
    expect(erased.status).toBe(200);
    const { answer } = await use(id);
    expect(answer).toMatchObject({ failing_rule: 'mandate_present', reason: 'mandate_missing' });
    const replayed = await replayedRecheck(shop, String(answer.decision_id));
    expect(replayed.again).toBe(replayed.stored);
    expect(
      (await entriesOf(shop, ['allow.used'])).map(({ data }) => data['decision_id']),
    ).not.toContain(id);
  });
});

it('the migration finds what was reported before there was a table of it', async () => {
  const debit = await debitOf(shop);
  await debit.mandate();
  await debit.mandate({ version: 7, status: 'paused' });
  await (await debitOf(shop)).mandate({ debit_day: { rule: 'on', day: 3 } });
  const migration = readFileSync('migrations/0063_debit_mandates.sql', 'utf8');
  const [, columns = '', select = ''] =
    /INSERT INTO debit_mandates \(([^)]*)\)\s+(SELECT[^;]*);/.exec(migration) ?? [];
  const { rows } = await testDatabase().pool.query<{ side: string; count: string }>(
    `WITH found (${columns}) AS (${select}),
      mine AS (SELECT * FROM found WHERE tenant_id = $1),
      kept AS (SELECT ${columns} FROM debit_mandates WHERE tenant_id = $1)
      SELECT 'kept' AS side, count(*) FROM kept
      UNION ALL SELECT 'differ', count(*)
        FROM ((SELECT * FROM mine EXCEPT SELECT * FROM kept) UNION (SELECT * FROM kept EXCEPT SELECT * FROM mine)) AS d`,
    [shop.tenantId],
  );
  expect(rows).toEqual([
    { side: 'kept', count: '2' },
    { side: 'differ', count: '0' },
  ]);
});
