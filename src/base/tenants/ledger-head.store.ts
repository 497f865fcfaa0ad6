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
    sealing_kid: string | null;
    sealing_since_seq: string | null;
    test_clock_at_ms: string | null;
  }>(
    `SELECT world, last_seq, last_at_ms, last_link, sealing_kid, sealing_since_seq, test_clock_at_ms
       FROM heads WHERE tenant_id = $1 AND last_seq >= 0`,
    [tenantId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    world: row.world,
    seq: Number(row.last_seq),
    atMs: Number(row.last_at_ms),
    link: row.last_link,
    sealingKid: row.sealing_kid,
    sealingSinceSeq: numberOf(row.sealing_since_seq),
    testClockAtMs: numberOf(row.test_clock_at_ms),
  };
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
