import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
