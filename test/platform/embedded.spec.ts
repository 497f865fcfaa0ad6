import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startEmbedded, type EmbeddedServer } from '../../src/base/platform/database/embedded.js';
import { isPostmasterOf, readPostmasterFile } from '../../src/base/platform/database/postmaster.js';
import { compiledSources, runScript } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];

/** A data folder that was started and stopped once; most tests begin with a copy of it, which is cheaper than initdb. */
let prepared = '';

beforeAll(async () => {
  prepared = temporaryDataFolder('arbiter-prepared-');
  await (await startEmbedded({ dataFolder: prepared })).close();
});

afterAll(() => rmSync(prepared, { recursive: true, force: true }));

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(servers.splice(0).map((server) => server.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = temporaryDataFolder('arbiter-embedded-');
  folders.push(folder);
  return folder;
}

function usedFolder(): string {
  const folder = newFolder();
  execFileSync('cp', ['-a', join(prepared, 'postgres'), folder]);
  return folder;
}

async function start(dataFolder: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataFolder });
  servers.push(server);
  return server;
}

async function query(
  server: { connectionString: string },
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A service process: starts the server, prints `ready <pid> <connection string>`, runs `body`, closes on SIGTERM. */
async function service(
  dataFolder: string,
  body = '',
): Promise<{ child: ChildProcess; lines: AsyncIterator<string> }> {
  const child = await runScript(
    `import { startEmbedded } from 'DIST/base/platform/database/embedded.js';
     import { createPool } from 'DIST/base/platform/database/pool.js';
     const server = await startEmbedded({ dataFolder: process.env.DATA });
     process.on('SIGTERM', () => server.close().then(() => process.exit(0)));
     console.log('ready', server.postmasterPid(), server.connectionString);
     ${body}
     setInterval(() => undefined, 1000);`,
    { DATA: dataFolder },
  );
  children.push(child);
  return {
    child,
    lines: createInterface({ input: child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ](),
  };
}

async function ready(
  lines: AsyncIterator<string>,
): Promise<{ pid: number; connectionString: string }> {
  const [word, pid, connectionString] = String((await lines.next()).value).split(' ');
  expect(word).toBe('ready');
  return { pid: Number(pid), connectionString: connectionString ?? '' };
}

async function killAndWait(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const forkedBy = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);

/** Every process of the server: the postmaster and what it forked. */
function killServer(pid: number): void {
  for (const each of [pid, ...forkedBy(pid)]) process.kill(each, 'SIGKILL');
}

test('first start: durable settings, checksums, no TCP, a private socket, an owner that is no superuser', async () => {
  const folder = newFolder();
  const server = await start(folder);
  const [row] = await query(
    server,
    `SELECT current_setting('listen_addresses') AS tcp, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commit, current_setting('data_checksums') AS checksums,
       current_setting('server_encoding') AS encoding, usesuper AS super,
       pg_get_userbyid(datdba) AS owner
     FROM pg_user, pg_database WHERE usename = current_user AND datname = current_database()`,
  );
  expect(row).toMatchObject({
    tcp: '',
    fsync: 'on',
    commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
  });
  expect(row).toMatchObject({ super: false, owner: 'arbiter' });
  expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
});

test('stop and start again: the rows are there, and after the last close no process is left', async () => {
  const folder = usedFolder();
  const first = await startEmbedded({ dataFolder: folder });
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS number');
  const pid = first.postmasterPid();
  await first.close();
  expect(isPostmasterOf(pid, join(folder, 'postgres'))).toBe(false);
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(await query(await start(folder), 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
});

test('kill -9 of the service: the next start uses the server that lived on, and its close stops it', async () => {
  const folder = usedFolder();
  const { child, lines } = await service(folder);
  const orphan = await ready(lines);
  await killAndWait(child, 'SIGKILL');
  const server = await startEmbedded({ dataFolder: folder });
  expect(server.postmasterPid()).toBe(orphan.pid);
  await server.close();
  expect(isPostmasterOf(orphan.pid, join(folder, 'postgres'))).toBe(false);
});

test('kill -9 of everything under load: no acknowledged row is missing', async () => {
  const folder = usedFolder();
  const { child, lines } = await service(
    folder,
    `const pool = createPool({ connectionString: server.connectionString });
     await pool.query('CREATE TABLE load (number bigint PRIMARY KEY)');
     let next = 0;
     const client = async () => {
       for (;;) {
         const number = ++next;
         await pool.query('INSERT INTO load VALUES ($1)', [number]);
         console.log(number);
       }
     };
     for (let index = 0; index < 8; index += 1) client().catch(() => undefined);`,
  );
  const { pid } = await ready(lines);
  const acknowledged: number[] = [];
  while (acknowledged.length < 2_000) acknowledged.push(Number((await lines.next()).value));
  killServer(pid);
  await killAndWait(child, 'SIGKILL');
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (/^\d+$/.test(line.value)) acknowledged.push(Number(line.value));
  }
  const found = await query(await start(folder), 'SELECT number::int4 FROM load');
  const numbers = new Set(found.map(({ number }) => number));
  expect(acknowledged.filter((number) => !numbers.has(number))).toEqual([]);
});

test('two processes start on one empty folder: one server, and the last one out stops it', async () => {
  const folder = newFolder();
  const both = await Promise.all([service(folder), service(folder)]);
  const [one, two] = await Promise.all(both.map(({ lines }) => ready(lines)));
  expect(one?.pid).toBe(two?.pid);
  await killAndWait(both[0].child, 'SIGTERM');
  expect(await query({ connectionString: two?.connectionString ?? '' }, 'SELECT 1 AS one')).toEqual(
    [{ one: 1 }],
  );
  await killAndWait(both[1].child, 'SIGTERM');
  expect(isPostmasterOf(one?.pid ?? 0, join(folder, 'postgres'))).toBe(false);
});

test('one process closes while another joins: the one that joined has a server', async () => {
  const folder = usedFolder();
  for (let round = 0; round < 5; round += 1) {
    const leaving = await startEmbedded({ dataFolder: folder });
    const [joined] = await Promise.all([startEmbedded({ dataFolder: folder }), leaving.close()]);
    expect(await query(joined, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await joined.close();
  }
});

test('the server is killed while in use: it is started again at the same address', async () => {
  const server = await start(usedFolder());
  const killed = server.postmasterPid();
  killServer(killed);
  await expect.poll(() => server.postmasterPid(), { timeout: 60_000 }).not.toBe(killed);
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a process that outlives its killed server, waiting forever, does not hold up the next', async () => {
  const folder = usedFolder();
  const lines: string[] = [];
  const server = await startEmbedded({ dataFolder: folder, report: (line) => lines.push(line) });
  servers.push(server);
  const killed = server.postmasterPid();
  const [survivor, ...others] = forkedBy(killed);
  if (survivor === undefined) throw new Error('a server has processes');
  process.kill(survivor, 'SIGSTOP');
  for (const each of [killed, ...others]) process.kill(each, 'SIGKILL');
  await expect.poll(() => server.postmasterPid(), { timeout: 60_000 }).not.toBe(killed);
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(lines).toContain(
    'Processes of a PostgreSQL that was killed did not end; they are ended: 1.',
  );
});

test('the data folder is deleted while in use: it is told once, and the close ends', async () => {
  const folder = usedFolder();
  const lines: string[] = [];
  const server = await startEmbedded({ dataFolder: folder, report: (line) => lines.push(line) });
  rmSync(folder, { recursive: true, force: true });
  killServer(server.postmasterPid());
  expect(await server.gone).toBe(
    `DATA_DIR ${folder} is gone, and the ledger with it: the service stops; the next start is a fresh one.`,
  );
  await server.close();
  expect(lines).toEqual(['The embedded PostgreSQL was lost; it is looked for and started again.']);
});

test('the service whose data folder is deleted says so in one line and ends with 74', async () => {
  const folder = newFolder();
  const entry = join(await compiledSources(), 'main.js');
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', SEED_DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  expect([child.exitCode, said]).toEqual([null, expect.stringContaining('Server listening')]);
  const { pid } = readPostmasterFile(join(folder, 'postgres')) ?? { pid: 0 };
  rmSync(folder, { recursive: true, force: true });
  killServer(pid);
  expect(await ended).toEqual([74, null]);
  expect(said.match(/is gone, and the ledger with it/g)).toHaveLength(1);
  expect(said).not.toContain('ENOENT: no such file or directory');
});

test('postmaster.pid names a living process that is no PostgreSQL: it is set aside', async () => {
  const folder = usedFolder();
  const foreign = spawn('sleep', ['600'], { stdio: 'ignore' });
  children.push(foreign);
  const cluster = join(folder, 'postgres');
  const lines = [foreign.pid, cluster, 1, 5432, join(folder, 'run'), '', '  1 1', 'ready   '];
  writeFileSync(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`);
  expect(await query(await start(folder), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(foreign.exitCode).toBeNull();
});

test('postmaster.pid names a dead process: PostgreSQL takes it over', async () => {
  const folder = usedFolder();
  const dead = spawn('true');
  await once(dead, 'exit');
  await (await startEmbedded({ dataFolder: folder })).close();
  writeFileSync(
    join(folder, 'postgres', 'postmaster.pid'),
    `${dead.pid}\n${join(folder, 'postgres')}\n1\n5432\n\n\n\n`,
  );
  expect(await query(await start(folder), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a server whose socket was deleted is stopped cleanly and started anew', async () => {
  const folder = usedFolder();
  const { child, lines } = await service(folder);
  const orphan = await ready(lines);
  await killAndWait(child, 'SIGKILL');
  unlinkSync(join(folder, 'run', '.s.PGSQL.5432'));
  const server = await start(folder);
  expect(server.postmasterPid()).not.toBe(orphan.pid);
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a path too long for a socket: the socket stands in a short private folder', async () => {
  const folder = join(newFolder(), 'x'.repeat(120));
  mkdirSync(folder, { mode: 0o711 });
  const server = await start(folder);
  const socketFolder = new URL(server.connectionString).searchParams.get('host') ?? '';
  folders.push(socketFolder);
  expect(socketFolder.length).toBeLessThan(80);
  expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
  expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a draft of a process that died is taken away; a folder that is no cluster is refused', async () => {
  const folder = newFolder();
  const dead = spawn('true');
  await once(dead, 'exit');
  mkdirSync(join(folder, `postgres.draft-${dead.pid}-0`));
  await start(folder);
  expect(existsSync(join(folder, `postgres.draft-${dead.pid}-0`))).toBe(false);

  const other = newFolder();
  mkdirSync(join(other, 'postgres'));
  writeFileSync(join(other, 'postgres', 'holiday.jpg'), '');
  if (process.getuid?.() === 0) execFileSync('chown', ['nobody', join(other, 'postgres')]);
  await expect(startEmbedded({ dataFolder: other })).rejects.toThrow(/holds no PostgreSQL cluster/);
});
