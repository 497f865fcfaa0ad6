import { type CompactRange, HASH_BYTES, leafHash } from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { Pool, PoolClient, Queryable } from '../../platform/index.js';

/** A tenant's tree as it is kept: its compact range, and how far the ledger was read. */
export interface StoredTree {
  readonly tenantId: TenantId;
  readonly origin: string;
  readonly range: CompactRange;
  /** The first entry that was not looked at yet. */
  readonly nextSeq: number;
  /** The entry of the last leaf; -1 = no leaf. */
  readonly lastSeq: number;
  readonly lastLink: string | null;
  readonly brokenInvariant: string | null;
}

interface TreeColumns {
  readonly tenant_id: TenantId;
  readonly origin: string;
  readonly size: string;
  readonly next_seq: string;
  readonly last_seq: string;
  readonly last_link: string | null;
  readonly peaks: Buffer;
  readonly broken_invariant: string | null;
}

const COLUMNS =
  't.tenant_id, t.origin, t.size, t.next_seq, t.last_seq, t.last_link, t.peaks, t.broken_invariant';

const treeOf = (row: TreeColumns): StoredTree => ({
  tenantId: row.tenant_id,
  origin: row.origin,
  range: { size: Number(row.size), peaks: hashesIn(row.peaks) },
  nextSeq: Number(row.next_seq),
  lastSeq: Number(row.last_seq),
  lastLink: row.last_link,
  brokenInvariant: row.broken_invariant,
});

function hashesIn(bytes: Buffer): readonly Buffer[] {
  const hashes: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES)
    hashes.push(bytes.subarray(at, at + HASH_BYTES));
  return hashes;
}

/** Gives the tenant's log the name it keeps; one that has a name, or no ledger, is left as it is. */
export async function nameTree(
  database: Queryable,
  tenantId: TenantId,
  origin: string,
): Promise<void> {
  await database.query(
    `INSERT INTO ledger_trees (tenant_id, origin) SELECT tenant_id, $2 FROM heads
      WHERE tenant_id = $1 AND last_seq >= 0 ON CONFLICT DO NOTHING`,
    [tenantId, origin],
  );
}

/** The tree, and the last entry of the ledger it is of; null = it has no name yet. */
export async function readTree(
  database: Queryable,
  tenantId: TenantId,
): Promise<(StoredTree & { readonly ledgerSeq: number }) | null> {
  const { rows } = await database.query<TreeColumns & { ledger_seq: string }>(
    `SELECT ${COLUMNS}, h.last_seq AS ledger_seq FROM ledger_trees AS t JOIN heads AS h USING (tenant_id)
      WHERE t.tenant_id = $1`,
    [tenantId],
  );
  const [row] = rows;
  return row === undefined ? null : { ...treeOf(row), ledgerSeq: Number(row.ledger_seq) };
}

/**
 * Runs `work` in a transaction in which nobody else extends the tree or signs a checkpoint of it. Null when the tree has
 * no name yet.
 */
export async function withLockedTree<Value>(
  pool: Pool,
  tenantId: TenantId,
  work: (client: PoolClient, tree: StoredTree) => Promise<Value>,
): Promise<Value | null> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<TreeColumns>(
      `SELECT ${COLUMNS} FROM ledger_trees AS t WHERE t.tenant_id = $1 FOR UPDATE`,
      [tenantId],
    );
    const [row] = rows;
    const value = row === undefined ? null : await work(client, treeOf(row));
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

export interface EntryLink {
  readonly seq: number;
  /** Null together = the entry is not sealed. */
  readonly prev: string | null;
  readonly link: string | null;
}

/** The next entries from `fromSeq` on, in their order. */
export async function readEntryLinks(
  database: Queryable,
  { tenantId, fromSeq, limit }: { tenantId: TenantId; fromSeq: number; limit: number },
): Promise<readonly EntryLink[]> {
  const { rows } = await database.query<{ seq: string; prev: string | null; link: string | null }>(
    `SELECT seq, prev, link FROM entries WHERE tenant_id = $1 AND seq >= $2::bigint ORDER BY seq LIMIT $3`,
    [tenantId, fromSeq, limit],
  );
  return rows.map((row) => ({ seq: Number(row.seq), prev: row.prev, link: row.link }));
}

export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Uint8Array;
}

/** Sealed entries without a gap: leaf `firstIndex + n` is entry `firstSeq + n`. */
export interface TreeRun {
  readonly firstIndex: number;
  readonly firstSeq: number;
}

