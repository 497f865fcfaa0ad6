import { beforeAll, expect, test } from 'vitest';
import { StartRefused } from '../../src/base/platform/index.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

const PUBLIC = { PUBLIC_BASE_URL: 'https://shop.example' };
const EVERY_NETWORK = { HOST: '0.0.0.0' };

let seeded: string;
beforeAll(async () => {
  seeded = (await freshDatabase()).connectionString;
  const local = await startTestService({ DATABASE_URL: seeded, SEED_DEMO: 'on' });
  await local.stop();
});

const lineOf = (environment: Readonly<Record<string, string>>): Promise<string> =>
  startTestService({ DATABASE_URL: seeded, ...environment }).then(
    async (service) => {
      await service.stop();
      return 'started';
    },
    (error: unknown) => (error instanceof StartRefused ? error.message : String(error)),
  );

test.each([
  ['PUBLIC_BASE_URL https://shop.example', PUBLIC],
  ['HOST 0.0.0.0', EVERY_NETWORK],
])('a database with the demo is not opened to others by %s', async (what, environment) => {
  const line = await lineOf(environment);
  expect(line).toMatch(/^This database holds the demo tenants[^\n]*SEED_DEMO=on[^\n]*$/);
  expect(line).toContain(what);
});

test.each([
  ['on this machine alone', {}],
  ['when the operator says so', { ...PUBLIC, SEED_DEMO: 'on' }],
])('it is served %s', async (_when, environment) => {
  expect(await lineOf(environment)).toBe('started');
});

test('a database without the demo is opened', async () => {
  const { connectionString } = await freshDatabase();
  expect(await lineOf({ ...PUBLIC, ...EVERY_NETWORK, DATABASE_URL: connectionString })).toBe(
    'started',
  );
});
