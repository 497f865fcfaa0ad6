import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { FROZEN_TENANT_ID } from '../../src/demo/demo-world.js';
import { apiKeysOf } from '../../src/demo/seed.js';
import { endServices, ServiceProcess, until } from '../endurance/service-process.js';
import { startTestAuthority } from '../support/authority.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { ALLOWED, http, say } from './agent-shop.js';

const folder = temporaryDataFolder('arbiter-a2a-');
afterAll(async () => {
  await endServices();
  rmSync(folder, { recursive: true, force: true });
});

it('a process that is killed between decision and task leaves a decision that the repeat finds', async () => {
  const { connectionString, pool } = await freshDatabase();
  const { settings } = await startTestAuthority({ DATABASE_URL: connectionString });
  const environment = {
    ...settings,
    DATABASE_URL: connectionString,
    DATA_DIR: folder,
    SEED_DEMO: 'on',
    COUNTERSIGNER: 'off',
  };
  const apiKey = apiKeysOf(FROZEN_TENANT_ID).agent;
  const message = say(ALLOWED);
  const send = ({ baseUrl }: ServiceProcess) =>
    http(baseUrl, {
      ...{ method: 'POST', path: '/a2a/v1/message:send', version: '1.0', apiKey },
      body: { message },
    });
  const decisions = async (): Promise<number> => {
    const { rows } = await pool.query(
      `SELECT count(*) AS count FROM entries WHERE tenant_id = $1 AND type LIKE 'decision%'`,
      [FROZEN_TENANT_ID],
    );
    return Number(rows[0].count);
  };

  const first = await ServiceProcess.start(environment);
  const added = await http(first.baseUrl, {
    ...{ method: 'POST', path: '/v1/origins', apiKey: apiKeysOf(FROZEN_TENANT_ID).tenant_admin },
    // Without a port: it answers for each of the two processes.
    body: { origin: new URL(first.baseUrl).origin.replace(/:\d+$/, '') },
  });
  expect(added.status).toBe(200);
  const before = await decisions();
  // Nobody writes a task while this is held, so the process waits exactly between the two.
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE a2a_tasks IN SHARE MODE');
  const broken = send(first).catch((error: unknown) => error);
  await until(async () => (await decisions()) === before + 1);
  await first.kill();
  expect(await broken).toBeInstanceOf(Error);
  await holder.query('ROLLBACK');
  holder.release();

  const second = await ServiceProcess.start(environment);
  const answer = await send(second);
  expect(answer.status).toBe(200);
  expect(answer.body.task.status.state).toBe('TASK_STATE_COMPLETED');
  expect((await send(second)).body).toEqual(answer.body);
  expect(await decisions()).toBe(before + 1);
  const other = await http(second.baseUrl, {
    ...{ method: 'POST', path: '/a2a/v1/message:send', version: '1.0', apiKey },
    body: { message: { ...say({ ...ALLOWED, fulfilment: 1 }), messageId: message.messageId } },
  });
  expect(other.body.error.details[0].metadata.code).toBe('idempotency_conflict');
});
