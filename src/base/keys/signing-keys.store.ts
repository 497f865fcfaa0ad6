import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

/** A key as it is listed: public parts and times. */
export interface StoredSigningKey {
  readonly kid: string;
  readonly purpose: string;
  readonly publicKeyText: string;
  readonly createdAtMs: number;
  readonly endsAtMs: number | null;
  readonly signs: boolean;
}

interface KeyColumns {
  kid: string;
  purpose: string;
  public_key: string;
  created_at_ms: string;
  ends_at_ms: string | null;
  signs: boolean;
}

/** All keys of the tenant, oldest first within a purpose. A tenant has a handful. */
export async function listSigningKeys(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly StoredSigningKey[]> {
  const { rows } = await database.query<KeyColumns>(
    `SELECT k.kid, k.purpose, k.public_key, k.created_at_ms, k.ends_at_ms, c.kid IS NOT NULL AS signs
       FROM signing_keys k
       LEFT JOIN signing_keys_current c ON c.tenant_id = k.tenant_id AND c.kid = k.kid
      WHERE k.tenant_id = $1
      ORDER BY k.purpose, k.created_at_ms, k.ends_at_ms NULLS LAST, k.kid`,
    [tenantId],
  );
  return rows.map((row) => ({
    kid: row.kid,
    purpose: row.purpose,
    publicKeyText: row.public_key,
    createdAtMs: Number(row.created_at_ms),
    endsAtMs: row.ends_at_ms === null ? null : Number(row.ends_at_ms),
    signs: row.signs,
  }));
}

/** The key that signs for a purpose, with its wrapped private part; null = the purpose has no key yet. */
export interface CurrentKey {
  readonly kid: string;
  /** null = the row of the private key is gone, which only a damaged database shows. */
  readonly secret: { readonly kekId: string; readonly wrapped: Buffer } | null;
}

export async function findCurrentKey(
  database: Queryable,
  tenantId: TenantId,
  purpose: string,
): Promise<CurrentKey | null> {
  const { rows } = await database.query<{
    kid: string;
    kek_id: string | null;
    wrapped: Buffer | null;
  }>(
    `SELECT c.kid, s.kek_id, s.wrapped
       FROM signing_keys_current c
       LEFT JOIN signing_key_secrets s ON s.tenant_id = c.tenant_id AND s.kid = c.kid
      WHERE c.tenant_id = $1 AND c.purpose = $2`,
    [tenantId, purpose],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { kid, kek_id: kekId, wrapped } = row;
  return { kid, secret: kekId === null || wrapped === null ? null : { kekId, wrapped } };
}

/** Another key-encryption key than this one wraps keys here: its id, or null. */
export async function findForeignKekId(database: Queryable, kekId: string): Promise<string | null> {
  const { rows } = await database.query<{ kek_id: string }>(
    'SELECT kek_id FROM signing_key_secrets WHERE kek_id <> $1 LIMIT 1',
    [kekId],
  );
  return rows[0]?.kek_id ?? null;
}
