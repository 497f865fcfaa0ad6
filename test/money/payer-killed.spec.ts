import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS } from '../../src/demo/demo-world.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from '../arbiter/shop.js';
import { fresh, inr, moveClock } from '../arbiter/uses.js';
import { endServices, ServiceProcess, until } from '../endurance/service-process.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { charge, handOff, on, refund, sweep, TOTAL_MINOR } from './desk.js';
import { faultsOf, RIGHT } from './sums.js';

/**
 * A service in a process of its own is killed with -9 in the middle of a saga; another goes on. `before`: the COMMIT of
 * the step has not arrived; `after`: it has, and nobody heard the answer. At the provider the sandbox takes the order
 * and is silent.
 */
interface Row {
  readonly saga: keyof typeof SAGAS;
  readonly step: 'decide' | 'use' | 'provider' | 'result';
  readonly when: 'before' | 'after';
  readonly direct: string;
  readonly repeat: string;
  readonly recovered: string;
}

const row = (
  saga: Row['saga'],
  step: Row['step'],
  when: Row['when'],
  ...[direct, repeat, recovered]: [string, string, string]
): Row => ({ saga, step, when, direct, repeat, recovered });

const SAGAS = {
  handoff: { table: 'payments', behaviour: 'issue', moved: 'payment.moved' },
  charge: { table: 'payments', behaviour: 'charge', moved: 'capture.recorded' },
  refund: { table: 'refunds', behaviour: 'refund', moved: 'refund.moved' },
} as const;

// prettier-ignore
const TABLE: readonly Row[] = [
  //   saga       step        killed     directly     repeated     recovered
  row('handoff', 'decide',   'before',  'none',      'open',      'open'),
  row('handoff', 'decide',   'after',   'none',      'open',      'open'),
  row('handoff', 'use',      'before',  'none',      'open',      'open'),
  row('handoff', 'use',      'after',   'issuing',   'issuing',   'rejected'),
  row('handoff', 'provider', 'after',   'issuing',   'issuing',   'open'),
  row('handoff', 'result',   'before',  'issuing',   'issuing',   'open'),
  row('handoff', 'result',   'after',   'open',      'open',      'open'),

  row('charge',  'use',      'after',   'issuing',   'issuing',   'rejected'),
  row('charge',  'provider', 'after',   'issuing',   'issuing',   'paid'),
  row('charge',  'result',   'before',  'issuing',   'issuing',   'paid'),

  row('refund',  'decide',   'after',   'reserved',  'done',      'done'),
  row('refund',  'use',      'after',   'submitted', 'submitted', 'failed'),
  row('refund',  'provider', 'after',   'submitted', 'submitted', 'done'),
  row('refund',  'result',   'before',  'submitted', 'submitted', 'done'),
];

const SECRETS = {
  AGENT_EXECUTED_PAYMENT_ENABLED: 'true',
  JOBS: 'off',
  KEY_ENCRYPTION_KEY: '11'.repeat(32),
  LEDGER_HMAC_MASTER: '22'.repeat(32),
};

let service: TestService;
let shop: Shop;
let proxy: FaultyProxy;
let doomed: ServiceProcess;
const folder = temporaryDataFolder('arbiter-killed-');

beforeAll(async () => {
  service = await startTestService({ AGENT_EXECUTED_PAYMENT_ENABLED: 'true' });
});
beforeEach(async () => {
  proxy = await FaultyProxy.start(testDatabase().connectionString);
  const environment = { DATABASE_URL: proxy.connectionString, DATA_DIR: folder, SEED_DEMO: 'off' };
  [doomed, shop] = await Promise.all([
    ServiceProcess.start({ ...SECRETS, ...environment }),
    openShop(service),
  ]);
  await switchAgentPayment(shop, true);
});
afterEach(async () => {
  await doomed.kill();
  await proxy.close();
});
afterAll(async () => {
  await endServices();
  rmSync(folder, { recursive: true, force: true });
});

