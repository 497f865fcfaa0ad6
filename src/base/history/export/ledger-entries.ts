import type { InstantMs, TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';
import type { Checkpoints, LedgerTree, StoredCheckpoint } from '../ports.js';
import {
  type EntryFilter,
  type EntryWindow,
  findEntries,
  findEntry,
  firstSeqFrom,
  lastSeqOf,
  type ListedEntry,
} from './ledger-entries.store.js';

/** Entries that one page looks at, at most: a page of a rare type may end before it is full. */
export const ENTRIES_SCANNED_MAX = 10_000;

/** Injection token of the {@link LedgerEntries}. */
export const LEDGER_ENTRIES = Symbol('LedgerEntries');

export interface EntryQuery extends EntryFilter {
  /** Inclusive; null = from the first entry. */
  readonly fromMs: InstantMs | null;
  /** Exclusive; null = to the last entry. */
  readonly toMs: InstantMs | null;
  /** The page begins behind this place, in the order that is asked for; null = at that order's beginning. */
  readonly afterSeq: number | null;
  /** Only these, in the order that is asked for; as many as {@link ENTRIES_SCANNED_MAX} = there may be more. Null = every entry. */
  readonly seqs: readonly number[] | null;
}

export interface EntryPage {
  readonly entries: readonly ListedEntry[];
  /** `afterSeq` of the next page; null = there is none. */
  readonly nextSeq: number | null;
}

/** What stands between an entry and a signed statement about the whole ledger. */
export type Inclusion =
  | { readonly state: 'unsealed' }
  /** Sealed, and newer than every checkpoint. */
  | { readonly state: 'uncovered' }
  | {
      readonly state: 'included';
      readonly index: number;
      readonly proof: readonly Uint8Array[];
      readonly checkpoint: StoredCheckpoint;
    };

/** Looking into the ledger as it is stored. */
export class LedgerEntries {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly tree: LedgerTree;
      readonly checkpoints: Checkpoints;
    },
  ) {}

  /** One page. Its work is bounded whatever is asked for, so it may be empty and not the last. */
  async list(tenantId: TenantId, query: EntryQuery): Promise<EntryPage> {
    const { descending, seqs } = query;
    const bounds = await this.boundsOf(tenantId, query);
    const window = seqs === null ? scanned(bounds, descending) : { ...bounds, seqs };
    if (window.firstSeq > window.lastSeq) return { entries: [], nextSeq: null };
    const { database } = this.dependencies;
    const { entries, hasMore } = await findEntries(database, tenantId, { window, filter: query });
    if (hasMore) return { entries, nextSeq: entries.at(-1)?.seq ?? null };
    return { entries, nextSeq: endOf(window, { bounds, descending }) };
  }

  async find(tenantId: TenantId, seq: number): Promise<ListedEntry | null> {
    return findEntry(this.dependencies.database, tenantId, seq);
  }

  /** Against the newest checkpoint that witnesses cosigned and that covers the entry, else against the newest of all. */
  async inclusion(tenantId: TenantId, entry: ListedEntry): Promise<Inclusion> {
    if (entry.link === null) return { state: 'unsealed' };
    const { tree, checkpoints } = this.dependencies;
    const index = await tree.indexOf(tenantId, entry.seq);
    if (index === null) return { state: 'uncovered' };
    const checkpoint =
      (await checkpoints.newestWitnessed(tenantId, index + 1)) ??
      (await checkpoints.newest(tenantId));
    if (checkpoint === null || checkpoint.size <= index) return { state: 'uncovered' };
    const found = await tree.inclusion(tenantId, entry.seq, checkpoint.size);
    return found === null ? { state: 'uncovered' } : { state: 'included', ...found, checkpoint };
  }

  private async boundsOf(
    tenantId: TenantId,
    { fromMs, toMs, afterSeq, descending }: EntryQuery,
  ): Promise<Bounds> {
    const { database } = this.dependencies;
    const lastSeq = await lastSeqOf(database, tenantId);
    const seqAt = (atMs: InstantMs) => firstSeqFrom(database, tenantId, { atMs, lastSeq });
    const bounds = {
      firstSeq: fromMs === null ? 0 : await seqAt(fromMs),
      lastSeq: toMs === null ? lastSeq : (await seqAt(toMs)) - 1,
    };
    if (afterSeq === null) return bounds;
    return descending
      ? { ...bounds, lastSeq: Math.min(bounds.lastSeq, afterSeq - 1) }
      : { ...bounds, firstSeq: Math.max(bounds.firstSeq, afterSeq + 1) };
  }
}

interface Bounds {
  readonly firstSeq: number;
  readonly lastSeq: number;
}

const scanned = ({ firstSeq, lastSeq }: Bounds, descending: boolean): EntryWindow =>
  descending
    ? { firstSeq: Math.max(firstSeq, lastSeq - ENTRIES_SCANNED_MAX + 1), lastSeq, seqs: null }
    : { firstSeq, lastSeq: Math.min(lastSeq, firstSeq + ENTRIES_SCANNED_MAX - 1), seqs: null };

/** Where the next page goes on when this one found everything in its window; null = there is nothing behind it. */
function endOf(
  { firstSeq, lastSeq, seqs }: EntryWindow,
  { bounds, descending }: { readonly bounds: Bounds; readonly descending: boolean },
): number | null {
  if (seqs !== null) return seqs.length < ENTRIES_SCANNED_MAX ? null : (seqs.at(-1) ?? null);
  if (descending) return firstSeq === bounds.firstSeq ? null : firstSeq;
  return lastSeq === bounds.lastSeq ? null : lastSeq;
}
