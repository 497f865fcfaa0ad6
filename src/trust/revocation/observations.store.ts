import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** What fell with the revocation of something above it. */
export interface Fallen {
  readonly subjectId: string | null;
  readonly listUri: string;
  readonly listVersion: number;
}

/** In the order in which the authority told them: parents before their children. */
export async function findFallen(
  database: Queryable,
  tenantId: TenantId,
  rootRevocationId: string,
): Promise<readonly Fallen[]> {
  const { rows } = await database.query<{
    subject_id: string | null;
    list_uri: string;
    list_version: string;
  }>(
    `SELECT subject_id, list_uri, list_version FROM revocation_observations
      WHERE tenant_id = $1 AND root_revocation_id = $2
      ORDER BY position, revocation_id`,
    [tenantId, rootRevocationId],
  );
  return rows.map((row) => ({
    subjectId: row.subject_id,
    listUri: row.list_uri,
    listVersion: Number(row.list_version),
  }));
}
