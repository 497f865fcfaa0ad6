import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { databaseUrl, FRESH_DATABASE_PREFIX, SHARED_DATABASE } from '../support/database-url.js';
import { findingText, scanEntries } from '../support/scan-entries.js';

const TOLD_MAX = 50;

/** Runs after every database test, on what they wrote; decisions 1.8. */
it('no entry that any test of this run wrote holds personal data', async () => {
  const maintenanceUrl = inject('maintenanceUrl') as string | undefined;
  if (maintenanceUrl === undefined)
    throw new Error('There is nothing to scan: run this together with the database tests.');
  const maintenance = new pg.Client({ connectionString: maintenanceUrl });
  await maintenance.connect();
  const { rows } = await maintenance
    .query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE datname = $1 OR datname ~ $2 ORDER BY datname',
      [SHARED_DATABASE, `^${FRESH_DATABASE_PREFIX}[0-9a-f]{32}$`],
    )
    .finally(() => maintenance.end());
  let entryCount = 0;
  const findings: string[] = [];
  for (const { datname } of rows) {
    const scan = await scanEntries(databaseUrl(maintenanceUrl, datname));
    entryCount += scan.entryCount;
    findings.push(...scan.findings.map(findingText));
  }
  console.log(`scanned for personal data: ${entryCount} entries of ${rows.length} databases`);
  expect(entryCount).toBeGreaterThan(0);
  expect(findings.slice(0, TOLD_MAX), `${findings.length} findings`).toEqual([]);
});
