import type { TenantId } from '../../core/kernel/index.js';
import type { Queryable } from '../../base/platform/index.js';
import type { Place } from '../lists/index.js';

/** A record and its signed form; `jws` null = it was never handed out. */
export interface StoredRecord {
  readonly revocationId: string;
  /** The canonical claims: the bytes that are signed. */
  readonly claimsText: string;
  readonly jws: string | null;
}

interface RecordColumns {
  revocation_id: string;
  claims: string;
  jws: string | null;
}

const recordOf = (row: RecordColumns): StoredRecord => ({
  revocationId: row.revocation_id,
  claimsText: row.claims,
  jws: row.jws,
});

/** The records that stand at these places, in their order; a place that never changed has none. */
export async function standingRecords(
  database: Queryable,
  tenantId: TenantId,
  places: readonly Place[],
): Promise<readonly StoredRecord[]> {
  const { rows } = await database.query<RecordColumns>(
    `SELECT r.revocation_id, r.claims, d.jws
       FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS named(list_number, slot_index, place)
       JOIN slots AS s ON s.tenant_id = $1 AND s.list_number = named.list_number AND s.slot_index = named.slot_index
       JOIN revocation_records AS r ON r.tenant_id = $1 AND r.revocation_id = s.revocation_id
       LEFT JOIN revocation_documents AS d ON d.tenant_id = $1 AND d.revocation_id = r.revocation_id
      ORDER BY named.place`,
    [
      tenantId,
      places.map(({ listNumber }) => listNumber),
      places.map(({ slotIndex }) => slotIndex),
    ],
  );
  return rows.map(recordOf);
}

export async function findRecord(
  database: Queryable,
  tenantId: TenantId,
  revocationId: string,
): Promise<StoredRecord | null> {
  const { rows } = await database.query<RecordColumns>(
    `SELECT r.revocation_id, r.claims, d.jws
       FROM revocation_records AS r LEFT JOIN revocation_documents AS d USING (tenant_id, revocation_id)
      WHERE r.tenant_id = $1 AND r.revocation_id = $2`,
    [tenantId, revocationId],
  );
  return rows[0] === undefined ? null : recordOf(rows[0]);
}

/** Keeps signed forms; where one was kept before, that one is answered in place of ours. */
export async function keepSigned(
  database: Queryable,
  tenantId: TenantId,
  signed: readonly { readonly revocationId: string; readonly jws: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = signed.map(({ revocationId }) => revocationId);
  await database.query(
    `INSERT INTO revocation_documents (tenant_id, revocation_id, jws)
     SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    [tenantId, ids, signed.map(({ jws }) => jws)],
  );
  const { rows } = await database.query<{ revocation_id: string; jws: string }>(
    'SELECT revocation_id, jws FROM revocation_documents WHERE tenant_id = $1 AND revocation_id = ANY ($2)',
    [tenantId, ids],
  );
  return new Map(rows.map((row) => [row.revocation_id, row.jws]));
}
