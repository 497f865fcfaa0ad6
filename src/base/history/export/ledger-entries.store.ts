import type { ChainEntry } from '../../../core/chain/index.js';
import type { InstantMs, TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';

/** An entry as it is stored. `actor` null = the body is not what this program writes. */
export interface ListedEntry extends ChainEntry {
  readonly type: string;
  readonly atMs: InstantMs;
  readonly actor: { readonly role: string; readonly id: string } | null;
}

/** Bytes of bodies after which a page takes no more. */
const PAGE_BYTES_MAX = 1_048_576;

/** Which entries to look at: those between two places, both included, or among those the ones that are named. */
export interface EntryWindow {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly seqs: readonly number[] | null;
}

export interface EntryFilter {
  /** `room.past_tense`, or the beginning of such names as `room.`; null = every type. */
  readonly type: { readonly name: string; readonly isPrefix: boolean } | null;
  readonly descending: boolean;
  readonly limit: number;
}

const COLUMNS = 'seq, type, at_ms, body, kid, prev, mac, link';

/** Generic plans must not read a whole ledger: named entries are found one by one, windows as a range. */
function statementOf({ seqs }: EntryWindow, { descending }: EntryFilter): string {
  const order = descending ? 'DESC' : 'ASC';
  const named = seqs === null ? '' : 'AND seq = ANY ($7::bigint[])';
  return `SELECT ${COLUMNS}, matching_count FROM (
      SELECT *, count(*) OVER () AS matching_count,
          sum(octet_length(body)) OVER (ORDER BY seq ${order}) - octet_length(body) AS bytes_before FROM (
        SELECT ${COLUMNS} FROM entries
          WHERE tenant_id = $1 AND seq BETWEEN $2::bigint AND $3::bigint ${named}
            AND ($4::text IS NULL OR CASE WHEN $5::boolean THEN starts_with(type, $4) ELSE type = $4 END)
          ORDER BY seq ${order} LIMIT $6::bigint + 1
      ) AS matching
    ) AS page WHERE bytes_before < ${PAGE_BYTES_MAX} ORDER BY seq ${order}`;
}

/** At most `limit` entries, at least one if any matches; fewer than match when their bodies are long. */
export async function findEntries(
  database: Queryable,
  tenantId: TenantId,
  { window, filter }: { readonly window: EntryWindow; readonly filter: EntryFilter },
): Promise<{ readonly entries: readonly ListedEntry[]; readonly hasMore: boolean }> {
  const { rows } = await database.query<Record<string, string | null>>(
    statementOf(window, filter),
    [
      tenantId,
      window.firstSeq,
      window.lastSeq,
      filter.type?.name ?? null,
      filter.type?.isPrefix ?? false,
      filter.limit,
      ...(window.seqs === null ? [] : [window.seqs]),
    ],
  );
  const entries = rows.slice(0, filter.limit).map(listedOf);
  return { entries, hasMore: Number(rows[0]?.['matching_count'] ?? 0) > entries.length };
}

export async function findEntry(
  database: Queryable,
  tenantId: TenantId,
  seq: number,
): Promise<ListedEntry | null> {
  const window = { firstSeq: seq, lastSeq: seq, seqs: null };
  const filter = { type: null, descending: false, limit: 1 };
  const { entries } = await findEntries(database, tenantId, { window, filter });
  return entries[0] ?? null;
}

/**
 * The first of the entries 0 to `lastSeq` whose instant is not before this one; `lastSeq` + 1 = there is none. Instants
 * never go back along a ledger, so it is halved until it is found: no index has to be kept for it.
 */
export async function firstSeqFrom(
  database: Queryable,
  tenantId: TenantId,
  { atMs, lastSeq }: { readonly atMs: InstantMs; readonly lastSeq: number },
): Promise<number> {
  const { rows } = await database.query<{ seq: string }>(
    `WITH RECURSIVE halves (low, high) AS (
        SELECT 0::bigint, $3::bigint + 1
      UNION ALL
        SELECT CASE WHEN e.at_ms < $2::bigint THEN e.seq + 1 ELSE low END,
            CASE WHEN e.at_ms < $2::bigint THEN high ELSE e.seq END
          FROM halves JOIN entries AS e ON e.tenant_id = $1 AND e.seq = (low + high) / 2
          WHERE low < high
      )
      SELECT max(low) AS seq FROM halves`,
    [tenantId, atMs, lastSeq],
  );
  return Number(rows[0]?.seq);
}

export async function lastSeqOf(database: Queryable, tenantId: TenantId): Promise<number> {
  const { rows } = await database.query<{ last_seq: string }>(
    'SELECT last_seq FROM heads WHERE tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0]?.last_seq ?? -1);
}

function listedOf(row: Readonly<Record<string, string | null>>): ListedEntry {
  const body = row['body'] ?? '';
  return {
    seq: Number(row['seq']),
    type: row['type'] ?? '',
    atMs: Number(row['at_ms']),
    actor: actorIn(body),
    body,
    kid: row['kid'] ?? null,
    prev: row['prev'] ?? null,
    mac: row['mac'] ?? null,
    link: row['link'] ?? null,
  };
}

/** Lenient: an entry that somebody damaged is listed as it is. */
function actorIn(body: string): ListedEntry['actor'] {
  try {
    const { actor } = JSON.parse(body) as { readonly actor?: Readonly<Record<string, unknown>> };
    const { role, id } = actor ?? {};
    return typeof role === 'string' && typeof id === 'string' ? { role, id } : null;
  } catch {
    return null;
  }
}
