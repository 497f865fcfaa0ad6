import type { TenantId } from '../../core/kernel/index.js';
import { ARTIFACT_TYPES } from '../../core/rules/index.js';
import type { Queryable } from '../../base/platform/index.js';
import { invariant } from '../../core/kernel/index.js';
import type { ArtifactRow } from './artifacts.ledger.js';

/** A registered artifact with its bytes; null = the document is gone, which only a damaged database shows. */
export interface StoredArtifact {
  readonly row: ArtifactRow;
  readonly entrySeq: number;
  readonly envelopeText: string | null;
}

export interface ArtifactColumns {
  artifact_id: string;
  artifact_type: string;
  merchant_id: string;
  variant_id: string | null;
  subject_type: string;
  subject_id: string;
  source_revision: string | null;
  issuer: string;
  issuer_kid: string;
  payload_hash: string;
  document_sha256: string;
  issued_at_ms: string;
  not_before_at_ms: string;
  expires_at_ms: string;
  list_uri: string;
  slot_index: string;
  registered_at_ms: string;
  entry_seq: string;
  bytes: Buffer | null;
}

/** Of `artifacts a` and `documents d`, as {@link WITH_BYTES} joins them. */
export const COLUMNS = `a.artifact_id, a.artifact_type, a.merchant_id, a.variant_id, a.subject_type, a.subject_id, a.source_revision,
  a.issuer, a.issuer_kid, a.payload_hash, a.document_sha256, a.issued_at_ms, a.not_before_at_ms, a.expires_at_ms, a.list_uri,
  a.slot_index, a.registered_at_ms, a.entry_seq, d.bytes`;
export const WITH_BYTES =
  'LEFT JOIN documents d ON d.tenant_id = a.tenant_id AND d.sha256 = a.document_sha256';

/** Artifacts by id; unknown ones are absent. */
export async function findArtifacts(
  database: Queryable,
  tenantId: TenantId,
  artifactIds: readonly string[],
): Promise<ReadonlyMap<string, StoredArtifact>> {
  if (artifactIds.length === 0) return new Map();
  const { rows } = await database.query<ArtifactColumns>(
    `SELECT ${COLUMNS} FROM artifacts a ${WITH_BYTES} WHERE a.tenant_id = $1 AND a.artifact_id = ANY($2)`,
    [tenantId, [...new Set(artifactIds)]],
  );
  return new Map(rows.map((row) => [row.artifact_id, toStored(row)]));
}

/** Of one merchant: for each (type, variant) the newest artifact. `variantId` is '' for types that name no variant. */
export async function findCurrentArtifacts(
  database: Queryable,
  tenantId: TenantId,
  wanted: {
    readonly merchantId: string;
    readonly places: readonly { readonly type: string; readonly variantId: string }[];
  },
): Promise<readonly StoredArtifact[]> {
  const { merchantId, places } = wanted;
  if (places.length === 0) return [];
  const { rows } = await database.query<ArtifactColumns>(
    `SELECT ${COLUMNS}
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS place (artifact_type, variant_id, number)
       JOIN current_artifacts c ON c.tenant_id = $1 AND c.merchant_id = $2
        AND c.artifact_type = place.artifact_type AND c.variant_id = place.variant_id
       JOIN artifacts a ON a.tenant_id = c.tenant_id AND a.artifact_id = c.artifact_id
       ${WITH_BYTES}
      ORDER BY place.number`,
    [tenantId, merchantId, places.map(({ type }) => type), places.map((place) => place.variantId)],
  );
  return rows.map(toStored);
}

export interface ArtifactPage {
  readonly merchantIds: readonly string[] | null;
  readonly type: string | null;
  /** Only artifacts registered before this entry; null = from the newest. */
  readonly beforeSeq: number | null;
  readonly limit: number;
}

/** Newest first. */
export async function listArtifacts(
  database: Queryable,
  tenantId: TenantId,
  { merchantIds, type, beforeSeq, limit }: ArtifactPage,
): Promise<readonly StoredArtifact[]> {
  const { rows } = await database.query<ArtifactColumns>(
    `SELECT ${COLUMNS} FROM artifacts a ${WITH_BYTES}
      WHERE a.tenant_id = $1 AND ($2::text[] IS NULL OR a.merchant_id = ANY($2))
        AND ($3::text IS NULL OR a.artifact_type = $3) AND ($4::bigint IS NULL OR a.entry_seq < $4)
      ORDER BY a.entry_seq DESC LIMIT $5`,
    [tenantId, merchantIds, type, beforeSeq, limit],
  );
  return rows.map(toStored);
}

export function toStored(row: ArtifactColumns): StoredArtifact {
  const artifactType = ARTIFACT_TYPES.find((type) => type === row.artifact_type);
  invariant(artifactType !== undefined, 'a registered artifact has a type of the closed list');
  return {
    row: {
      artifactId: row.artifact_id,
      artifactType,
      merchantId: row.merchant_id,
      variantId: row.variant_id,
      subjectType: row.subject_type,
      subjectId: row.subject_id,
      sourceRevision: row.source_revision,
      issuer: row.issuer,
      issuerKid: row.issuer_kid,
      payloadHash: row.payload_hash,
      documentSha256: row.document_sha256,
      issuedAtMs: Number(row.issued_at_ms),
      notBeforeAtMs: Number(row.not_before_at_ms),
      expiresAtMs: Number(row.expires_at_ms),
      listUri: row.list_uri,
      slotIndex: Number(row.slot_index),
      registeredAtMs: Number(row.registered_at_ms),
    },
    entrySeq: Number(row.entry_seq),
    envelopeText: row.bytes === null ? null : row.bytes.toString('utf8'),
  };
}
