import type { InstantMs, TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** The newest list that was ever believed under one uri. */
export interface StatusMark {
  /** Null for lists of other authorities: they are ordered by `issuedAtMs`. */
  readonly version: number | null;
  readonly issuedAtMs: InstantMs;
  /** Of the inflated places. */
  readonly sha256: string;
  readonly kid: string;
}

export interface MarkedList {
  readonly tenantId: TenantId;
  readonly uri: string;
}

export async function findMark(
  database: Queryable,
  { tenantId, uri }: MarkedList,
): Promise<StatusMark | null> {
  const { rows } = await database.query<{
    version: string | null;
    issued_at_ms: string;
    sha256: string;
    kid: string;
  }>(
    'SELECT version, issued_at_ms, sha256, kid FROM status_marks WHERE tenant_id = $1 AND list_uri = $2',
    [tenantId, uri],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    version: row.version === null ? null : Number(row.version),
    issuedAtMs: Number(row.issued_at_ms),
    sha256: row.sha256,
    kid: row.kid,
  };
}

/**
 * Raises the mark, unless one as high or higher stands there by now; answers whether it did. A mark under
 * `distrustedKid` does not count: whoever has that key could raise it out of everybody's reach.
 */
export async function raiseMark(
  database: Queryable,
  { tenantId, uri }: MarkedList,
  { mark, distrustedKid }: { readonly mark: StatusMark; readonly distrustedKid: string | null },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `INSERT INTO status_marks AS held (tenant_id, list_uri, version, issued_at_ms, sha256, kid)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, list_uri) DO UPDATE
       SET version = EXCLUDED.version, issued_at_ms = EXCLUDED.issued_at_ms,
           sha256 = EXCLUDED.sha256, kid = EXCLUDED.kid
     WHERE held.kid = $7
        OR CASE WHEN EXCLUDED.version IS NULL THEN EXCLUDED.issued_at_ms > held.issued_at_ms
                ELSE EXCLUDED.version > COALESCE(held.version, -1) END`,
    [tenantId, uri, mark.version, mark.issuedAtMs, mark.sha256, mark.kid, distrustedKid],
  );
  return rowCount === 1;
}
