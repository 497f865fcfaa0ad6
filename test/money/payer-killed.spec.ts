import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../src/core/kernel/index.js';
import { FROZEN_AT_MS } from '../../src/demo/demo-world.js';
import { authorityScene } from '../arbiter/authority.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from '../arbiter/shop.js';
import { fresh, inr, moveClock } from '../arbiter/uses.js';
import { endServices, ServiceProcess, until } from '../endurance/service-process.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { testAuthority } from '../support/authority.js';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import { createTestApiKey, testHouse } from '../support/tenants.js';
import { charge, handOff, on, refund, sweep, TOTAL_MINOR } from './desk.js';
import { faultsOf, RIGHT } from './sums.js';

/**
 * A service in a process of its own is killed with -9 in the middle of a saga; another goes on. `before`: the COMMIT of
 * the step has not arrived; `after`: it has, and nobody heard the answer. At the provider the sandbox takes the order
 * and is silent.
 */
interface Row {
  readonly saga: keyof typeof SAGAS;
  readonly step: 'decide' | 'countersign' | 'use' | 'provider' | 'result';
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

  row('charge',  'decide',   'before',  'none',      'paid',      'paid'),
  row('charge',  'decide',   'after',   'none',      'paid',      'paid'),
  row('charge',  'use',      'before',  'none',      'paid',      'paid'),
  row('charge',  'use',      'after',   'issuing',   'issuing',   'rejected'),
  row('charge',  'provider', 'after',   'issuing',   'issuing',   'paid'),
  row('charge',  'result',   'before',  'issuing',   'issuing',   'paid'),
  row('charge',  'result',   'after',   'paid',      'paid',      'paid'),

  row('refund',  'decide',   'before',  'none',      'done',      'done'),
  row('refund',  'decide',   'after',   'reserved',  'done',      'done'),
  row('refund',  'use',      'before',  'reserved',  'done',      'done'),
  row('refund',  'use',      'after',   'submitted', 'submitted', 'failed'),
  row('refund',  'provider', 'after',   'submitted', 'submitted', 'done'),
  row('refund',  'result',   'before',  'submitted', 'submitted', 'done'),
  row('refund',  'result',   'after',   'done',      'done',      'done'),
];

/** Both the one that is killed and the one that goes on. */
const SETTINGS = {
  AGENT_EXECUTED_PAYMENT_ENABLED: 'true',
  COUNTERSIGNER: 'authority',
};
const SECRETS = {
  ...SETTINGS,
  ...testAuthority().settings,
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
  await compiledSources();
  service = await startTestService(SETTINGS);
});
beforeEach(async () => {
  proxy = await FaultyProxy.start(testDatabase().connectionString);
  const environment = { DATABASE_URL: proxy.connectionString, DATA_DIR: folder, SEED_DEMO: 'off' };
  shop = await openShop(service);
  doomed = await ServiceProcess.start({ ...SECRETS, ...environment });
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
  it.each(TABLE)('$saga, $step, $when: $direct, $repeat, $recovered', goThrough);

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('handoff, countersign, %s: the decision keeps %i of them', async (when, count) => {
    await goThrough(row('handoff', 'countersign', when, 'none', 'open', 'open'));
    expect(await countersignedOf(shop.tenantId)).toBe(count);
  });

  // Nobody has it countersigned again: in the live world the allow is then never used (facts/arbiter.md J7).
  it.each([
    ['before', 0, 'grantex_countersignature_missing'],
    ['after', 1, 'issuing'],
  ] as const)('live handoff, countersign, %s: %i of them, %s', async (when, count, end) => {
    const { tenantId, send } = await prepareLive();
    killAtCommit({ saga: 'handoff', step: 'countersign', when });
    expect(await send(doomed.baseUrl).catch(() => null)).toBeNull();
    await until(async () => (await countersignedOf(tenantId)) === count);
    for (const round of ['repeat', 'and again']) {
      const { body } = await send(service.baseUrl);
      expect([round, stateIn(body) ?? body.reason]).toEqual([round, end]);
      await sweep({ ...shop, tenantId });
      expect(await statesOf('payments', tenantId)).toEqual(end === 'issuing' ? [end] : []);
    }
    expect(await countersignedOf(tenantId)).toBe(count);
    expect(await faultsOf(tenantId)).toEqual(RIGHT);
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

/** The state after the kill, after a repeat, and when the provider has been asked; then what the ledger folds to. */
async function goThrough(line: Row): Promise<void> {
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
}

const stateIn = (body: { payment?: { state: string }; refund?: { state: string } }) =>
  (body.payment ?? body.refund)?.state;

/** One request of a live tenant, whose own system moves the money. */
async function prepareLive() {
  const house = testHouse();
  const { tenant, tenantId } = await authorityScene(house, 'live');
  const apiKey = await createTestApiKey(house, tenant, { role: 'merchant_system' });
  const price = inr(2_099);
  const line = { product_id: 'tea', variant_id: 'tea-100g', quantity: 1, unit_price: price };
  const cart = { currency: 'INR', lines: [line], total: price };
  const body = { merchant_id: 'shop-1', cart, order_id: fresh('order'), provider: 'merchant' };
  const asked = { apiKey, body, idempotencyKey: fresh('key') };
  const send = (baseUrl: string) =>
    on({ ...service, baseUrl }, shop).call('POST', '/v1/handoffs', asked);
  return { tenantId, send };
}

async function countersignedOf(tenantId: TenantId): Promise<number> {
  const { rowCount } = await testDatabase().pool.query(
    `SELECT FROM entries WHERE tenant_id = $1 AND type = 'allow.countersigned'`,
    [tenantId],
  );
  return rowCount ?? 0;
}

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

const ENTRIES = {
  decide: 'decision.recorded',
  countersign: 'allow.countersigned',
  use: 'allow.used',
} as const;

const COMMIT = /COMMIT\0/;

function killAtCommit({ saga, step, when }: Pick<Row, 'saga' | 'step' | 'when'>): void {
  const type = step === 'result' || step === 'provider' ? SAGAS[saga].moved : ENTRIES[step];
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
  const states = await statesOf(SAGAS[saga].table, shop.tenantId);
  expect(states.length).toBeLessThanOrEqual(1);
  return states[0] ?? 'none';
}

async function statesOf(table: string, tenantId: TenantId): Promise<readonly string[]> {
  const { rows } = await testDatabase().pool.query<{ state: string }>(
    `SELECT state FROM ${table} WHERE tenant_id = $1 ORDER BY entry_seq`,
    [tenantId],
  );
  return rows.map(({ state }) => state);
}

async function providerKnows({ saga }: Row): Promise<boolean> {
  const table = saga === 'refund' ? 'sandbox_refunds' : 'sandbox_payments';
  const { rows } = await testDatabase().pool.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [
    shop.tenantId,
  ]);
  return rows.length > 0;
}
