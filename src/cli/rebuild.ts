import { DERIVED_HISTORY } from '../base/history/index.js';
import { checkRebuild, declaredTables, type RebuildReport, Sealer } from '../base/ledger/index.js';
import {
  loadCheckConfig,
  openDatabase,
  otherSecrets,
  StartRefused,
} from '../base/platform/index.js';
import { err, ok, type Result, type TenantId } from '../core/kernel/index.js';
import { PROJECTIONS } from '../projections.js';
import type { ProgressLine } from './progress.js';

export interface RebuildWish {
  readonly scope: TenantId | 'all';
  readonly note: (line: string) => void;
  readonly progress: ProgressLine;
}

/**
 * Folds every ledger again, verifies its chain and compares heads and tables with the fold; changes nothing. Runs beside
 * the database, on the settings of the service. Failures, one line each: settings, no ledger, another master, no such
 * tenant, a database that does not answer.
 */
export async function rebuildCheck(wish: RebuildWish): Promise<Result<RebuildReport, string>> {
  try {
    const config = loadCheckConfig({ report: wish.note });
    // Large ledgers take their time: the check takes the limits of the connection away.
    const database = await openDatabase({ ...config, answerTimeoutMs: null }, wish.note);
    try {
      return await check(database, { ...wish, ledgerHmacMaster: config.ledgerHmacMaster });
    } finally {
      await database.close();
    }
  } catch (error) {
    return err(error instanceof StartRefused ? error.message : String(error));
  }
}

async function check(
  database: Awaited<ReturnType<typeof openDatabase>>,
  { scope, progress, ledgerHmacMaster }: RebuildWish & { readonly ledgerHmacMaster: Buffer },
): Promise<Result<RebuildReport, string>> {
  const connection = await database.pool.connect();
  try {
    const tables = await declaredTables(connection);
    if (!tables.some(({ table }) => table === 'heads'))
      return err('This database holds no ledger: the service makes one when it starts.');
    const master = { LEDGER_HMAC_MASTER: ledgerHmacMaster };
    const bindsSecrets = tables.some(({ table }) => table === 'deployment_secrets');
    if (bindsSecrets && (await otherSecrets(connection, master)).length > 0)
      return err(
        'This ledger is sealed under another LEDGER_HMAC_MASTER: give the DATA_DIR that the service runs with, or the value.',
      );
    const report = await checkRebuild(connection, scope, {
      projections: PROJECTIONS,
      derived: [DERIVED_HISTORY],
      sealer: new Sealer(ledgerHmacMaster),
      onProgress: ({ done, total }) => progress.show({ done, total, unit: 'entries' }),
    });
    return scope !== 'all' && report.tenantCount === 0
      ? err(`There is no tenant ${scope}.`)
      : ok(report);
  } finally {
    progress.clear();
    connection.release();
  }
}

/** A line for each difference that is told, then the verdict. */
export function rebuildText(report: RebuildReport): string {
  const { tenantCount, entryCount, rowCount, differenceCount, differences } = report;
  const untold = differenceCount - differences.length;
  return [
    ...differences.map(({ tenantId, table, key, member, stored, folded }) => {
      const values =
        stored === null && folded === null ? '' : `: stored ${stored}, folded ${folded}`;
      return `${tenantId} ${table} ${key} ${member}${values}`;
    }),
    ...(untold > 0 ? [`... and ${untold} more`] : []),
    `${differenceCount === 0 ? 'same' : 'different'}: ${tenantCount} tenants, ${entryCount} entries, ${rowCount} rows, ${differenceCount} differences`,
  ].join('\n');
}

export const rebuildDocument = (report: RebuildReport) => ({
  same: report.differenceCount === 0,
  tenant_count: report.tenantCount,
  entry_count: report.entryCount,
  row_count: report.rowCount,
  difference_count: report.differenceCount,
  differences: report.differences.map(({ tenantId, ...difference }) => ({
    tenant_id: tenantId,
    ...difference,
  })),
});