/** Writes what a page of entries made of the tree. Only under its lock. */
export async function growTree(
  client: Queryable,
  tree: StoredTree,
  { nodes, runs }: { readonly nodes: readonly TreeNode[]; readonly runs: readonly TreeRun[] },
): Promise<void> {
  if (nodes.length > 0)
    await client.query(
      `INSERT INTO tree_nodes (tenant_id, level, node_index, hash)
        SELECT $1, n.* FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS n`,
      [
        tree.tenantId,
        nodes.map(({ level }) => level),
        nodes.map(({ index }) => index),
        nodes.map(({ hash }) => hash),
      ],
    );
  if (runs.length > 0)
    await client.query(
      `INSERT INTO tree_runs (tenant_id, first_index, first_seq)
        SELECT $1, r.* FROM unnest($2::bigint[], $3::bigint[]) AS r`,
      [
        tree.tenantId,
        runs.map(({ firstIndex }) => firstIndex),
        runs.map(({ firstSeq }) => firstSeq),
      ],
    );
  await client.query(
    `UPDATE ledger_trees SET size = $2, next_seq = $3, last_seq = $4, last_link = $5, peaks = $6 WHERE tenant_id = $1`,
    [
      tree.tenantId,
      tree.range.size,
      tree.nextSeq,
      tree.lastSeq,
      tree.lastLink,
      Buffer.concat(tree.range.peaks),
    ],
  );
}

/** Which leaf an entry of the tree is; null = it is none. `size` and `lastSeq` are the tree's. */
export async function readLeafIndex(
  database: Queryable,
  { tenantId, seq }: { readonly tenantId: TenantId; readonly seq: number },
): Promise<number | null> {
  const { rows } = await database.query<{ leaf: string }>(
    `SELECT r.leaf FROM ledger_trees AS t
      CROSS JOIN LATERAL (
        SELECT first_index + $2::bigint - first_seq AS leaf FROM tree_runs
          WHERE tenant_id = t.tenant_id AND first_seq <= $2::bigint ORDER BY first_seq DESC LIMIT 1) AS r
      WHERE t.tenant_id = $1 AND r.leaf < t.size AND NOT EXISTS (
        SELECT FROM tree_runs AS later WHERE later.tenant_id = t.tenant_id
          AND later.first_seq > $2::bigint AND later.first_index <= r.leaf)`,
    [tenantId, seq],
  );
  const [row] = rows;
  return row === undefined ? null : Number(row.leaf);
}

/**
 * Leaf hashes by leaf, of the links as they stand in the ledger.
 * WHY OFFSET 0: each entry is looked up by its key. As a plain join, a database without statistics of a ledger that has just
 * grown may read all of it for every leaf (seen: 30 s).
 */
export async function readLeafHashes(
  database: Queryable,
  tenantId: TenantId,
  leaves: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (leaves.length === 0) return new Map();
  const { rows } = await database.query<{ leaf: string; link: string }>(
    `SELECT l.leaf, e.link FROM unnest($2::bigint[]) AS l (leaf)
      CROSS JOIN LATERAL (
        SELECT r.first_seq + l.leaf - r.first_index AS seq FROM tree_runs AS r
          WHERE r.tenant_id = $1 AND r.first_index <= l.leaf ORDER BY r.first_index DESC LIMIT 1) AS at
      CROSS JOIN LATERAL (
        SELECT link FROM entries WHERE tenant_id = $1 AND seq = at.seq AND link IS NOT NULL OFFSET 0) AS e`,
    [tenantId, leaves],
  );
  return new Map(rows.map(({ leaf, link }) => [Number(leaf), leafHash(Buffer.from(link, 'hex'))]));
}

/** Stored nodes of one level by their index. */
export async function readNodes(
  database: Queryable,
  tenantId: TenantId,
  { level, indexes }: { readonly level: number; readonly indexes: readonly number[] },
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (indexes.length === 0) return new Map();
  const { rows } = await database.query<{ node_index: string; hash: Buffer }>(
    `SELECT node_index, hash FROM tree_nodes
      WHERE tenant_id = $1 AND level = $2 AND node_index = ANY ($3::bigint[])`,
    [tenantId, level, indexes],
  );
  return new Map(rows.map(({ node_index, hash }) => [Number(node_index), hash]));
}

/** Says that an own check found the tree broken; null = it found it whole again. */
export async function markBroken(
  database: Queryable,
  tenantId: TenantId,
  brokenInvariant: string | null,
): Promise<void> {
  await database.query(
    `UPDATE ledger_trees SET broken_invariant = $2
      WHERE tenant_id = $1 AND broken_invariant IS DISTINCT FROM $2`,
    [tenantId, brokenInvariant],
  );
}
