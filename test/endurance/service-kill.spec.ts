import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { startEmbedded } from '../../src/base/platform/database/embedded.js';
import { FROZEN_TENANT_ID, REAL_TIME_TENANT_ID } from '../../src/demo/demo-world.js';
import { apiKeysOf } from '../../src/demo/seed.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { CAPTURED_MINOR, Load, requestOf, send } from './load.js';
import {
  checkLedger,
  endServices,
  type Environment,
  killPostgres,
  ServiceProcess,
  until,
} from './service-process.js';

const LANES = 12;
const folders: string[] = [];
const newFolder = (): string => {
  const folder = temporaryDataFolder('arbiter-endurance-');
  folders.push(folder);
  return folder;
};

afterAll(async () => {
  await endServices();
  for (const folder of folders) {
    // Whoever closes the folder last stops its database.
    if (existsSync(join(folder, 'postgres')))
      await startEmbedded({ dataFolder: folder }).then((server) => server.close());
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What stands in the tables: decisions and captured money of both tenants. */
async function totalsIn(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT (SELECT count(*) FROM decisions WHERE tenant_id = ANY($1)) AS decisions,
        (SELECT count(*) FROM captures WHERE tenant_id = ANY($1)) AS captures,
        (SELECT coalesce(sum(captured_minor), 0) FROM order_money WHERE tenant_id = ANY($1)) AS of_orders,
        (SELECT coalesce(sum(confirmed_minor), 0) FROM merchant_day_money WHERE tenant_id = ANY($1)) AS of_days`,
      [[FROZEN_TENANT_ID, REAL_TIME_TENANT_ID]],
    );
    return Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
    );
  } finally {
    await client.end();
  }
}

const embeddedTotals = async (dataFolder: string) => {
  const server = await startEmbedded({ dataFolder });
  try {
    return await totalsIn(server.connectionString);
  } finally {
    await server.close();
  }
};

/** Each thing sent is recorded once, whatever happened on the way. */
function totalsOf(load: Load) {
  const sent = [...load.sent.values()];
  const captures = sent.filter(({ kind }) => kind === 'capture').length;
  const money = captures * CAPTURED_MINOR;
  return { decisions: sent.length - captures, captures, of_orders: money, of_days: money };
}

/** Every allowed decision a client was told of is found again, as it was told. */
async function expectFound(service: ServiceProcess, load: Load): Promise<void> {
  const told = [...load.acknowledged].flatMap(([key, { body }]) =>
    typeof body['decision_id'] === 'string' && 'outcome' in body
      ? [{ apiKey: load.sent.get(key)?.apiKey ?? '', body }]
      : [],
  );
  const ids = told.map(({ body }) => String(body['decision_id']));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(0);
  await Promise.all(
    told.map(async ({ apiKey, body }) => {
      const response = await fetch(
        `${service.baseUrl}/v1/decisions/${String(body['decision_id'])}`,
        { headers: { authorization: `Bearer ${apiKey}` } },
      );
      expect([response.status, await response.json()]).toEqual([200, body]);
    }),
  );
}

/** Nothing acknowledged is missing or different, nothing stands twice, and the ledger is whole. */
async function expectNothingLost(
  service: ServiceProcess,
  load: Load,
  totals: () => Promise<unknown>,
): Promise<void> {
  await expectFound(service, load);
  await load.repeatAll(service);
  expect(load.wrong).toEqual([]);
  expect(load.acknowledgedCount).toBe(load.sent.size);
  expect(await totals()).toEqual(totalsOf(load));
  expect(await checkLedger(service.environment)).toMatchObject({
    code: 0,
    text: expect.stringContaining(' 0 differences') as string,
  });
}

describe('a service on its embedded database', () => {
  let dataFolder: string;
  let environment: Environment;
  let service: ServiceProcess;
  const load = new Load('embedded');

  beforeAll(async () => {
    dataFolder = newFolder();
    environment = { DATA_DIR: dataFolder };
    service = await ServiceProcess.start(environment);
  });

  const totals = () => embeddedTotals(dataFolder);

  it('killed with -9 under load loses nothing that was acknowledged', async () => {
    const clients = load.start([service], LANES);
    await load.more(60);
    await service.kill();
    await clients.stop();
    service = await ServiceProcess.start(environment);
    await expectNothingLost(service, load, totals);
  });

  it('goes on when every process of its database is killed with -9', async () => {
    const clients = load.start([service], LANES);
    await load.more(60);
    killPostgres(dataFolder);
    await load.more(60);
    await clients.stop();
    await expectNothingLost(service, load, totals);
  });

  it('survives both being killed at once', async () => {
    const clients = load.start([service], LANES);
    await load.more(60);
    killPostgres(dataFolder);
    await service.kill();
    await clients.stop();
    service = await ServiceProcess.start(environment);
    await expectNothingLost(service, load, totals);
  });

  it('told to stop under load answers what it accepted, and exits with 0', async () => {
    const clients = load.start([service], LANES);
    await load.more(60);
    expect(await service.terminate()).toEqual({ code: 0, signal: null });
    await clients.stop();
    expect(load.wrong).toEqual([]);
    // Whatever was recorded was answered, although some requests met a closed door.
    const answered = [...load.acknowledged.keys()].map((key) => load.sent.get(key));
    const counted = answered.filter((request) => request?.kind === 'decision').length;
    expect(await totals()).toMatchObject({
      decisions: counted,
      captures: answered.length - counted,
    });
    service = await ServiceProcess.start(environment);
    await expectNothingLost(service, load, totals);
    expect(await service.terminate()).toEqual({ code: 0, signal: null });
  });
});

describe('two services on one database', () => {
  it('start at once, write one gapless chain, and answer a key the same', async () => {
    const { connectionString } = await freshDatabase();
    const environment = {
      DATABASE_URL: connectionString,
      DATA_DIR: newFolder(),
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      LEDGER_HMAC_MASTER: randomBytes(32).toString('hex'),
    };
    const services = await Promise.all([
      ServiceProcess.start(environment),
      ServiceProcess.start(environment),
    ]);
    const [first, second] = services;
    const load = new Load('shared');
    const clients = load.start(services, LANES);
    await load.more(80);
    // The same request to both at once: one decides, the other repeats its answer.
    const request = requestOf('the-same', 0);
    load.sent.set(request.key, request);
    const answers = await Promise.all(
      [...services, ...services].map(async ({ baseUrl }) => {
        let answer = await send(baseUrl, request);
        await until(async () => {
          if (answer?.status === 409) answer = await send(baseUrl, request);
          return answer?.status !== 409;
        });
        return answer;
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    await clients.stop();
    await expectNothingLost(first, load, () => totalsIn(connectionString));
    await load.repeatAll(second);
    expect(load.wrong).toEqual([]);
    const [head] = await Promise.all(services.map(headOf));
    expect(await headOf(second)).toEqual(head);
    const ends = await Promise.all(services.map((service) => service.terminate()));
    expect(ends).toEqual([first, second].map(() => ({ code: 0, signal: null })));
  });
});

async function headOf({ baseUrl }: ServiceProcess): Promise<unknown> {
  const response = await fetch(`${baseUrl}/v1/ledger/head`, {
    headers: { authorization: `Bearer ${apiKeysOf(FROZEN_TENANT_ID).tenant_admin}` },
  });
  expect(response.status).toBe(200);
  return response.json();
}
