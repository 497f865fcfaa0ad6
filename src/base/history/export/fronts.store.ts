import type { ExportAnchor, ExportHeader } from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';

/** What stands before the rows of an export. The rows go from 0 to `header.head.seq`. */
export interface ExportFront {
  readonly header: ExportHeader;
  /** Anchors and witnessed heads in the order of the file. */
  readonly anchors: readonly ExportAnchor[];
}

/** So many exports of a tenant can be continued or fetched again: the newest. A front may hold a thousand signed heads. */
export const EXPORTS_KEPT_MAX = 100;

/** Whether an export is among the newest {@link EXPORTS_KEPT_MAX} of its tenant. */
export async function isKept(
  database: Queryable,
  tenantId: TenantId,
  exportedSeq: number,
): Promise<boolean> {
  const { rows } = await database.query<{ newer: string }>(
    `SELECT count(*) AS newer FROM (
        SELECT FROM ledger_exports WHERE tenant_id = $1 AND exported_seq > $2::bigint LIMIT ${EXPORTS_KEPT_MAX}
      ) AS later`,
    [tenantId, exportedSeq],
  );
  return Number(rows[0]?.newer) < EXPORTS_KEPT_MAX;
}

export async function readFront(
  database: Queryable,
  tenantId: TenantId,
  exportId: string,
): Promise<ExportFront | null> {
  const { rows } = await database.query<{ front: string }>(
    'SELECT front FROM ledger_export_fronts WHERE tenant_id = $1 AND export_id = $2',
    [tenantId, exportId],
  );
  const [row] = rows;
  return row === undefined ? null : (JSON.parse(row.front) as ExportFront);
}

/** INVARIANT: the first front of an export is the only one, whoever comes second. */
export async function keepFront(
  database: Queryable,
  { tenantId, exportId }: { readonly tenantId: TenantId; readonly exportId: string },
  front: ExportFront,
): Promise<void> {
  await database.query(
    `INSERT INTO ledger_export_fronts (tenant_id, export_id, front) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [tenantId, exportId, JSON.stringify(front)],
  );
}

/** Fronts of exports beyond the newest {@link EXPORTS_KEPT_MAX} go. */
export async function dropOldFronts(database: Queryable, tenantId: TenantId): Promise<void> {
  await database.query(
    `DELETE FROM ledger_export_fronts AS f USING ledger_exports AS e
      WHERE f.tenant_id = $1 AND e.tenant_id = f.tenant_id AND e.export_id = f.export_id
        AND e.exported_seq <= (
          SELECT exported_seq FROM ledger_exports WHERE tenant_id = $1
            ORDER BY exported_seq DESC OFFSET ${EXPORTS_KEPT_MAX} LIMIT 1)`,
    [tenantId],
  );
}
