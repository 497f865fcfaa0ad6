import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../platform/index.js';

/** How it stands between a tenant's ledger and one witness. */
export interface WitnessState {
  readonly witnessName: string;
  /** Leaves of the largest tree that it cosigned; 0 = none. */
  readonly size: number;
  readonly lastCosignedAtMs: number | null;
  readonly failingSinceMs: number | null;
  readonly failureCount: number;
  /** Why the last try came to nothing; null = it did not. */
  readonly failure: string | null;
  /** The invariant that does not hold between us; null = none. */
  readonly disagreement: string | null;
  readonly nextTryAtMs: number;
  readonly registeredVkeys: string | null;
}

export const unknownWitness = (witnessName: string): WitnessState => ({
  witnessName,
  size: 0,
  lastCosignedAtMs: null,
  failingSinceMs: null,
  failureCount: 0,
  failure: null,
  disagreement: null,
  nextTryAtMs: 0,
  registeredVkeys: null,
});

const integerOf = (value: string | null): number | null => (value === null ? null : Number(value));

export async function listWitnessStates(
  database: Queryable,
  tenantId: TenantId,
): Promise<readonly WitnessState[]> {
  const { rows } = await database.query<{
    witness_name: string;
    size: string;
    last_cosigned_at_ms: string | null;
    failing_since_ms: string | null;
    failure_count: string;
    failure: string | null;
    disagreement: string | null;
    next_try_at_ms: string;
    registered_vkeys: string | null;
  }>(
    `SELECT witness_name, size, last_cosigned_at_ms, failing_since_ms, failure_count, failure, disagreement,
        next_try_at_ms, registered_vkeys
      FROM witness_states WHERE tenant_id = $1 ORDER BY witness_name`,
    [tenantId],
  );
  return rows.map((row) => ({
    witnessName: row.witness_name,
    size: Number(row.size),
    lastCosignedAtMs: integerOf(row.last_cosigned_at_ms),
    failingSinceMs: integerOf(row.failing_since_ms),
    failureCount: Number(row.failure_count),
    failure: row.failure,
    disagreement: row.disagreement,
    nextTryAtMs: Number(row.next_try_at_ms),
    registeredVkeys: row.registered_vkeys,
  }));
}

export interface CosignedCheckpoint {
  readonly size: number;
  readonly keyId: string;
  readonly line: string;
  readonly timeSeconds: number;
}

/**
 * Keeps a verified cosignature and that the witness answered: what failed before is over. Of two rounds at once the larger
 * size stays, and of two cosignatures under one key the first.
 */
export async function keepCosignature(
  database: Queryable,
  who: { readonly tenantId: TenantId; readonly witnessName: string },
  { size, keyId, line, timeSeconds }: CosignedCheckpoint,
): Promise<void> {
  await database.query(
    `WITH kept AS (
        INSERT INTO checkpoint_cosignatures (tenant_id, size, witness_name, key_id, line, cosigned_at_s)
          VALUES ($1, $3, $2, $4, $5, $6::bigint) ON CONFLICT DO NOTHING)
      INSERT INTO witness_states AS s (tenant_id, witness_name, size, last_cosigned_at_ms)
        VALUES ($1, $2, $3, $6::bigint * 1000)
      ON CONFLICT (tenant_id, witness_name) DO UPDATE SET size = greatest(s.size, excluded.size),
        last_cosigned_at_ms = greatest(s.last_cosigned_at_ms, excluded.last_cosigned_at_ms), failing_since_ms = NULL,
        failure_count = 0, failure = NULL, disagreement = NULL, next_try_at_ms = 0`,
    [who.tenantId, who.witnessName, size, keyId, line, timeSeconds],
  );
}

/** Notes a try that came to nothing, and when the next one is due. Answers how many there were in a row. */
export async function keepFailure(
  database: Queryable,
  who: { readonly tenantId: TenantId; readonly witnessName: string },
  failed: {
    readonly failure: string;
    readonly disagreement: string | null;
    readonly atMs: number;
    readonly nextTryAtMs: number;
  },
): Promise<void> {
  await database.query(
    `INSERT INTO witness_states AS s
        (tenant_id, witness_name, failing_since_ms, failure_count, failure, disagreement, next_try_at_ms)
      VALUES ($1, $2, $3, 1, $4, $5, $6)
      ON CONFLICT (tenant_id, witness_name) DO UPDATE SET
        failing_since_ms = coalesce(s.failing_since_ms, excluded.failing_since_ms),
        failure_count = s.failure_count + 1, failure = excluded.failure, disagreement = excluded.disagreement,
        next_try_at_ms = excluded.next_try_at_ms`,
    [
      who.tenantId,
      who.witnessName,
      failed.atMs,
      failed.failure,
      failed.disagreement,
      failed.nextTryAtMs,
    ],
  );
}

/** Notes which keys of our log a witness was told. */
export async function keepRegistration(
  database: Queryable,
  who: { readonly tenantId: TenantId; readonly witnessName: string },
  vkeys: string,
): Promise<void> {
  await database.query(
    `INSERT INTO witness_states (tenant_id, witness_name, registered_vkeys) VALUES ($1, $2, $3)
      ON CONFLICT (tenant_id, witness_name) DO UPDATE SET registered_vkeys = excluded.registered_vkeys`,
    [who.tenantId, who.witnessName, vkeys],
  );
}

/**
 * Takes tenants whose round is due: witnessing is on, and something is not cosigned by every witness yet, or the ledger
 * went on. Each is due again after `intervalMs`, so of several processes one has the round. An instant that lies more than
 * two of them ahead is of a clock that went back since, and is not believed; less may be another process's clock.
 */
export async function claimRounds(
  database: Queryable,
  { nowMs, intervalMs, limit }: { nowMs: number; intervalMs: number; limit: number },
): Promise<readonly TenantId[]> {
  const { rows } = await database.query<{ tenant_id: TenantId }>(
    `INSERT INTO witness_rounds AS r (tenant_id, due_at_ms)
      SELECT w.tenant_id, $1::bigint + $2::bigint
        FROM ledger_witnessing AS w JOIN heads AS h USING (tenant_id)
        LEFT JOIN ledger_trees AS t USING (tenant_id) LEFT JOIN witness_rounds AS d USING (tenant_id)
        WHERE w.is_on AND h.last_link IS NOT NULL
          AND (d.tenant_id IS NULL OR d.due_at_ms <= $1::bigint OR d.due_at_ms > $1::bigint + 2 * $2::bigint)
          AND (d.settled_size IS DISTINCT FROM t.size OR t.next_seq <= h.last_seq)
        ORDER BY d.due_at_ms NULLS FIRST, w.tenant_id LIMIT $3
      ON CONFLICT (tenant_id) DO UPDATE SET due_at_ms = excluded.due_at_ms
        WHERE r.due_at_ms <= $1::bigint OR r.due_at_ms > $1::bigint + 2 * $2::bigint
      RETURNING tenant_id`,
    [nowMs, intervalMs, limit],
  );
  return rows.map((row) => row.tenant_id);
}

/** Every witness cosigned the checkpoint of `size`: as long as it is the tree's, no round is due. */
export async function settleRound(
  database: Queryable,
  tenantId: TenantId,
  size: number,
): Promise<void> {
  await database.query('UPDATE witness_rounds SET settled_size = $2 WHERE tenant_id = $1', [
    tenantId,
    size,
  ]);
}
