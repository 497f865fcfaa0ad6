import type { TenantId } from '../../core/kernel/index.js';
import { MANDATE_DEPTH_MAX, type TokenKind } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** A registered token: its exact bytes and when we got them. `token` null = the document was erased. */
export interface StoredToken {
  readonly id: string;
  readonly token: string | null;
  readonly documentSha256: string;
  readonly registeredAtMs: number;
}

interface TokenColumns {
  id: string;
  document_sha256: string;
  registered_at_ms: string;
  bytes: Buffer | null;
}

const TABLES = {
  mandate: { table: 'mandates', key: 'mandate_id' },
  consent: { table: 'consents', key: 'consent_id' },
  passport: { table: 'passports', key: 'passport_id' },
} as const;

/** Tokens of one kind by id; unknown ones are absent. */
export async function findTokens(
  database: Queryable,
  tenantId: TenantId,
  { kind, ids }: { kind: TokenKind; ids: readonly string[] },
): Promise<ReadonlyMap<string, StoredToken>> {
  if (ids.length === 0) return new Map();
  const { table, key } = TABLES[kind];
  const { rows } = await database.query<TokenColumns>(
    `SELECT t.${key} AS id, t.document_sha256, t.registered_at_ms, d.bytes
       FROM ${table} t
       LEFT JOIN documents d ON d.tenant_id = t.tenant_id AND d.sha256 = t.document_sha256
      WHERE t.tenant_id = $1 AND t.${key} = ANY($2)`,
    [tenantId, [...new Set(ids)]],
  );
  return byId(rows);
}

/** Mandates by id together with all their ancestors. */
export async function findMandateChains(
  database: Queryable,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredToken>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<TokenColumns>(
    `WITH RECURSIVE chain (mandate_id, parent_id, level) AS (
       SELECT mandate_id, parent_id, 1 FROM mandates WHERE tenant_id = $1 AND mandate_id = ANY($2)
       UNION
       SELECT m.mandate_id, m.parent_id, chain.level + 1
         FROM chain JOIN mandates m ON m.tenant_id = $1 AND m.mandate_id = chain.parent_id
        WHERE chain.level < $3)
     SELECT DISTINCT m.mandate_id AS id, m.document_sha256, m.registered_at_ms, d.bytes
       FROM chain
       JOIN mandates m ON m.tenant_id = $1 AND m.mandate_id = chain.mandate_id
       LEFT JOIN documents d ON d.tenant_id = m.tenant_id AND d.sha256 = m.document_sha256`,
    [tenantId, [...new Set(ids)], MANDATE_DEPTH_MAX],
  );
  return byId(rows);
}

/** The ids of a mandate's ancestors, nearest first, and of the mandate itself in front. */
export async function findAncestorIds(
  database: Queryable,
  tenantId: TenantId,
  mandateId: string,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ mandate_id: string }>(
    `WITH RECURSIVE chain (mandate_id, parent_id, level) AS (
       SELECT mandate_id, parent_id, 1 FROM mandates WHERE tenant_id = $1 AND mandate_id = $2
       UNION
       SELECT m.mandate_id, m.parent_id, chain.level + 1
         FROM chain JOIN mandates m ON m.tenant_id = $1 AND m.mandate_id = chain.parent_id
        WHERE chain.level < $3)
     SELECT mandate_id FROM chain ORDER BY level`,
    [tenantId, mandateId, MANDATE_DEPTH_MAX],
  );
  return rows.map((row) => row.mandate_id);
}

/** A mandate and everything below it, parents before children; at most `limit` ids. */
export async function findSubtreeIds(
  database: Queryable,
  tenantId: TenantId,
  { mandateId, limit }: { mandateId: string; limit: number },
): Promise<readonly string[]> {
  const { rows } = await database.query<{ mandate_id: string }>(
    `WITH RECURSIVE tree (mandate_id, level) AS (
       SELECT mandate_id, 1 FROM mandates WHERE tenant_id = $1 AND mandate_id = $2
       UNION
       SELECT m.mandate_id, tree.level + 1
         FROM tree JOIN mandates m ON m.tenant_id = $1 AND m.parent_id = tree.mandate_id
        WHERE tree.level < $3)
     SELECT mandate_id FROM tree ORDER BY level, mandate_id LIMIT $4`,
    [tenantId, mandateId, MANDATE_DEPTH_MAX, limit],
  );
  return rows.map((row) => row.mandate_id);
}

const byId = (rows: readonly TokenColumns[]): ReadonlyMap<string, StoredToken> =>
  new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        token: row.bytes === null ? null : row.bytes.toString('utf8'),
        documentSha256: row.document_sha256,
        registeredAtMs: Number(row.registered_at_ms),
      },
    ]),
  );
