import { createRequire } from 'node:module';
import pg from 'pg';
import { expect, it } from 'vitest';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { testAuthority } from '../support/authority.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

/** A user who may use everything of the ledger and make nothing outside its schema. */
async function withoutCreate(connectionString: string): Promise<string> {
  const url = new URL(connectionString);
  url.username = SUPERUSER;
  const superuser = new pg.Client({ connectionString: url.toString() });
  await superuser.connect();
  const role = `narrow_${new URL(connectionString).pathname.slice(1)}`.slice(0, 60);
  try {
    await superuser.query(`CREATE ROLE ${role} LOGIN`);
    await superuser.query(`GRANT ALL ON SCHEMA public TO ${role}`);
    for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS'])
      await superuser.query(`GRANT ALL ON ALL ${kind} IN SCHEMA public TO ${role}`);
  } finally {
    await superuser.end();
  }
  url.username = role;
  return url.toString();
}

it('a database user who may not make the schema stops the start with the fix; without jobs, or as the owner, it starts', async () => {
  const { connectionString } = await freshDatabase();
  const narrow = await withoutCreate(connectionString);
  // An authority of its own: an embedded one would need a schema of its own.
  const settings = { ...testAuthority().settings, DATABASE_URL: narrow };
  await expect(startTestService({ ...settings, JOBS: 'on' })).rejects.toThrow(
    /^JOBS is on, but the user of DATABASE_URL may not create the schema bullmq: GRANT CREATE/,
  );
  await (await startTestService({ ...settings, JOBS: 'off' })).stop();
  await (await startTestService({ DATABASE_URL: connectionString, JOBS: 'on' })).stop();
});

it('REDIS_URL without the package that speaks to Redis stops the start with the fix', async () => {
  try {
    createRequire(import.meta.url).resolve('ioredis');
  } catch {
    const environment = { JOBS: 'on', REDIS_URL: 'redis://127.0.0.1:1' };
    await expect(startTestService(environment)).rejects.toThrow(/npm install ioredis/);
  }
});

it('with JOBS on the health page tells of them, with JOBS off it does not', async () => {
  const { connectionString } = await freshDatabase();
  const names = async (jobs: string): Promise<readonly string[]> => {
    const service = await startTestService({ DATABASE_URL: connectionString, JOBS: jobs });
    const answer = await fetch(`${service.baseUrl}/health/ready`);
    const { checks } = (await answer.json()) as { checks: { name: string; healthy: boolean }[] };
    await service.stop();
    expect(checks.every(({ healthy }) => healthy)).toBe(true);
    return checks.map(({ name }) => name);
  };
  expect(await names('on')).toContain('jobs');
  expect(await names('off')).not.toContain('jobs');
});
