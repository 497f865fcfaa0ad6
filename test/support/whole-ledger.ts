import { DERIVED_HISTORY } from '../../src/base/history/index.js';
import { checkRebuild, type RebuildReport, Sealer } from '../../src/base/ledger/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { type TestDatabase, testDatabase } from './database.js';

/** The master secret of `startTestService`. */
const MASTER_SECRET = Buffer.alloc(32, 0x22);

/** Folds the tenant's ledger again, as `arbiter rebuild --check` does; a whole one has no difference. */
export async function checkLedger(
  tenantId: TenantId,
  database: TestDatabase = testDatabase(),
): Promise<Pick<RebuildReport, 'differences'>> {
  const client = await database.pool.connect();
  try {
    const sealer = new Sealer(MASTER_SECRET);
    const { differences } = await checkRebuild(client, tenantId, {
      projections: PROJECTIONS,
      derived: [DERIVED_HISTORY],
      sealer,
    });
    return { differences };
  } finally {
    client.release();
  }
}

export const WHOLE = { differences: [] };
