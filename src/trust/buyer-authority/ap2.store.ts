import type { TenantId } from '../../core/kernel/index.js';
import { MANDATE_DEPTH_MAX } from '../../core/proofs/index.js';
import type { Queryable } from '../../base/platform/index.js';

/** The registration of an AP2 object that is held here. `registration` null = its document was erased. */
export interface StoredRegistration {
  readonly objectSha256: string;
  readonly registrationId: string;
  readonly registration: string | null;
  readonly registeredAtMs: number;
}

/** Registrations by the digest of their object; unknown ones are absent. */
export async function findRegistrations(
  database: Queryable,
  tenantId: TenantId,
  objectSha256s: readonly string[],
): Promise<ReadonlyMap<string, StoredRegistration>> {
  if (objectSha256s.length === 0) return new Map();
  const { rows } = await database.query<{
    object_sha256: string;
    registration_id: string;
    registered_at_ms: string;
    bytes: Buffer | null;
  }>(
    `SELECT o.object_sha256, o.registration_id, o.registered_at_ms, d.bytes
       FROM ap2_objects o
       LEFT JOIN documents d ON d.tenant_id = o.tenant_id AND d.sha256 = o.registration_sha256
      WHERE o.tenant_id = $1 AND o.object_sha256 = ANY($2)`,
    [tenantId, [...new Set(objectSha256s)]],
  );
  return new Map(
    rows.map((row) => [
      row.object_sha256,
      {
        objectSha256: row.object_sha256,
        registrationId: row.registration_id,
        registration: row.bytes === null ? null : row.bytes.toString('utf8'),
        registeredAtMs: Number(row.registered_at_ms),
      },
    ]),
  );
}

/** The object that a registration is for; null = none is held. */
export async function findObjectSha256(
  database: Queryable,
  tenantId: TenantId,
  registrationId: string,
): Promise<string | null> {
  const { rows } = await database.query<{ object_sha256: string }>(
    'SELECT object_sha256 FROM ap2_objects WHERE tenant_id = $1 AND registration_id = $2',
    [tenantId, registrationId],
  );
  return rows[0]?.object_sha256 ?? null;
}

/** A place of the tree above an object: a native mandate or another registration. */
export interface TreePlace {
  readonly id: string;
  readonly parentId: string | null;
  readonly issuer: string;
  readonly listUri: string;
  readonly slotIndex: number;
}

/** Everything above the given ids, and they themselves, by id; what is not held here is absent. */
export async function findTreePlaces(
  database: Queryable,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TreePlace>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<{
    id: string;
    parent_id: string | null;
    issuer: string;
    list_uri: string;
    slot_index: string;
  }>(
    `WITH RECURSIVE held AS (
       SELECT mandate_id AS id, parent_id, issuer, list_uri, slot_index
         FROM mandates WHERE tenant_id = $1
       UNION ALL
       SELECT registration_id, parent_id, issuer, list_uri, slot_index
         FROM ap2_objects WHERE tenant_id = $1),
     chain AS (
       SELECT held.*, 1 AS level FROM held WHERE id = ANY($2)
       UNION ALL
       SELECT held.*, chain.level + 1
         FROM chain JOIN held ON held.id = chain.parent_id
        WHERE chain.level < $3)
     SELECT DISTINCT id, parent_id, issuer, list_uri, slot_index FROM chain`,
    [tenantId, [...new Set(ids)], MANDATE_DEPTH_MAX],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        parentId: row.parent_id,
        issuer: row.issuer,
        listUri: row.list_uri,
        slotIndex: Number(row.slot_index),
      },
    ]),
  );
}
