import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { migrate } from '../../src/base/platform/database/migrate.js';
import { runScript } from '../support/compiled.js';
import { testDatabase } from '../support/database.js';
import { databaseUrl, FRESH_DATABASE_PREFIX } from '../support/database-url.js';

let folder = '';
let connectionString = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arbiter-migrations-'));
  const name = `${FRESH_DATABASE_PREFIX}${randomUUID().replaceAll('-', '')}`;
  await testDatabase().pool.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  connectionString = databaseUrl(testDatabase().connectionString, name);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, sql: string): void =>
  writeFileSync(join(folder, name), `-- Up Migration\n${sql}\n`);

test('runs what is new, in order, once', async () => {
  write('0001_first.sql', 'CREATE TABLE first (id int4);');
  write('0002_second.sql', 'INSERT INTO first VALUES (1);');
  expect(await migrate({ connectionString }, folder)).toEqual(['0001_first', '0002_second']);
  write('0003_third.sql', 'INSERT INTO first VALUES (2);');
  expect(await migrate({ connectionString }, folder)).toEqual(['0003_third']);
  expect(await migrate({ connectionString }, folder)).toEqual([]);
});

test('a migration that fails leaves nothing of this start, and is one line', async () => {
  write('0001_first.sql', 'CREATE TABLE first (id int4);');
  write('0002_second.sql', 'SELECT 1 / 0;');
  await expect(migrate({ connectionString }, folder)).rejects.toThrow(
    /^The database cannot be migrated: .*division by zero/,
  );
  write('0002_second.sql', 'SELECT 1;');
  expect(await migrate({ connectionString }, folder)).toEqual(['0001_first', '0002_second']);
});

test('a user who may not create tables reads what to do, without a stack', async () => {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  await owner.query('REVOKE CREATE ON SCHEMA public FROM pg_database_owner');
  await owner.end();
  await expect(migrate({ connectionString }, folder)).rejects.toThrow(
    /^The database cannot be migrated: the user of DATABASE_URL may not create tables in the schema public: [^\n]{1,150}$/,
  );
});

/** A role without rights of its own; `connectionString` leads it to the test's database. */
async function stranger(): Promise<{ readonly role: string; readonly connectionString: string }> {
  const url = new URL(connectionString);
  const role = `stranger_${randomUUID().replaceAll('-', '')}`;
  await asSuperuser(`CREATE ROLE ${role} LOGIN`);
  url.username = role;
  return { role, connectionString: url.toString() };
}

async function asSuperuser(sql: string): Promise<void> {
  const url = new URL(connectionString);
  url.username = SUPERUSER;
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test('all rights that a first start lacks stand in one line, and with them it starts', async () => {
  write('0001_first.sql', 'CREATE TABLE first (id int4);');
  const { role, connectionString: narrow } = await stranger();
  const start = () => migrate({ connectionString: narrow, schemasToMake: ['bullmq'] }, folder);
  const database = new URL(narrow).pathname.slice(1);
  const inSchema = `GRANT CREATE ON SCHEMA public TO ${role}`;
  const inDatabase = `GRANT CREATE ON DATABASE ${database} TO ${role}`;
  await expect(start()).rejects.toThrow(
    `The database cannot be migrated: the user of DATABASE_URL may not create tables in the schema public and may not make the schema bullmq: ${inSchema}; ${inDatabase}; or make it the owner`,
  );
  await asSuperuser(inSchema);
  await expect(start()).rejects.toThrow(`may not make the schema bullmq: ${inDatabase}; or make`);
  await asSuperuser(inDatabase);
  expect(await start()).toEqual(['0001_first']);
});

test('tables of another owner: the line names the owner, or the migrations run once they are given over', async () => {
  write('0001_first.sql', 'CREATE TABLE first (id int4);');
  await migrate({ connectionString }, folder);
  const owner = new URL(connectionString).username;
  const { role, connectionString: narrow } = await stranger();
  const line = `The database cannot be migrated: the tables belong to ${owner}, and the user of DATABASE_URL (${role}) may not change them: connect as ${owner}, or give them to it as a superuser (REASSIGN OWNED BY ${owner} TO ${role}).`;
  await expect(migrate({ connectionString: narrow }, folder)).rejects.toThrow(line);
  await asSuperuser(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`);
  expect(await migrate({ connectionString: narrow }, folder)).toEqual([]);
  write('0002_second.sql', 'ALTER TABLE first ADD COLUMN more int4;');
  await expect(migrate({ connectionString: narrow }, folder)).rejects.toThrow(line);
  expect(await migrate({ connectionString }, folder)).toEqual(['0002_second']);
});

test('a migration inserted before one that ran is refused', async () => {
  write('0002_second.sql', 'SELECT 1;');
  await migrate({ connectionString }, folder);
  write('0001_first.sql', 'SELECT 1;');
  await expect(migrate({ connectionString }, folder)).rejects.toThrow(
    /0001_first is preceding already run migration 0002_second/,
  );
});

test("two processes at once: one migrates the project's tables, both succeed", async () => {
  const text = `
    import { migrate } from 'DIST/base/platform/database/migrate.js';
    console.log((await migrate({ connectionString: process.env.URL })).length);`;
  const children = await Promise.all(
    [1, 2, 3].map(() => runScript(text, { URL: connectionString })),
  );
  const outputs = await Promise.all(
    children.map(async (child) => {
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(0);
      return Number(output);
    }),
  );
  const ran = outputs.filter((count) => count > 0);
  expect(ran).toHaveLength(1);
  expect(await migrate({ connectionString })).toEqual([]);
});
