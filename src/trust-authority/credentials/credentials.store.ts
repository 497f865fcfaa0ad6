import { randomBytes } from 'node:crypto';
import { invariant, type TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

const SALT_BYTES = 32;

/** The tenant's salt, made at the first use. Two processes at once agree: the first row stays, both read it. */
export async function subjectSalt(database: Queryable, tenantId: TenantId): Promise<Buffer> {
  const found = await findSalt(database, tenantId);
  if (found !== null) return found;
  await database.query(
    'INSERT INTO subject_salts (tenant_id, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [tenantId, randomBytes(SALT_BYTES)],
  );
  const made = await findSalt(database, tenantId);
  invariant(made !== null, 'a salt that was written is found');
  return made;
}

async function findSalt(database: Queryable, tenantId: TenantId): Promise<Buffer | null> {
  const { rows } = await database.query<{ salt: Buffer }>(
    'SELECT salt FROM subject_salts WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0]?.salt ?? null;
}

/** A token as it was issued; null = its bytes were erased. */
export async function findToken(
  database: Queryable,
  tenantId: TenantId,
  sha256: string,
): Promise<string | null> {
  const { rows } = await database.query<{ bytes: Buffer | null }>(
    'SELECT bytes FROM documents WHERE tenant_id = $1 AND sha256 = $2',
    [tenantId, sha256],
  );
  return rows[0]?.bytes?.toString('utf8') ?? null;
}
