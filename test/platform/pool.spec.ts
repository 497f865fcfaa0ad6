import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/base/platform/database/database.js';
import {
  ANSWER_TIMEOUT_MS,
  createPool,
  type Pool,
  STATEMENT_TIMEOUT_MS,
  withoutPassword,
} from '../../src/base/platform/database/pool.js';
import { problemOfForeignError } from '../../src/base/platform/http/foreign-error.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { freshDatabase, testDatabase } from '../support/database.js';
import { databaseUrl } from '../support/database-url.js';

const openMessage = (url: string): Promise<string> =>
  openDatabase({ databaseUrl: url, dataDir: '/nowhere' }).then(
    async (database) => {
      await database.close();
      return 'opened';
    },
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('a client of the pool pipelines', () => {
  test('queries sent without awaiting each other are answered in order', async () => {
    const client = await testDatabase().pool.connect();
    const answers = await Promise.all([
      client.query('BEGIN'),
      client.query('SELECT $1::int4 AS number', [1]),
      client.query('SELECT $1::int4 AS number', [2]),
      client.query('COMMIT'),
    ]);
    client.release();
    expect(answers.map(({ rows }) => rows as unknown[])).toEqual([
      [],
      [{ number: 1 }],
      [{ number: 2 }],
      [],
    ]);
  });

  test('one statement name twice in one pipeline is prepared once', async () => {
    const client = await testDatabase().pool.connect();
    const named = (number: number) =>
      client.query({ name: 'twice', text: 'SELECT $1::int4 AS number', values: [number] });
    const answers = await Promise.all([named(1), named(2), named(3)]);
    client.release();
    expect(answers.map(({ rows }) => rows[0] as unknown)).toEqual([
      { number: 1 },
      { number: 2 },
      { number: 3 },
    ]);
  });

  test('after an error the rest of the transaction fails with 25P02, COMMIT keeps nothing, the client lives', async () => {
    const { pool } = await freshDatabase();
    await pool.query('CREATE TABLE pipelined (number int4)');
    const client = await pool.connect();
    const answers = await Promise.allSettled([
      client.query('BEGIN'),
      client.query('INSERT INTO pipelined VALUES (1)'),
      client.query('SELECT 1 / 0'),
      client.query('INSERT INTO pipelined VALUES (2)'),
      client.query('COMMIT'),
    ]);
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as { code: string }).code : 'ok',
    );
    expect(codes).toEqual(['ok', 'ok', '22012', '25P02', 'ok']);
    expect((await client.query('SELECT number FROM pipelined')).rows).toEqual([]);
    client.release();
  });

  test('lost while it is held, it fails what is asked on it and nothing else', async () => {
    const client = await testDatabase().pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((resolve) => client.once('end', resolve));
    await testDatabase().pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
    expect((await testDatabase().pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('int8 and numeric arrive as strings', async () => {
    const { rows } = await testDatabase().pool.query(
      'SELECT 9007199254740993::int8 AS big, 1.10::numeric AS exact',
    );
    expect(rows).toEqual([{ big: '9007199254740993', exact: '1.10' }]);
  });

  test('a statement and an idle transaction end by themselves', async () => {
    const { rows } = await testDatabase().pool.query(
      "SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle",
    );
    expect(rows).toEqual([{ statement: '30s', idle: '15s' }]);
  });
});

test('a parameterised text of the pool is prepared once on its connection', async () => {
  const { connectionString } = testDatabase();
  const pool = createPool({ connectionString, maxConnections: 1 });
  const ask = 'SELECT $1::int4 AS asked';
  expect((await pool.query(ask, [1])).rows).toEqual([{ asked: 1 }]);
  expect((await pool.query(ask, [2])).rows).toEqual([{ asked: 2 }]);
  const { rows } = await pool.query('SELECT statement FROM pg_prepared_statements');
  await pool.end();
  expect(rows).toEqual([{ statement: ask }]);
});

describe('a network that falls silent', () => {
  let proxy: FaultyProxy;
  let pool: Pool;
  beforeEach(async () => {
    proxy = await FaultyProxy.start(testDatabase().connectionString);
    pool = createPool({
      ...{ connectionString: proxy.connectionString, maxConnections: 1, answerTimeoutMs: 300 },
    });
  });
  afterEach(async () => {
    await pool.end();
    await proxy.close();
  });
  const silence = (): void =>
    proxy.arm(/'swallowed'/, (connection, message) => void connection.hold(message));
  const SWALLOWED = "SELECT 'swallowed'";
  const one = async () => (await pool.query('SELECT $1::int4 AS one', [1])).rows as unknown[];

  test('is given up, and the next query goes through another connection', async () => {
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    silence();
    const error = await pool.query(SWALLOWED).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    expect(problemOfForeignError(error)).toMatchObject({ code: 'unavailable' });
    const next = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(next.rows[0]?.pid).not.toBe(rows[0]?.pid);
    expect(pool.totalCount).toBe(1);
  });

  test('fails what waits behind it on the same connection, and leaves nobody with that connection', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    silence();
    const asked = await Promise.allSettled([
      client.query(SWALLOWED),
      client.query('SELECT 2'),
      client.query('COMMIT'),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(client.query('ROLLBACK')).rejects.toThrow();
    client.release();
    expect(await one()).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(1);
  });

  test('is waited for longer than the server takes to end a statement, or without end where that is asked for', async () => {
    const { connectionString } = testDatabase();
    const [usual, patient] = [
      createPool({ connectionString }),
      createPool({ connectionString, answerTimeoutMs: null }),
    ];
    expect(usual.options.query_timeout).toBe(ANSWER_TIMEOUT_MS);
    expect(ANSWER_TIMEOUT_MS).toBeGreaterThan(STATEMENT_TIMEOUT_MS);
    expect(patient.options.query_timeout).toBe(0);
    await Promise.all([usual.end(), patient.end()]);
  });
});

describe('a DATABASE_URL that cannot be used is one line with the fix', () => {
  test('nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = (server.address() as { port: number }).port;
    server.close();
    await once(server, 'close');
    const message = await openMessage(`postgres://me:hunter2@127.0.0.1:${port}/shop`);
    expect(message).toBe(
      `StartRefused: DATABASE_URL postgres://me:***@127.0.0.1:${port}/shop refuses the connection: start PostgreSQL there, or correct host and port.`,
    );
  });

  test('somebody else listens and says nothing', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = (server.address() as { port: number }).port;
    expect(await openMessage(`postgres://127.0.0.1:${port}/shop`)).toMatch(
      /^StartRefused: DATABASE_URL .* cannot be used \(/,
    );
    server.close();
  });

  test('a host that does not exist', async () => {
    expect(await openMessage('postgres://database.invalid/shop')).toMatch(
      /names a host that cannot be found|cannot be used/,
    );
  });

  test('a database that does not exist', async () => {
    const url = databaseUrl(testDatabase().connectionString, 'missing');
    expect(await openMessage(url)).toMatch(/names a database that does not exist: create it/);
  });

  test('a user that does not exist', async () => {
    const url = new URL(testDatabase().connectionString);
    url.username = 'stranger';
    expect(await openMessage(url.toString())).toMatch(
      /does not let us in: correct user and password/,
    );
  });

  test('the password is never shown', () => {
    expect(withoutPassword('postgres://me:secret@host/shop?password=secret')).not.toContain(
      'secret',
    );
    expect(withoutPassword('me:secret@host')).not.toContain('secret');
    expect(withoutPassword('secret stuff')).not.toContain('secret');
  });
});
