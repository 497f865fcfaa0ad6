import { createHash, randomBytes } from 'node:crypto';
import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { SideTable, SideWrite } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';

export const BUYER_SALT_BYTES = 32;

/** Who a commitment stands for. Erasing the row leaves the commitment in the entries, and nobody who can read it. */
export const BUYER_REFERENCES = {
  table: 'buyer_references',
  columns: { tenant_id: 'text', commitment: 'text', buyer_ref: 'text' },
} as const satisfies SideTable;

/**
 * The tenant's salt, made at the first use. Two processes at once agree: the first row stays, both read it. It is no
 * part of any entry, so nobody who has only the ledger can try names against a commitment. `drawSalt` is another than
 * random for demo tenants only, whose answers are reproducible.
 */
export async function buyerSalt(
  database: Queryable,
  tenantId: TenantId,
  drawSalt: () => Buffer = () => randomBytes(BUYER_SALT_BYTES),
): Promise<Buffer> {
  const found = await findSalt(database, tenantId);
  if (found !== null) return found;
  await database.query(
    'INSERT INTO buyer_salts (tenant_id, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [tenantId, drawSalt()],
  );
  const made = await findSalt(database, tenantId);
  invariant(made !== null, 'a salt that was written is found');
  return made;
}

async function findSalt(database: Queryable, tenantId: TenantId): Promise<Buffer | null> {
  const { rows } = await database.query<{ salt: Buffer }>(
    'SELECT salt FROM buyer_salts WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0]?.salt ?? null;
}

/** `SHA-256(salt || value)` in hex (decisions 1.8). */
export const buyerCommitment = (salt: Buffer, buyerRef: string): string =>
  createHash('sha256').update(salt).update(buyerRef, 'utf8').digest('hex');

export const buyerReferenceWrite = (
  tenantId: TenantId,
  { commitment, buyerRef }: { commitment: string; buyerRef: string },
): SideWrite => ({
  table: BUYER_REFERENCES,
  row: { tenant_id: tenantId, commitment, buyer_ref: buyerRef },
});
