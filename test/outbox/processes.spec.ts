import { rmSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { FROZEN_TENANT_ID } from '../../src/demo/demo-world.js';
import { apiKeysOf } from '../../src/demo/seed.js';
import { REVOKED_HANDOFF } from '../../src/demo/tour-purchases.js';
import {
  checkLedger,
  endServices,
  type Environment,
  ServiceProcess,
  until,
} from '../endurance/service-process.js';
import { startTestAuthority } from '../support/authority.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { answers, type Received, startReceiver } from './receiver.js';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = temporaryDataFolder('arbiter-outbox-');
  folders.push(folder);
  return folder;
};
afterAll(async () => {
  await endServices();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const keys = apiKeysOf(FROZEN_TENANT_ID);

async function call(
  { baseUrl }: ServiceProcess,
  path: string,
  { body, apiKey = keys.tenant_admin }: { body?: unknown; apiKey?: string } = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): Promise<any> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBeLessThan(300);
  return response.json();
}

const refuse = (service: ServiceProcess) =>
  call(service, '/v1/decisions', { body: REVOKED_HANDOFF, apiKey: keys.agent });

/** Subscribes the receiver to refusals; answers with the secret. */
async function subscribe(service: ServiceProcess, url: string): Promise<string> {
  const body = { url, event_types: ['decision.refused'] };
  return String((await call(service, '/v1/webhook-endpoints', { body })).secret);
}

async function untilDelivered(service: ServiceProcess, count: number): Promise<void> {
  await until(async () => {
    const page = await call(service, '/v1/webhook-deliveries?status=delivered&limit=200');
    return page.items.length === count;
  });
}

const idsOf = (received: readonly Received[]) =>
  received.map(({ headers }) => String(headers['webhook-id']));

async function jobsCheck({ baseUrl }: ServiceProcess): Promise<unknown> {
  const body = (await (await fetch(`${baseUrl}/health/ready`)).json()) as {
    checks: { name: string; healthy: boolean }[];
  };
  return body.checks.find(({ name }) => name === 'jobs');
}

async function databaseEnvironment() {
  const { connectionString, pool } = await freshDatabase();
  const environment: Environment = {
    DATABASE_URL: connectionString,
    DATA_DIR: newFolder(),
    KEY_ENCRYPTION_KEY: '11'.repeat(32),
    LEDGER_HMAC_MASTER: '22'.repeat(32),
    ALLOW_LOOPBACK_PEERS: 'true',
  };
  return { environment, pool };
}

describe('a service process', () => {
  it('on its embedded database sends by itself, and stops in order', async () => {
    const environment = { DATA_DIR: newFolder(), ALLOW_LOOPBACK_PEERS: 'true' };
    const service = await ServiceProcess.start(environment);
    const receiver = await startReceiver();
    const secret = await subscribe(service, receiver.url);
    await refuse(service);
    await receiver.count(1);
    const [request] = receiver.received;
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toMatchObject({
      type: 'decision.refused',
    });
    await untilDelivered(service, 1);
    expect(await jobsCheck(service)).toMatchObject({ healthy: true });
    expect(await service.terminate()).toEqual({ code: 0, signal: null });
    expect(service.errors).toBe('');
    expect(await checkLedger(environment)).toMatchObject({ code: 0 });
  });

  it('killed in the middle of sending leaves the message to the next, under the same id', async () => {
    const { environment, pool } = await databaseEnvironment();
    const service = await ServiceProcess.start(environment);
    const receiver = await startReceiver();
    await subscribe(service, receiver.url);
    receiver.behave(() => undefined);
    await refuse(service);
    await receiver.count(1);
    await service.kill();
    receiver.behave(answers(200));
    const next = await ServiceProcess.start(environment);
    // As if the lease of the process that is gone had ended.
    await pool.query('UPDATE webhook_deliveries SET leased_until_ms = 0');
    await untilDelivered(next, 1);
    expect(idsOf(receiver.received)).toHaveLength(2);
    expect(new Set(idsOf(receiver.received)).size).toBe(1);
    const [delivery] = (await call(next, '/v1/webhook-deliveries')).items;
    const { attempts } = await call(next, `/v1/webhook-deliveries/${delivery.delivery_id}`);
    expect(attempts).toMatchObject([
      { attempt_no: 1, status_code: null, error_class: 'interrupted' },
      { attempt_no: 2, status_code: 200, error_class: null },
    ]);
    expect(await next.terminate()).toEqual({ code: 0, signal: null });
    expect(await checkLedger(environment)).toMatchObject({
      code: 0,
      text: expect.stringContaining(' 0 differences') as string,
    });
  });

  it('told to stop while a receiver hangs does not wait for it', async () => {
    const { environment } = await databaseEnvironment();
    const service = await ServiceProcess.start(environment);
    const receiver = await startReceiver();
    await subscribe(service, receiver.url);
    receiver.behave(() => undefined);
    await refuse(service);
    await receiver.count(1);
    const sinceMs = performance.now();
    expect(await service.terminate()).toEqual({ code: 0, signal: null });
    expect(performance.now() - sinceMs).toBeLessThan(8_000);
  });
});

it('two service processes send each message once', async () => {
  const { environment } = await databaseEnvironment();
  // Services of several machines share one authority, and with it no folder.
  const { settings } = await startTestAuthority({
    DATABASE_URL: environment['DATABASE_URL'] ?? '',
  });
  const services = await Promise.all([
    ServiceProcess.start({ ...environment, ...settings }),
    ServiceProcess.start({ ...environment, ...settings, DATA_DIR: newFolder() }),
  ]);
  const [first] = services;
  const receiver = await startReceiver();
  await subscribe(first, receiver.url);
  const asked = Array.from({ length: 60 }, (_, turn) => services[turn % 2] ?? first);
  await Promise.all(asked.map(refuse));
  await untilDelivered(first, asked.length);
  expect(receiver.received).toHaveLength(asked.length);
  expect(new Set(idsOf(receiver.received)).size).toBe(asked.length);
  const ends = await Promise.all(services.map((service) => service.terminate()));
  expect(ends).toEqual(services.map(() => ({ code: 0, signal: null })));
});
