import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bindSecrets, otherSecrets, StartRefused } from '../../src/base/platform/index.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

const newSecrets = () => ({
  KEY_ENCRYPTION_KEY: randomBytes(32),
  LEDGER_HMAC_MASTER: randomBytes(32),
});

const lineOf = (start: Promise<unknown>): Promise<unknown> =>
  start.then(
    () => 'started',
    (error: unknown) => (error instanceof StartRefused ? error.message : error),
  );

test('the first secrets bind the database, the same ones pass, others are named with the fix', async () => {
  const { pool } = await freshDatabase();
  const first = newSecrets();
  expect(await otherSecrets(pool, first)).toEqual([]);
  await bindSecrets(pool, first);
  await bindSecrets(pool, first);
  const other = { ...first, LEDGER_HMAC_MASTER: randomBytes(32) };
  expect(await lineOf(bindSecrets(pool, other))).toMatch(
    /^LEDGER_HMAC_MASTER is not the one that this database was first started with: [^\n]*DATA_DIR[^\n]*$/,
  );
  expect(await otherSecrets(pool, newSecrets())).toEqual([
    'KEY_ENCRYPTION_KEY',
    'LEDGER_HMAC_MASTER',
  ]);
  await bindSecrets(pool, first);
});

test('what is kept is neither a secret nor the same for one value under two names', async () => {
  const { pool } = await freshDatabase();
  const value = randomBytes(32);
  await bindSecrets(pool, { KEY_ENCRYPTION_KEY: value, LEDGER_HMAC_MASTER: value });
  const { rows } = await pool.query<{ fingerprint: string }>(
    'SELECT fingerprint FROM deployment_secrets',
  );
  const kept = rows.map(({ fingerprint }) => fingerprint);
  expect(new Set([...kept, value.toString('hex')]).size).toBe(3);
});

test('of processes that start at once with other secrets, those of one pass and the rest are refused', async () => {
  const { pool } = await freshDatabase();
  const starts = Array.from({ length: 4 }, newSecrets).flatMap((secrets) => [secrets, secrets]);
  const lines = await Promise.all(starts.map((secrets) => lineOf(bindSecrets(pool, secrets))));
  expect(lines.filter((line) => line === 'started')).toHaveLength(2);
  for (const line of lines.filter((other) => other !== 'started'))
    expect(line).toMatch(/^KEY_ENCRYPTION_KEY is not .*\nLEDGER_HMAC_MASTER is not .*$/);
});

test('a service with another data folder does not start on the database', async () => {
  const { connectionString } = await freshDatabase();
  await startTestService({ DATABASE_URL: connectionString });
  const other = { DATABASE_URL: connectionString, KEY_ENCRYPTION_KEY: '33'.repeat(32) };
  expect(await lineOf(startTestService(other))).toMatch(/^KEY_ENCRYPTION_KEY is not [^\n]*$/);
  await startTestService({ DATABASE_URL: connectionString });
});
