import { parseArgs } from 'node:util';
import { checkRebuild, declaredTables, type RebuildReport, Sealer } from './base/ledger/index.js';
import {
  loadCheckConfig,
  openDatabase,
  otherSecrets,
  StartRefused,
} from './base/platform/index.js';
import type { TenantId } from './core/kernel/index.js';
import { PROJECTIONS } from './projections.js';

/** Exit codes: what was asked holds; it does not hold; it could not be found out. */
const SAME = 0;
const DIFFERENT = 1;
const COULD_NOT_RUN = 2;

const USAGE = `usage: arbiter rebuild --check [--tenant <tenant id>]

  rebuild --check   folds every ledger again, verifies its chain, and compares heads and tables with the fold;
                    changes nothing. Exit code 0: the same, 1: different, 2: could not run.`;

const PROGRESS_WIDTH = 40;

function showProgress({ done, total }: { readonly done: number; readonly total: number }): void {
  if (!process.stderr.isTTY) return;
  const filled = total === 0 ? PROGRESS_WIDTH : Math.floor((done / total) * PROGRESS_WIDTH);
  const bar = '#'.repeat(filled).padEnd(PROGRESS_WIDTH, '.');
  process.stderr.write(`\r[${bar}] ${done} of ${total} entries`);
}

function printReport(report: RebuildReport): void {
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const { tenantId, table, key, member, stored, folded } of report.differences) {
    const values = stored === null && folded === null ? '' : `: stored ${stored}, folded ${folded}`;
    console.log(`${tenantId} ${table} ${key} ${member}${values}`);
  }
  const { tenantCount, entryCount, rowCount, differenceCount, differences } = report;
  const untold = differenceCount - differences.length;
  if (untold > 0) console.log(`... and ${untold} more`);
  console.log(
    `${differenceCount === 0 ? 'same' : 'different'}: ${tenantCount} tenants, ${entryCount} entries, ${rowCount} rows, ${differenceCount} differences`,
  );
}

async function rebuild(scope: TenantId | 'all'): Promise<number> {
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const config = loadCheckConfig({ report });
  const database = await openDatabase(config, report);
  try {
    const connection = await database.pool.connect();
    try {
      const tables = await declaredTables(connection);
      if (!tables.some(({ table }) => table === 'heads')) {
        console.error('This database holds no ledger: the service makes one when it starts.');
        return COULD_NOT_RUN;
      }
      const master = { LEDGER_HMAC_MASTER: config.ledgerHmacMaster };
      const bindsSecrets = tables.some(({ table }) => table === 'deployment_secrets');
      if (bindsSecrets && (await otherSecrets(connection, master)).length > 0) {
        console.error(
          `This ledger is sealed under another LEDGER_HMAC_MASTER: give the DATA_DIR that the service runs with, or the value.`,
        );
        return COULD_NOT_RUN;
      }
      const found = await checkRebuild(connection, scope, {
        projections: PROJECTIONS,
        sealer: new Sealer(config.ledgerHmacMaster),
        onProgress: showProgress,
      });
      if (scope !== 'all' && found.tenantCount === 0) {
        console.error(`There is no tenant ${scope}.`);
        return COULD_NOT_RUN;
      }
      printReport(found);
      return found.differenceCount === 0 ? SAME : DIFFERENT;
    } finally {
      connection.release();
    }
  } finally {
    await database.close();
  }
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' }, tenant: { type: 'string' } },
  });
  const { check = false, tenant = null } = values;
  const isTenant = tenant === null || /^tnt_[0-9A-Za-z_-]+$/.test(tenant);
  if (positionals.length !== 1 || positionals[0] !== 'rebuild' || !check || !isTenant) {
    console.error(USAGE);
    return COULD_NOT_RUN;
  }
  return rebuild((tenant as TenantId | null) ?? 'all');
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : String(error));
  process.exitCode = COULD_NOT_RUN;
}
