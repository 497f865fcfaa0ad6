import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FROZEN_TENANT_ID, SHOP } from '../../src/demo/demo-world.js';
import { type Body, inr } from '../../src/demo/purchases.js';
import { apiKeysOf } from '../../src/demo/seed.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { HANDOFF, TOTAL_MINOR } from '../money/desk.js';
import { press } from '../money/paying.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import {
  checkLedger,
  endServices,
  type Environment,
  ServiceProcess,
  until,
} from './service-process.js';

const apiKeys = apiKeysOf(FROZEN_TENANT_ID);
const folder = temporaryDataFolder('arbiter-payments-');

let database: TestDatabase;
let proxy: FaultyProxy;
let environment: Environment;
let service: ServiceProcess;
let turn = 0;

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await FaultyProxy.start(database.connectionString);
  environment = {
    DATABASE_URL: proxy.connectionString,
    DATA_DIR: folder,
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    LEDGER_HMAC_MASTER: randomBytes(32).toString('hex'),
  };
  service = await ServiceProcess.start(environment);
});
beforeEach(() => {
  turn += 1;
});
afterEach(async () => {
  await behave({});
  expect(await wrongTotals()).toEqual([]);
  expect(await checkLedger(environment)).toMatchObject({
    code: 0,
    text: expect.stringContaining(' 0 differences') as string,
  });
});
afterAll(async () => {
  await endServices();
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: {
    readonly payment: Payment;
    readonly refund: { readonly refund_id: string; readonly state: string };
  };
}

interface Payment {
  readonly payment_id: string;
  readonly order_id: string;
  readonly state: string;
  readonly url: string | null;
}

/** `again` tells a request from the one before it, for the same thing. */
async function call(method: string, path: string, body?: Body, again = ''): Promise<Answer> {
  const role = path.startsWith('/v1/sandbox') ? 'tenant_admin' : 'merchant_system';
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKeys[role]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      // The same request again is a repeat, whichever process takes it.
      ...(method === 'POST' ? { 'idempotency-key': `key-${turn}-${path}${again}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const behave = (behaviour: Body) => call('PUT', '/v1/sandbox/behaviour', behaviour);
const handOff = () => call('POST', '/v1/handoffs', { ...HANDOFF, order_id: `order-${turn}` });
const giveBack = (payment: Payment, amountMinor: number, again?: string) => {
  const body = { merchant_id: SHOP, order_id: payment.order_id, amount: inr(amountMinor) };
  return call('POST', '/v1/refunds', body, again);
};
const paymentNow = async ({ payment_id }: Payment): Promise<Payment> =>
  (await call('GET', `/v1/payments/${payment_id}`)).body as unknown as Payment;
const reaches = (payment: Payment, state: string) =>
  until(async () => (await paymentNow(payment)).state === state);

async function restart(): Promise<void> {
  await service.kill();
  service = await ServiceProcess.start(environment);
}

/** Kills the service when it sends this to its database: before the database has it. */
function killAt(message: RegExp): Promise<void> {
  return new Promise((killed) => {
    proxy.arm(message, (connection) => {
      service.child.kill('SIGKILL');
      connection.server.destroy();
      killed();
    });
  });
}

/** Kills the service at the COMMIT of the transaction that writes such an entry, before or after the database has it. */
function killAtCommitOf(type: string, when: 'before' | 'after'): Promise<void> {
  const entry = new RegExp(`type\\\\*":\\\\*"${type.replace('.', '\\.')}`);
  return new Promise((killed) => {
    proxy.arm(entry, (connection, message) => {
      proxy.arm(/COMMIT\0/, (last, commit) => {
        last.detached = true;
        service.child.kill('SIGKILL');
        if (when === 'after') last.server.end(commit);
        else last.server.destroy();
        killed();
      });
      connection.server.write(message);
    });
  });
}

async function count(sql: string, ...parameters: readonly string[]): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(`SELECT count(*) FROM ${sql}`, [
    FROZEN_TENANT_ID,
    ...parameters,
  ]);
  return Number(rows[0]?.count);
}

const linksAtProvider = () =>
  count(
    "sandbox_payments WHERE tenant_id = $1 AND order_id = $2 AND kind = 'link'",
    `order-${turn}`,
  );
const refundsAtProvider = () =>
  count(
    `sandbox_refunds r JOIN sandbox_payments p ON (p.tenant_id, p.reference) = (r.tenant_id, r.payment_reference)
      WHERE r.tenant_id = $1 AND p.order_id = $2 AND r.state = 'processed'`,
    `order-${turn}`,
  );
const captured = () => count('captures WHERE tenant_id = $1 AND order_id = $2', `order-${turn}`);
const messagesOf = ({ payment_id }: Payment) =>
  count(
    "entries WHERE tenant_id = $1 AND type = 'webhook.received' AND body::jsonb->'data'->>'reference' = $2",
    payment_id,
  );

/** As if long had passed: an absence is an end, and nobody waits for a lease or for a next try. */
async function hurry(): Promise<void> {
  await database.pool.query('UPDATE rail_questions SET next_try_at_ms = 0, first_seen_at_ms = 0');
  await database.pool.query(
    'UPDATE sandbox_events SET next_try_at_ms = 0 WHERE next_try_at_ms IS NOT NULL',
  );
}

/** Sums of the merchant that are not what its payments, captures and refunds come to; empty = all are right. */
async function wrongTotals(): Promise<readonly object[]> {
  const { rows } = await database.pool.query<object>(
    `SELECT * FROM (VALUES
      ('confirmed', (SELECT sum(confirmed_minor) FROM merchant_day_money WHERE tenant_id = $1),
        (SELECT sum(amount_minor) FROM captures WHERE tenant_id = $1)),
      ('open', (SELECT sum(open_minor) FROM merchant_open_money WHERE tenant_id = $1),
        (SELECT sum(amount_minor) FROM payments WHERE tenant_id = $1 AND state IN ('issuing', 'open'))),
      ('closed', (SELECT sum(closed_minor) FROM merchant_day_money WHERE tenant_id = $1),
        (SELECT sum(amount_minor) FROM payments WHERE tenant_id = $1 AND state IN ('lapsed', 'canceled'))),
      ('captured', (SELECT sum(captured_minor) FROM order_money WHERE tenant_id = $1),
        (SELECT sum(amount_minor) FROM sandbox_payments WHERE tenant_id = $1 AND state = 'paid')),
      ('refunded', (SELECT sum(refunded_minor) FROM order_money WHERE tenant_id = $1),
        (SELECT sum(amount_minor) FROM sandbox_refunds WHERE tenant_id = $1 AND state = 'processed'))
      ) AS s (name, kept, expected) WHERE coalesce(kept, 0) <> coalesce(expected, 0)`,
    [FROZEN_TENANT_ID],
  );
  return rows;
}

/** A link that the buyer has, paid by the buyer. */
async function paidLink(): Promise<Payment> {
  const { body } = await handOff();
  expect((await press(body.payment.url ?? '', 'pay')).status).toBe(303);
  await reaches(body.payment, 'paid');
  return body.payment;
}

describe('killed with -9 while a link is made', () => {
  it('after the provider has it: the link is found, is paid, and its money is captured once', async () => {
    await behave({ issue: 'slow', webhooks: 'twice' });
    const lost = handOff().catch(() => null);
    await until(async () => (await linksAtProvider()) === 1);
    await restart();
    expect(await lost).toBeNull();
    // Whoever repeats sees the same payment as it stands, and no provider is called again.
    const { status, body } = await handOff();
    expect([status, body.payment.state]).toEqual([201, 'issuing']);
    await reaches(body.payment, 'open');
    expect(await linksAtProvider()).toBe(1);
    const { url } = await paymentNow(body.payment);
    expect((await press(url ?? '', 'pay')).status).toBe(303);
    await reaches(body.payment, 'paid');
    await until(async () => (await count(NOT_SENT)) === 0);
    expect([await captured(), await messagesOf(body.payment)]).toEqual([1, 1]);
  });

  it('after the answer was lost, and again before anybody asked: likewise', async () => {
    await behave({ issue: 'lose_answer' });
    const { status, body } = await handOff();
    expect([status, body.payment.state]).toEqual([201, 'issuing']);
    await restart();
    await reaches(body.payment, 'open');
    const { url } = await paymentNow(body.payment);
    expect((await press(url ?? '', 'pay')).status).toBe(303);
    await reaches(body.payment, 'paid');
    expect([await captured(), await linksAtProvider()]).toEqual([1, 1]);
  });

  it('before the provider has it: it is rejected, and the provider has nothing', async () => {
    const killed = killAt(/INSERT INTO sandbox_payments/);
    const lost = handOff().catch(() => null);
    await killed;
    await restart();
    expect(await lost).toBeNull();
    const { status, body } = await handOff();
    expect([status, body.payment.state]).toEqual([201, 'issuing']);
    await until(async () => {
      await hurry();
      return (await paymentNow(body.payment)).state === 'rejected';
    });
    expect(await linksAtProvider()).toBe(0);
    expect((await paymentNow(body.payment)).url).toBeNull();
  });
});

describe('killed with -9 while a webhook is taken', () => {
  it.each(['before', 'after'] as const)(
    '%s its effect is committed: it is delivered again and has its effect once',
    async (when) => {
      const { body } = await handOff();
      const killed = killAtCommitOf('webhook.received', when);
      await press(body.payment.url ?? '', 'pay');
      await killed;
      await restart();
      const known = when === 'before' ? 0 : 1;
      expect([await captured(), await messagesOf(body.payment)]).toEqual([known, known]);
      await until(async () => {
        await hurry();
        return (await count(NOT_SENT)) === 0;
      });
      expect((await paymentNow(body.payment)).state).toBe('paid');
      expect([await captured(), await messagesOf(body.payment)]).toEqual([1, 1]);
    },
  );
});

describe('killed with -9 while money is given back', () => {
  const PART_MINOR = 41_800;

  it('after the provider did it: it is found done, and given back once', async () => {
    const payment = await paidLink();
    await behave({ refund: 'slow' });
    const lost = giveBack(payment, PART_MINOR).catch(() => null);
    await until(async () => (await refundsAtProvider()) === 1);
    await restart();
    expect(await lost).toBeNull();
    const { status, body } = await giveBack(payment, PART_MINOR);
    expect(status).toBe(201);
    await until(async () => (await giveBack(payment, PART_MINOR)).body.refund.state === 'done');
    expect((await giveBack(payment, PART_MINOR)).body.refund.refund_id).toBe(body.refund.refund_id);
    expect(await refundsAtProvider()).toBe(1);
  });

  it('before the provider has it: it failed, and what it would have given back is free again', async () => {
    const payment = await paidLink();
    const killed = killAt(/INSERT INTO sandbox_refunds/);
    const lost = giveBack(payment, PART_MINOR).catch(() => null);
    await killed;
    await restart();
    expect(await lost).toBeNull();
    const { status, body } = await giveBack(payment, PART_MINOR);
    expect([status, body.refund.state]).toEqual([201, 'submitted']);
    await until(async () => {
      await hurry();
      return (await giveBack(payment, PART_MINOR)).body.refund.state === 'failed';
    });
    expect(await refundsAtProvider()).toBe(0);
    const whole = await giveBack(payment, TOTAL_MINOR, 'again');
    expect([whole.status, whole.body.refund.state]).toEqual([201, 'done']);
  });
});

const NOT_SENT = 'sandbox_events WHERE tenant_id = $1 AND next_try_at_ms IS NOT NULL';
