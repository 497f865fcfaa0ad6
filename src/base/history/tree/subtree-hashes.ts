import { nodeHash, type Span, spanHash, subtreesOf } from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';
import { HistoryBroken } from '../broken.js';
import { readLeafHashes, readNodes } from './trees.store.js';

/** Levels of the tree between two that are stored: a node in between is made of at most 128 of the level below. */
export const STORED_LEVELS = 8;

/**
 * The hashes of spans of a tree, in their order, made of the ledger's links and of stored nodes. One query a stored level;
 * each reads at most two times 256 rows for the spans of one proof.
 * Throws {@link HistoryBroken} when a link or a node that must be there is not.
 */
export async function spanHashes(
  database: Queryable,
  tenantId: TenantId,
  spans: readonly Span[],
): Promise<readonly Uint8Array[]> {
  const wanted = new Map<number, Set<number>>();
  for (const { level, index } of spans.flatMap(subtreesOf)) {
    const stored = storedLevel(level);
    const width = 2 ** (level - stored);
    const indexes = wanted.get(stored) ?? new Set<number>();
    for (let at = 0; at < width; at += 1) indexes.add(index * width + at);
    wanted.set(stored, indexes);
  }
  const levels = await Promise.all(
    [...wanted].map(async ([level, indexes]) => {
      const list = [...indexes];
      const hashes =
        level === 0
          ? await readLeafHashes(database, tenantId, list)
          : await readNodes(database, tenantId, { level, indexes: list });
      return [level, hashes] as const;
    }),
  );
  const known = new Map(levels);
  const nodeOf = (level: number, index: number): Uint8Array => {
    const stored = known.get(level)?.get(index);
    if (stored !== undefined) return stored;
    if (level === storedLevel(level))
      throw new HistoryBroken(
        'tree_is_whole',
        level === 0 ? `leaf ${index} has no link` : `node ${index} of level ${level} is missing`,
      );
    return nodeHash(nodeOf(level - 1, index * 2), nodeOf(level - 1, index * 2 + 1));
  };
  return spans.map((span) => spanHash(span, nodeOf));
}

const storedLevel = (level: number): number => level - (level % STORED_LEVELS);
