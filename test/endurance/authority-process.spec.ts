import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  artifactIdOf,
  type DemoFact,
  FROZEN_AT_MS,
  FROZEN_TENANT_ID,
  PRODUCTS,
  SHOP,
  signedFact,
} from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { apiKeysOf } from '../../src/demo/seed.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { authorityPidOf, endServices, isAlive, ServiceProcess, until } from './service-process.js';

const keys = apiKeysOf(FROZEN_TENANT_ID);
let folder: string;
let connectionString: string;
let service: ServiceProcess;

beforeAll(async () => {
  folder = temporaryDataFolder('arbiter-endurance-');
  ({ connectionString } = await freshDatabase());
  service = await ServiceProcess.start({ DATABASE_URL: connectionString, DATA_DIR: folder });
});
afterAll(async () => {
  await endServices();
  rmSync(folder, { recursive: true, force: true });
});

async function send(method: string, path: string, [apiKey, body]: [string, unknown?]) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** `allow`, or the reason why not, of the demo's allowed purchase now. */
async function ask(): Promise<string> {
  const { body } = await send('POST', '/v1/decisions', [keys.agent, ALLOWED_HANDOFF]);
  return String(body['outcome'] === 'allow' ? 'allow' : body['reason']);
}

const TEA_COUNT = { merchantId: SHOP, type: 'inventory', product: PRODUCTS[0] } as const;
const TEA_PRICE = { ...TEA_COUNT, type: 'price' } as const;

interface ShownArtifact {
  readonly artifact: {
    readonly status: { readonly status_list: { readonly uri: string; readonly idx: number } };
  };
  readonly status: { readonly verdict: string };
}

async function shown(fact: DemoFact): Promise<ShownArtifact> {
  const path = `/v1/artifacts/${artifactIdOf(fact)}`;
  return (await send('GET', path, [keys.merchant_system])).body as unknown as ShownArtifact;
}

/** A new count of the tea on the slot of the old one: it is good for a minute. */
async function renewStock(atMs: number): Promise<void> {
  const { uri, idx } = (await shown(TEA_COUNT)).artifact.status.status_list;
  const place = { tenantId: FROZEN_TENANT_ID, agentId: '', atMs };
  const artifact = signedFact(TEA_COUNT, { place, slot: { uri, index: idx }, edition: 'renewed' });
  const registered = await send('POST', '/v1/artifacts', [keys.merchant_system, { artifact }]);
  expect(registered).toMatchObject({ status: 201 });
}

const moveClock = (atMs: number) =>
  send('PUT', '/v1/test-clock', [keys.tenant_admin, { now: new Date(atMs).toISOString() }]);

const reserve = async (): Promise<number> =>
  (await send('POST', '/v1/status-slots', [keys.merchant_system, { count: 1 }])).status;

async function dropDatabase(): Promise<void> {
  const maintenance = new pg.Client({ connectionString: inject('maintenanceUrl') });
  await maintenance.connect();
  const name = new URL(connectionString).pathname.slice(1);
  await maintenance.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await maintenance.end();
}

const child = (): number => {
  const pid = authorityPidOf(service);
  if (pid === null) throw new Error('the authority runs');
  return pid;
};

describe('the embedded authority', () => {
  it('killed: decisions go on from fresh copies, and it comes back', async () => {
    expect(await ask()).toBe('allow');
    const killed = child();
    process.kill(killed, 'SIGKILL');
    expect(await ask()).toBe('allow');
    expect(await service.isReady()).toBe(true);
    await until(async () => authorityPidOf(service) !== killed && (await reserve()) === 201);
    expect(await ask()).toBe('allow');
  });

  it('silent: what no fresh copy vouches for is refused, until it is back', async () => {
    const silent = child();
    process.kill(silent, 'SIGSTOP');
    expect((await shown(TEA_PRICE)).status.verdict).toBe('valid');
    // Copies of a list live a minute of the tenant's time, a price lives longer.
    const later = FROZEN_AT_MS + 61_000;
    expect((await moveClock(later)).status).toBe(200);
    expect((await shown(TEA_PRICE)).status.verdict).toBe('unavailable');
    expect(await ask()).not.toBe('allow');
    process.kill(silent, 'SIGKILL');
    await until(async () => (await shown(TEA_PRICE)).status.verdict === 'valid');
    await renewStock(later);
    expect(await ask()).toBe('allow');
  });

  it('ends with the service when that stops in order', async () => {
    const ended = child();
    expect(await service.terminate()).toEqual({ code: 0, signal: null });
    expect(isAlive(ended)).toBe(false);
    service = await ServiceProcess.start(service.environment);
    expect(await ask()).toBe('allow');
  });

  it('is no orphan of a killed service', async () => {
    const orphan = child();
    // Nobody reads what it prints any more, and what it prints is much: its database is away.
    service.child.stderr?.destroy();
    await dropDatabase();
    await service.kill();
    await until(() => !isAlive(orphan));
  });
});
