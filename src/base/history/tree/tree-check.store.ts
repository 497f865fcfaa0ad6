import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';
import type { TreeNode, TreeRun } from './trees.store.js';

/** Rows read at once. */
export const CHECK_PAGE_ROWS = 1_000;

/** Stored nodes of a tenant in the order of their keys. */
export async function* storedNodes(
  database: Queryable,
  tenantId: TenantId,
): AsyncGenerator<TreeNode> {
  let after = { level: 0, index: -1 };
  for (;;) {
    const { rows } = await database.query<{ level: string; node_index: string; hash: Buffer }>(
      `SELECT level, node_index, hash FROM tree_nodes
        WHERE tenant_id = $1 AND (level, node_index) > ($2::bigint, $3::bigint)
        ORDER BY level, node_index LIMIT $4`,
      [tenantId, after.level, after.index, CHECK_PAGE_ROWS],
    );
    for (const row of rows) {
      after = { level: Number(row.level), index: Number(row.node_index) };
      yield { ...after, hash: row.hash };
    }
    if (rows.length < CHECK_PAGE_ROWS) return;
  }
}

export async function readRuns(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly TreeRun[]> {
  const { rows } = await database.query<{ first_index: string; first_seq: string }>(
    'SELECT first_index, first_seq FROM tree_runs WHERE tenant_id = $1 ORDER BY first_index',
    [tenantId],
  );
  return rows.map((row) => ({
    firstIndex: Number(row.first_index),
    firstSeq: Number(row.first_seq),
  }));
}

export interface SignedHead {
  readonly size: number;
  readonly seq: number;
  readonly link: string;
  readonly root: Buffer;
  readonly text: string;
}

/** Signed heads of `fromSize` to `throughSize` leaves, smallest first. */
export async function readSignedHeads(
  database: Queryable,
  tenantId: TenantId,
  { fromSize, throughSize }: { readonly fromSize: number; readonly throughSize: number },
): Promise<readonly SignedHead[]> {
  const { rows } = await database.query<{
    size: string;
    seq: string;
    link: string;
    root: Buffer;
    note_text: string;
  }>(
    `SELECT size, seq, link, root, note_text FROM ledger_checkpoints
      WHERE tenant_id = $1 AND size >= $2::bigint AND size <= $3::bigint ORDER BY size`,
    [tenantId, fromSize, throughSize],
  );
  return rows.map((row) => ({
    size: Number(row.size),
    seq: Number(row.seq),
    link: row.link,
    root: row.root,
    text: row.note_text,
  }));
}
