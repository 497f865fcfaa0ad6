import type { InstantMs } from '../../../core/kernel/index.js';
import type { Queryable } from '../../../base/platform/index.js';

export interface StoredClaim {
  /** 32 bytes in hexadecimal. */
  readonly claimSha256: string;
  readonly keptUntilMs: InstantMs;
}

/**
 * Claims words that are free at `nowMs`: never used, or used and past their end. Answers which of them were claimed by
 * this statement; no word may stand twice in `claims`.
 * INVARIANT: written in the order of their digests, so that statements that meet wait for each other in one direction.
 */
export async function claimNonces(
  database: Queryable,
  claims: readonly StoredClaim[],
  nowMs: InstantMs,
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ claim_sha256: Buffer }>(
    `INSERT INTO signature_nonces (claim_sha256, claimed_at_ms, kept_until_ms)
        SELECT claim_sha256, $3, kept_until_ms
        FROM unnest($1::bytea[], $2::bigint[]) AS claimed (claim_sha256, kept_until_ms)
        ORDER BY claim_sha256
      ON CONFLICT (claim_sha256) DO UPDATE
        SET claimed_at_ms = EXCLUDED.claimed_at_ms, kept_until_ms = EXCLUDED.kept_until_ms
        WHERE signature_nonces.kept_until_ms <= EXCLUDED.claimed_at_ms
      RETURNING claim_sha256`,
    [
      claims.map(({ claimSha256 }) => Buffer.from(claimSha256, 'hex')),
      claims.map(({ keptUntilMs }) => keptUntilMs),
      nowMs,
    ],
  );
  return new Set(rows.map((row) => row.claim_sha256.toString('hex')));
}

/** Deletes at most `limit` words whose end lies before `endedBeforeMs`, the oldest first; answers how many. */
export async function sweepNonces(
  database: Queryable,
  { endedBeforeMs, limit }: { readonly endedBeforeMs: InstantMs; readonly limit: number },
): Promise<number> {
  const { rows } = await database.query<{ swept: string }>(
    `WITH due AS (
        SELECT claim_sha256 FROM signature_nonces WHERE kept_until_ms < $1
        ORDER BY kept_until_ms LIMIT $2 FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM signature_nonces USING due WHERE signature_nonces.claim_sha256 = due.claim_sha256 RETURNING 1
      ) SELECT count(*) AS swept FROM gone`,
    [endedBeforeMs, limit],
  );
  return Number(rows[0]?.swept);
}
