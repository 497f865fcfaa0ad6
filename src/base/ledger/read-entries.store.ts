import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';
import { recordedEntryOf, storedEntryOf } from './entries.store.js';
import type { RecordedEntry } from './event.js';

/** Which entries of one tenant: `afterSeq` is exclusive, `throughSeq` inclusive; `types` null = whatever they are. */
export interface EntryRange {
  readonly tenantId: TenantId;
  readonly afterSeq: number;
  readonly throughSeq: number;
  readonly types: readonly string[] | null;
}

/**
 * Committed entries in their order. A tenant's entries are numbered without a gap and committed in that order, so
 * whoever remembers the last seq it has seen misses none. Not checked: the chain.
 */
export async function readEntries(
  database: Queryable,
  { tenantId, afterSeq, throughSeq, types }: EntryRange,
): Promise<readonly RecordedEntry[]> {
  const { rows } = await database.query(
    `SELECT tenant_id, seq, entry_id, type, at_ms, body, kid, prev, mac, link, tx_id::text AS tx_id FROM entries
      WHERE tenant_id = $1 AND seq > $2::bigint AND seq <= $3::bigint AND ($4::text[] IS NULL OR type = ANY ($4))
      ORDER BY seq`,
    [tenantId, afterSeq, throughSeq, types],
  );
  return rows.map((row) => recordedEntryOf(storedEntryOf(row)));
}
