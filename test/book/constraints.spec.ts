import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openShop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import { Till } from './links.js';

const NOON = Date.UTC(2026, 10, 30, 12);

/** A tenant with a paid, an open and a lapsed payment, and a refund of each kind of state. */
let till: Till;
beforeAll(async () => {
  till = new Till(await openShop(await startTestService(), NOON), NOON);
  await till.link({ orderId: 'open', passportRef: 'pass' });
  const closed = await till.link({ orderId: 'closed' });
  await till.report(closed, 'canceled');
  const paid = await till.link({ orderId: 'paid' });
  await till.capture(paid);
  const refund = {
    flow: 'refund',
    merchant_id: 'chai-stall',
    order_id: 'paid',
    amount: { amount: '5000', currency: 'INR' },
  };
  for (const key of ['k1', 'k2'])
    await till.shop.ask(refund, { as: 'merchant_system', idempotencyKey: key });
});

/** Runs one statement and takes it back; answers the name of the constraint that refused it. */
async function refusedBy(statement: string): Promise<string | null> {
  const client = await testDatabase().pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement.replaceAll('$T', `'${till.shop.tenantId}'`));
    return null;
  } catch (error) {
    return (error as { constraint?: string }).constraint ?? (error as Error).message;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const payment = (order: string, changes: string) =>
  `UPDATE payments SET ${changes} WHERE tenant_id = $T AND order_id = '${order}'`;
const copyOf = (order: string, values: string) =>
  `INSERT INTO payments SELECT r.* FROM payments AS p,
     LATERAL jsonb_populate_record(p, jsonb_build_object(${values})) AS r
   WHERE p.tenant_id = $T AND p.order_id = '${order}'`;

describe('with no program in between', () => {
  it.each<[string, string, string]>([
    [
      'an allow makes one payment',
      copyOf('closed', `'payment_id', 'pay_000000000001', 'started_seq', 1000001`),
      'payments_one_per_allow',
    ],
    [
      'an order is offered for one payment at a time',
      copyOf(
        'open',
        `'payment_id', 'pay_000000000001', 'started_seq', 1000001, 'decision_id', 'other'`,
      ),
      'payments_one_payable_per_order',
    ],
    [
      'a payment that lapsed is not offered again beside another',
      payment('closed', `order_id = 'open', state = 'open'`),
      'payments_one_payable_per_order',
    ],
    [
      'a payment is of some money',
      payment('open', 'amount_minor = 0'),
      'payments_amount_minor_check',
    ],
    ['a payment has a known state', payment('closed', `state = 'maybe'`), 'payments_state_check'],
    [
      'paid means captured',
      payment('open', `state = 'paid', due_at_ms = NULL`),
      'payments_paid_is_captured',
    ],
    ['captured means paid', payment('closed', 'captured_minor = 1'), 'payments_paid_is_captured'],
    [
      'no more of a payment is given back than was captured',
      payment('paid', 'refunded_minor = captured_minor + 1'),
      'payments_refunded_is_captured',
    ],
    [
      'nothing lapses that cannot be paid',
      payment('closed', 'due_at_ms = 1'),
      'payments_due_while_payable',
    ],
    [
      'refunds of an order never exceed what was captured',
      `UPDATE order_money SET refunded_minor = captured_minor + 1 WHERE tenant_id = $T`,
      'refunds_never_exceed_captures',
    ],
    [
      'refunds of an order are not negative',
      `UPDATE order_money SET refunded_minor = -1 WHERE tenant_id = $T`,
      'order_money_refunded_minor_check',
    ],
    [
      'open money is not negative',
      `UPDATE merchant_open_money SET open_minor = -1 WHERE tenant_id = $T`,
      'open_money_away_is_part',
    ],
    [
      'open money holds the part of absent buyers',
      `UPDATE merchant_open_money SET open_away_minor = open_minor + 1 WHERE tenant_id = $T`,
      'open_money_away_is_part',
    ],
    [
      'closed money is not negative',
      `UPDATE merchant_day_money SET closed_minor = -1 WHERE tenant_id = $T`,
      'day_money_closed_away_is_part',
    ],
    [
      'confirmed money is not negative',
      `UPDATE merchant_day_money SET confirmed_minor = -1 WHERE tenant_id = $T`,
      'merchant_day_money_check',
    ],
    [
      'no authority is held below nothing',
      `UPDATE authority_spend SET held_minor = -1 WHERE tenant_id = $T`,
      'authority_held_not_negative',
    ],
    [
      'nor spent below nothing',
      `UPDATE authority_spend SET spent_minor = -1 WHERE tenant_id = $T`,
      'authority_spent_not_negative',
    ],
    [
      'an allow makes one refund',
      `UPDATE refunds SET decision_id = (SELECT max(decision_id) FROM refunds WHERE tenant_id = $T)
       WHERE tenant_id = $T`,
      'refunds_one_per_allow',
    ],
    [
      'only a reserved refund waits for its allow',
      `UPDATE refunds SET state = 'submitted' WHERE tenant_id = $T`,
      'refunds_due_while_reserved',
    ],
    [
      'a capture is recorded once under its name',
      `INSERT INTO captures SELECT * FROM captures WHERE tenant_id = $T`,
      'captures_pkey',
    ],
  ])('%s', async (_, statement, constraint) => {
    expect(await refusedBy(statement)).toBe(constraint);
  });

  it('the rows that the migration makes of earlier entries are those that the entries fold to', async () => {
    const migration = await readFile('migrations/0053_book.sql', 'utf8');
    const select = /INSERT INTO refunds\s+(SELECT[^;]+);/.exec(migration)?.[1] ?? '';
    const columns = `refund_id, decision_id, merchant_id, order_id, amount_minor::text, currency, payment_id, provider, state,
      provider_ref, allowed_at_ms, allowed_seq, entry_seq, tx_id::text`;
    const { pool } = testDatabase();
    const names = `tenant_id, refund_id, decision_id, merchant_id, order_id, amount_minor, currency, payment_id, provider,
      state, provider_ref, allowed_at_ms, allowed_seq, allow_expires_at_ms, due_at_ms, review, entry_seq, tx_id`;
    const of = (table: string) =>
      pool.query(`SELECT ${columns} FROM ${table} WHERE tenant_id = $1 ORDER BY refund_id`, [
        till.shop.tenantId,
      ]);
    const folded = await of('refunds');
    expect(folded.rows).toHaveLength(2);
    expect((await of(`(${select}) AS r (${names})`)).rows).toEqual(folded.rows);
  });

  it('a row that breaks none of them is taken', async () => {
    expect(await refusedBy(payment('open', 'url = url'))).toBe(null);
  });
});
