import type { Queryable } from '../database/queryable.js';

export interface StoredFingerprint {
  readonly secretName: string;
  readonly fingerprint: string;
}

/**
 * Keeps the fingerprints of names that have none yet; the first process decides. In the order of the names, so that
 * two processes at once wait for each other and never in a circle.
 */
export async function keepFingerprints(
  database: Queryable,
  fingerprints: readonly StoredFingerprint[],
): Promise<void> {
  await database.query(
    `INSERT INTO deployment_secrets (secret_name, fingerprint)
      SELECT secret_name, fingerprint FROM unnest($1::text[], $2::text[]) AS given (secret_name, fingerprint)
      ORDER BY secret_name ON CONFLICT DO NOTHING`,
    [
      fingerprints.map(({ secretName }) => secretName),
      fingerprints.map(({ fingerprint }) => fingerprint),
    ],
  );
}

/** None for a database that no process of this program has started on since it keeps them. */
export async function readFingerprints(database: Queryable): Promise<readonly StoredFingerprint[]> {
  const { rows } = await database.query<{ secret_name: string; fingerprint: string }>(
    'SELECT secret_name, fingerprint FROM deployment_secrets ORDER BY secret_name',
  );
  return rows.map((row) => ({ secretName: row.secret_name, fingerprint: row.fingerprint }));
}
