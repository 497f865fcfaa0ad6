import type { Queryable } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import type { ReceiptEntry } from '../../core/proofs/index.js';

/** The entry at a place of a tenant's ledger with its seal; null = it is not sealed. */
export async function readSealedEntry(
  database: Queryable,
  tenantId: TenantId,
  seq: number,
): Promise<ReceiptEntry | null> {
  const { rows } = await database.query<Readonly<Record<string, string>>>(
    'SELECT kid, prev, mac, link, body FROM entries WHERE tenant_id = $1 AND seq = $2 AND link IS NOT NULL',
    [tenantId, seq],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { kid = '', prev = '', mac = '', link = '', body = '' } = row;
  return { seq, kid, prev, mac, link, body };
}