describe('killed', () => {
  it.each(TABLE)('$saga, $step, $when: $direct, $repeat, $recovered', async (line) => {
    const send = await prepare(line.saga);
    if (line.step === 'provider') await behave({ [SAGAS[line.saga].behaviour]: 'slow' });
    else killAtCommit(line);
    const sent = send(on({ ...service, baseUrl: doomed.baseUrl }, shop)).catch(() => null);
    if (line.step === 'provider') {
      await until(() => providerKnows(line));
      await doomed.kill();
    }
    expect(await sent).toBeNull();
    await until(async () => (await standsOf(line)) === line.direct);
    await behave({ [SAGAS[line.saga].behaviour]: 'ok' });
    const again = await send(shop);
    expect([again.status, stateIn(again.body)]).toEqual([201, line.repeat]);
    await sweep(shop);
    expect(await standsOf(line)).toBe(line.recovered);
    expect(stateIn((await send(shop)).body)).toBe(line.recovered);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });

  it('a refund between decision and use that nobody repeats gives its amount back', async () => {
    const line = row('refund', 'use', 'before', 'reserved', '', 'lapsed');
    const send = await prepare('refund');
    killAtCommit(line);
    await send(on({ ...service, baseUrl: doomed.baseUrl }, shop)).catch(() => null);
    expect(await standsOf(line)).toBe('reserved');
    await moveClock(shop, FROZEN_AT_MS + 600_001);
    await sweep(shop);
    expect(await standsOf(line)).toBe('lapsed');
    const late = await send(shop);
    expect([late.status, late.body.failing_rule, late.body.reason]).toEqual([
      403,
      'allow_use',
      'allow_expired',
    ]);
    expect(await faultsOf(shop.tenantId)).toEqual(RIGHT);
  });
});

const stateIn = (body: { payment?: { state: string }; refund?: { state: string } }) =>
  (body.payment ?? body.refund)?.state;

/** One request, to be sent as often as one likes to whom one likes. */
async function prepare(saga: Row['saga']) {
  const idempotencyKey = fresh('key');
  if (saga === 'refund') {
    const paid = (await charge(shop)).body.payment;
    const body = { order_id: paid.order_id, amount: inr(TOTAL_MINOR) };
    return (at: Shop) => refund(at, body, { idempotencyKey });
  }
  const ask = saga === 'handoff' ? handOff : charge;
  const body = { order_id: fresh('order') };
  return (at: Shop) => ask(at, body, { idempotencyKey });
}

async function behave(behaviour: object): Promise<void> {
  const set = await shop.call('PUT', '/v1/sandbox/behaviour', {
    as: 'tenant_admin',
    body: behaviour,
  });
  if (set.status >= 300) throw new Error(JSON.stringify(set.body));
}

const COMMIT = /COMMIT\0/;

function killAtCommit({ saga, step, when }: Row): void {
  const type =
    step === 'decide' ? 'decision.recorded' : step === 'use' ? 'allow.used' : SAGAS[saga].moved;
  const entry = new RegExp(`type\\\\*":\\\\*"${type.replace('.', '\\.')}`);
  proxy.arm(entry, (connection, message) => {
    proxy.arm(COMMIT, (last, commit) => {
      last.detached = true;
      doomed.child.kill('SIGKILL');
      if (when === 'after') last.server.end(commit);
      else last.server.destroy();
    });
    connection.server.write(message);
  });
}

async function standsOf({ saga }: Row): Promise<string> {
  const { table } = SAGAS[saga];
  const { rows } = await testDatabase().pool.query<{ state: string }>(
    `SELECT state FROM ${table} WHERE tenant_id = $1 ORDER BY entry_seq`,
    [shop.tenantId],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.state ?? 'none';
}

async function providerKnows({ saga }: Row): Promise<boolean> {
  const table = saga === 'refund' ? 'sandbox_refunds' : 'sandbox_payments';
  const { rows } = await testDatabase().pool.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [
    shop.tenantId,
  ]);
  return rows.length > 0;
}
