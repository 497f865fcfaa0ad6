import {
  consistencySpans,
  GENESIS_PREV,
  inclusionSpans,
  leafHash,
  type Span,
  TreeBuilder,
} from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { Pool, PoolClient } from '../../platform/index.js';
import { HistoryBroken, type OwnInvariant } from '../broken.js';
import type { InclusionProof, LedgerTree, TreeHead } from '../ports.js';
import { spanHashes, STORED_LEVELS } from './subtree-hashes.js';
import {
  type EntryLink,
  growTree,
  nameTree,
  readEntryLinks,
  readLeafIndex,
  readTree,
  type StoredTree,
  type TreeNode,
  type TreeRun,
  withLockedTree,
} from './trees.store.js';

/** Entries that are taken in one transaction. */
export const TREE_PAGE_ENTRIES = 5_000;

export interface TreeParts {
  readonly pool: Pool;
  /** The name that a tenant's log is given, once. */
  readonly originFor: (tenantId: TenantId) => Promise<string>;
  /** Told before a broken invariant is thrown. */
  readonly onBroken: (tenantId: TenantId, broken: HistoryBroken) => Promise<void>;
  /** Told what was found to hold, and over how many entries. */
  readonly onHeld?: (invariant: OwnInvariant, entryCount: number) => void;
  readonly pageEntries?: number;
}

const NO_LEAF: TreeHead = { size: 0, seq: -1, link: null };

const headOf = (tree: StoredTree | null): TreeHead =>
  tree === null ? NO_LEAF : { size: tree.range.size, seq: tree.lastSeq, link: tree.lastLink };

/**
 * Keeps the trees. A page of entries is one transaction under the lock of the tenant's tree, so it goes on where a killed
 * process stopped, and two processes take turns.
 */
export class LedgerTrees implements LedgerTree {
  readonly #pageEntries: number;

  constructor(private readonly parts: TreeParts) {
    this.#pageEntries = parts.pageEntries ?? TREE_PAGE_ENTRIES;
  }

  async head(tenantId: TenantId): Promise<TreeHead> {
    return headOf(await readTree(this.parts.pool, tenantId));
  }

  /** The permanent name of the tenant's log; null = there is no such ledger. */
  async originOf(tenantId: TenantId): Promise<string | null> {
    return (await this.#named(tenantId))?.origin ?? null;
  }

  async catchUp(tenantId: TenantId, throughSeq = Number.MAX_SAFE_INTEGER): Promise<TreeHead> {
    const { pool } = this.parts;
    const tree = await this.#named(tenantId);
    if (tree === null || tree.nextSeq > Math.min(throughSeq, tree.ledgerSeq)) return headOf(tree);
    return this.#telling(tenantId, async () => {
      for (;;) {
        const grown = await withLockedTree(pool, tenantId, (client, locked) =>
          this.#takePage(client, locked),
        );
        if (grown === null) return NO_LEAF;
        if (grown.entryCount > 0) this.parts.onHeld?.('chain_continues', grown.entryCount);
        if (grown.isLast || grown.tree.nextSeq > throughSeq) return headOf(grown.tree);
      }
    });
  }

  indexOf(tenantId: TenantId, seq: number): Promise<number | null> {
    return readLeafIndex(this.parts.pool, { tenantId, seq });
  }

  async inclusion(tenantId: TenantId, seq: number, size: number): Promise<InclusionProof | null> {
    const { pool } = this.parts;
    const [tree, index] = await Promise.all([
      readTree(pool, tenantId),
      this.indexOf(tenantId, seq),
    ]);
    if (tree === null || index === null || size > tree.range.size || index >= size) return null;
    const proof = await this.#proof(tenantId, inclusionSpans(index, size));
    return { index, proof };
  }

  async consistency(
    tenantId: TenantId,
    oldSize: number,
    newSize: number,
  ): Promise<readonly Uint8Array[] | null> {
    const { pool } = this.parts;
    const tree = await readTree(pool, tenantId);
    const isProvable = oldSize > 0 && oldSize <= newSize && newSize <= (tree?.range.size ?? 0);
    return isProvable ? this.#proof(tenantId, consistencySpans(oldSize, newSize)) : null;
  }

  #proof(tenantId: TenantId, spans: readonly Span[]): Promise<readonly Uint8Array[]> {
    return this.#telling(tenantId, () => spanHashes(this.parts.pool, tenantId, spans));
  }

  async #telling<Value>(tenantId: TenantId, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof HistoryBroken) await this.parts.onBroken(tenantId, error);
      throw error;
    }
  }

  async #named(tenantId: TenantId) {
    const { pool, originFor } = this.parts;
    const known = await readTree(pool, tenantId);
    if (known !== null) return known;
    await nameTree(pool, tenantId, await originFor(tenantId));
    return readTree(pool, tenantId);
  }

  async #takePage(
    client: PoolClient,
    tree: StoredTree,
  ): Promise<{
    readonly tree: StoredTree;
    readonly entryCount: number;
    readonly isLast: boolean;
  }> {
    const limit = this.#pageEntries;
    const { tenantId, nextSeq: fromSeq } = tree;
    const entries = await readEntryLinks(client, { tenantId, fromSeq, limit });
    if (entries.length === 0) return { tree, entryCount: 0, isLast: true };
    const grown = grownBy(tree, entries);
    await growTree(client, grown.tree, grown);
    const { length: entryCount } = entries;
    return { tree: grown.tree, entryCount, isLast: entryCount < limit };
  }
}

/** The tree with the next entries of the ledger, and the rows that they add. */
export function grownBy(
  tree: StoredTree,
  entries: readonly EntryLink[],
): {
  readonly tree: StoredTree;
  readonly nodes: readonly TreeNode[];
  readonly runs: readonly TreeRun[];
} {
  const nodes: TreeNode[] = [];
  const runs: TreeRun[] = [];
  const builder = new TreeBuilder(tree.range, (level, index, hash) => {
    if (level > 0 && level % STORED_LEVELS === 0) nodes.push({ level, index, hash });
  });
  let { nextSeq, lastSeq, lastLink } = tree;
  for (const { seq, prev, link } of entries) {
    if (seq !== nextSeq) throw new HistoryBroken('chain_continues', `entry ${nextSeq} is missing`);
    nextSeq = seq + 1;
    if (link === null) continue;
    if (prev !== (lastLink ?? GENESIS_PREV))
      throw new HistoryBroken('chain_continues', `entry ${seq} names another link than the last`);
    // The first leaf, and the first after a pause of sealing, begin a run.
    if (lastSeq === -1 || seq !== lastSeq + 1)
      runs.push({ firstIndex: builder.size, firstSeq: seq });
    builder.pushLeafHash(leafHash(Buffer.from(link, 'hex')));
    lastSeq = seq;
    lastLink = link;
  }
  return { tree: { ...tree, range: builder.range(), nextSeq, lastSeq, lastLink }, nodes, runs };
}
