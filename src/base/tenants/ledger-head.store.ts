import type { InstantMs, TenantId, World } from '../../core/kernel/index.js';
import type { Queryable } from '../platform/index.js';

/** The end of a tenant's ledger, as its administrators see it. */
export interface LedgerHead {
  readonly world: World;
  /** Sequence number of the last entry; the first has 0. */
  readonly seq: number;
  readonly atMs: InstantMs;
  /** Link of the last sealed entry, hex; null = nothing was ever sealed. */
  readonly link: string | null;
  /** The entry of that link, not always the last one; null exactly when the link is. */
  readonly sealed: { readonly seq: number; readonly atMs: InstantMs } | null;
  /** The key that seals; null = sealing is off. */
  readonly sealingKid: string | null;
  readonly sealingSinceSeq: number | null;
  /** Where the test clock stands still; null = it was never moved. */
  readonly testClockAtMs: InstantMs | null;
}

/** As it is now, outside any lock; null = no such tenant. */
export async function findLedgerHead(
  database: Queryable,
  tenantId: TenantId,
): Promise<LedgerHead | null> {
  const { rows } = await database.query<{
    world: World;
    last_seq: string;
    last_at_ms: string;
    last_link: string | null;
    sealed_seq: string | null;
    sealed_at_ms: string | null;
    sealing_kid: string | null;
    sealing_since_seq: string | null;
    test_clock_at_ms: string | null;
  }>(
    // While sealing is off the last sealed entry stands at its last change or just before: what came since is not read.
    `SELECT h.world, h.last_seq, h.last_at_ms, h.last_link, h.sealing_kid, h.sealing_since_seq, h.test_clock_at_ms,
            s.seq AS sealed_seq, s.at_ms AS sealed_at_ms
       FROM heads AS h
       LEFT JOIN LATERAL (
         SELECT e.seq, e.at_ms FROM entries AS e
          WHERE e.tenant_id = h.tenant_id AND e.link IS NOT NULL AND e.seq <=
            CASE WHEN h.sealing_kid IS NOT NULL THEN h.last_seq ELSE (
              SELECT max(c.seq) FROM entries AS c
               WHERE c.tenant_id = h.tenant_id AND c.type IN ('ledger.opened', 'ledger.sealing_switched')
            ) END
          ORDER BY e.seq DESC LIMIT 1
       ) AS s ON h.last_link IS NOT NULL
      WHERE h.tenant_id = $1 AND h.last_seq >= 0`,
    [tenantId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    world: row.world,
    seq: Number(row.last_seq),
    atMs: Number(row.last_at_ms),
    link: row.last_link,
    sealed:
      row.sealed_seq === null
        ? null
        : { seq: Number(row.sealed_seq), atMs: Number(row.sealed_at_ms) },
    sealingKid: row.sealing_kid,
    sealingSinceSeq: numberOf(row.sealing_since_seq),
    testClockAtMs: numberOf(row.test_clock_at_ms),
  };
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
