import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { LedgerWriter } from '../../src/base/ledger/index.js';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import { FaultyProxy } from './faulty-proxy.js';
import { add, newTenant, opening, toyDatabase, toyWriter } from './toy.js';

describe('GET /health/ready', () => {
  let database: TestDatabase;
  let service: TestService;
  let superuser: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase();
    service = await startTestService({ DATABASE_URL: database.connectionString });
    const url = new URL(database.connectionString);
    url.username = SUPERUSER;
    superuser = new pg.Client({ connectionString: url.toString() });
    await superuser.connect();
  });
  afterAll(() => superuser.end());

  const ready = async () => {
    const answer = await fetch(`${service.baseUrl}/health/ready`);
    const body = (await answer.json()) as { checks: { name: string; healthy: boolean }[] };
    return {
      status: answer.status,
      sick: body.checks.filter(({ healthy }) => !healthy).map(({ name }) => name),
    };
  };
  const untilReadyIs = async (status: number) => {
    let found = await ready();
    while (found.status !== status) found = await ready();
    return found;
  };

  /** As a failover to a server that only reads: connections are lost, new ones may not write. */
  const makeReadOnly = async (mode: 'on' | 'off') => {
    const name = new URL(database.connectionString).pathname.slice(1);
    await superuser.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${mode}`);
    await superuser.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [name],
    );
  };

  it('is 503 while the database answers but nothing can be committed, although nobody asks', async () => {
    expect(await untilReadyIs(200)).toEqual({ status: 200, sick: [] });
    await makeReadOnly('on');
    expect(await untilReadyIs(503)).toEqual({ status: 503, sick: ['writer'] });
    await makeReadOnly('off');
    expect(await untilReadyIs(200)).toEqual({ status: 200, sick: [] });
  });
});

describe('the writer tells', () => {
  let database: TestDatabase;
  let proxy: FaultyProxy;
  let writer: LedgerWriter;

  beforeAll(async () => {
    database = await toyDatabase();
    proxy = await FaultyProxy.start(database.connectionString);
    ({ writer } = toyWriter(proxy.connectionString, { limits: { flushers: 1 } }));
  });
  afterAll(async () => {
    await writer.close();
    await proxy.close();
  });

  it('how long its oldest command has waited, and whether it could commit', async () => {
    const tenantId = newTenant();
    await writer.open(opening(tenantId));
    expect(writer.oldestWaitMs).toBe(0);
    expect(await writer.canCommit()).toBe(true);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      proxy.arm(/COMMIT\0/, (connection, message) => {
        release = () => connection.server.write(message);
        resolve();
      });
    });
    const [first, second] = [writer.execute(add(tenantId)), writer.execute(add(tenantId))];
    await held;
    const waitedMs = writer.oldestWaitMs;
    expect(waitedMs).toBeGreaterThan(0);
    expect(writer.oldestWaitMs).toBeGreaterThanOrEqual(waitedMs);
    release();
    await Promise.all([first, second]);
    expect(writer.oldestWaitMs).toBe(0);
  });

  it('that it stopped', async () => {
    const { writer: leaving } = toyWriter(database.connectionString);
    expect(leaving.isStopped).toBe(false);
    await Promise.all([leaving.close(), leaving.close()]);
    expect(leaving.isStopped).toBe(true);
  });
});
