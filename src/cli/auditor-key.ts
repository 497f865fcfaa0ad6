import { readSealingKids } from '../base/history/index.js';
import { Sealer } from '../base/ledger/index.js';
import {
  loadCheckConfig,
  openDatabase,
  otherSecrets,
  StartRefused,
} from '../base/platform/index.js';
import { err, ok, type Result, type TenantId } from '../core/kernel/index.js';

export interface AuditorKeyWish {
  readonly tenantId: TenantId;
  readonly kid: string;
  readonly note: (line: string) => void;
}

/**
 * The secret that one key of one tenant sealed with, 64 hex digits: never the master it is derived from. Runs beside the
 * database, on the settings of the service, and changes nothing. Failures, one line each: settings, another master, no
 * such tenant, a key that sealed nothing, a database that does not answer.
 */
export async function auditorKey(wish: AuditorKeyWish): Promise<Result<string, string>> {
  const { tenantId, kid } = wish;
  try {
    const config = loadCheckConfig({ report: wish.note });
    const database = await openDatabase(config, wish.note);
    try {
      const master = { LEDGER_HMAC_MASTER: config.ledgerHmacMaster };
      if ((await otherSecrets(database.pool, master)).length > 0)
        return err(
          'This ledger is sealed under another LEDGER_HMAC_MASTER: give the DATA_DIR that the service runs with, or the value.',
        );
      const kids = await readSealingKids(database.pool, tenantId);
      if (kids === null) return err(`There is no tenant ${tenantId}.`);
      if (!kids.includes(kid))
        return err(
          kids.length === 0
            ? `Nothing of ${tenantId} was ever sealed.`
            : `${kid} sealed nothing of ${tenantId}: its keys are ${kids.join(', ')}.`,
        );
      const key = new Sealer(config.ledgerHmacMaster).keyOf(tenantId, kid);
      return ok(Buffer.from(key).toString('hex'));
    } finally {
      await database.close();
    }
  } catch (error) {
    return err(error instanceof StartRefused ? error.message : String(error));
  }
}
