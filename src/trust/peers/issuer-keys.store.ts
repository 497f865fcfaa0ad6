import type { CanonicalValue, TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { type IssuerKey, issuerKeyOf } from './issuer-key.js';

/** Keys one tenant may list in one answer; a tenant has dozens. */
export const ISSUER_KEYS_LISTED_MAX = 1_000;

interface KeyColumns {
  issuer_key_id: string;
  issuer: string;
  kid: string;
  role: string;
  alg: string;
  jwk: string;
  thumbprint: string;
  types: string;
  not_before_at_ms: string;
  retired_at_ms: string | null;
  compromised_since_at_ms: string | null;
}

const COLUMNS =
  'issuer_key_id, issuer, kid, role, alg, jwk, thumbprint, types, not_before_at_ms, retired_at_ms, compromised_since_at_ms';

/** The tenant's keys with these ids, by id; unknown ids are absent. */
export async function findIssuerKeys(
  database: Queryable,
  tenantId: TenantId,
  issuerKeyIds: readonly string[],
): Promise<ReadonlyMap<string, IssuerKey>> {
  if (issuerKeyIds.length === 0) return new Map();
  const { rows } = await database.query<KeyColumns>(
    `SELECT ${COLUMNS} FROM issuer_keys WHERE tenant_id = $1 AND issuer_key_id = ANY($2)`,
    [tenantId, [...new Set(issuerKeyIds)]],
  );
  return new Map(rows.map((row) => [row.issuer_key_id, toKey(row)]));
}

/** All keys of the tenant, by issuer and kid. */
export async function listIssuerKeys(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly IssuerKey[]> {
  const { rows } = await database.query<KeyColumns>(
    `SELECT ${COLUMNS} FROM issuer_keys WHERE tenant_id = $1 ORDER BY issuer, kid LIMIT $2`,
    [tenantId, ISSUER_KEYS_LISTED_MAX],
  );
  return rows.map(toKey);
}

/** All keys of one issuer, retired ones included. */
export async function findKeysOfIssuer(
  database: Queryable,
  tenantId: TenantId,
  issuer: string,
): Promise<readonly IssuerKey[]> {
  const { rows } = await database.query<KeyColumns>(
    `SELECT ${COLUMNS} FROM issuer_keys WHERE tenant_id = $1 AND issuer = $2`,
    [tenantId, issuer],
  );
  return rows.map(toKey);
}

/** All keys with these kids, of whatever issuer, by kid; unknown ones are absent. */
export async function findKeysByKid(
  database: Queryable,
  tenantId: TenantId,
  kids: readonly string[],
): Promise<ReadonlyMap<string, readonly IssuerKey[]>> {
  if (kids.length === 0) return new Map();
  const { rows } = await database.query<KeyColumns>(
    `SELECT ${COLUMNS} FROM issuer_keys WHERE tenant_id = $1 AND kid = ANY($2)`,
    [tenantId, [...new Set(kids)]],
  );
  const byKid = new Map<string, IssuerKey[]>();
  for (const key of rows.map(toKey)) byKid.set(key.kid, [...(byKid.get(key.kid) ?? []), key]);
  return byKid;
}

const toKey = (row: KeyColumns): IssuerKey =>
  issuerKeyOf({
    issuerKeyId: row.issuer_key_id,
    issuer: row.issuer,
    kid: row.kid,
    role: row.role,
    alg: row.alg,
    jwk: JSON.parse(row.jwk) as CanonicalValue,
    thumbprint: row.thumbprint,
    types: JSON.parse(row.types) as CanonicalValue,
    notBeforeAtMs: Number(row.not_before_at_ms),
    retiredAtMs: row.retired_at_ms === null ? null : Number(row.retired_at_ms),
    compromisedSinceAtMs:
      row.compromised_since_at_ms === null ? null : Number(row.compromised_since_at_ms),
  });
