import type { TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import {
  type ArtifactColumns,
  COLUMNS,
  type StoredArtifact,
  toStored,
  WITH_BYTES,
} from '../artifacts.store.js';
import type { LineageRow, PublishedType } from './lineages.ledger.js';
import type { FactPlace } from './sources.js';

/** A variant that stands in a catalogue, with what decides whether its facts still serve. */
export interface CatalogGlance {
  readonly variantId: string;
  readonly productId: string;
  readonly variantRevision: number;
  /** Null = the product is not listed. */
  readonly productRevision: number | null;
  /** Null = it has no price. */
  readonly priceRevision: number | null;
  /** Null = no stock is kept here. */
  readonly available: number | null;
  readonly policiesRevision: number;
}

/** The variants among these that the merchant's catalogue has. */
export async function glanceAtCatalog(
  database: Queryable,
  tenantId: TenantId,
  {
    merchantId,
    variantIds,
  }: { readonly merchantId: string; readonly variantIds: readonly string[] },
): Promise<readonly CatalogGlance[]> {
  const { rows } = await database.query<{
    variant_id: string;
    product_id: string;
    variant_revision: string;
    product_revision: string | null;
    price_revision: string | null;
    available: string | null;
    policies_revision: string;
  }>(
    `SELECT v.variant_id, v.product_id, v.revision AS variant_revision,
            CASE WHEN p.is_listed THEN p.revision END AS product_revision, r.revision AS price_revision,
            s.on_hand - s.held AS available, coalesce(c.revision, 0) AS policies_revision
       FROM catalog_variants v
       JOIN catalog_products p USING (tenant_id, merchant_id, product_id)
       LEFT JOIN catalog_prices r USING (tenant_id, merchant_id, variant_id)
       LEFT JOIN stock s USING (tenant_id, merchant_id, variant_id)
       LEFT JOIN catalog_policies c USING (tenant_id, merchant_id)
      WHERE v.tenant_id = $1 AND v.merchant_id = $2 AND v.variant_id = ANY($3)`,
    [tenantId, merchantId, [...new Set(variantIds)]],
  );
  return rows.map((row) => ({
    variantId: row.variant_id,
    productId: row.product_id,
    variantRevision: Number(row.variant_revision),
    productRevision: numberOf(row.product_revision),
    priceRevision: numberOf(row.price_revision),
    available: numberOf(row.available),
    policiesRevision: Number(row.policies_revision),
  }));
}

/** The fact that stands for a subject, with its bytes. */
export interface StandingFact {
  readonly lineage: LineageRow;
  readonly stored: StoredArtifact;
}

interface LineageColumns extends ArtifactColumns {
  lineage_type: PublishedType;
  subject: string;
  revision: string;
  quantity: string | null;
}

/** The facts that stand for these subjects; subjects without one are absent. */
export async function findStandingFacts(
  database: Queryable,
  tenantId: TenantId,
  { merchantId, places }: { readonly merchantId: string; readonly places: readonly FactPlace[] },
): Promise<readonly StandingFact[]> {
  if (places.length === 0) return [];
  const { rows } = await database.query<LineageColumns>(
    `SELECT ${COLUMNS}, l.artifact_type AS lineage_type, l.subject, l.revision, l.quantity
       FROM unnest($3::text[], $4::text[]) AS place (artifact_type, subject)
       JOIN fact_lineages l ON l.tenant_id = $1 AND l.merchant_id = $2
        AND l.artifact_type = place.artifact_type AND l.subject = place.subject
       JOIN artifacts a ON a.tenant_id = l.tenant_id AND a.artifact_id = l.artifact_id
       ${WITH_BYTES}`,
    [tenantId, merchantId, places.map(({ type }) => type), places.map(({ subject }) => subject)],
  );
  return rows.map((row) => {
    const stored = toStored(row);
    const { artifactId, issuedAtMs, expiresAtMs, listUri, slotIndex } = stored.row;
    return {
      stored,
      lineage: {
        merchantId,
        artifactType: row.lineage_type,
        subject: row.subject,
        revision: Number(row.revision),
        quantity: numberOf(row.quantity),
        ...{ artifactId, issuedAtMs, expiresAtMs, listUri, slotIndex },
      },
    };
  });
}

const SUBJECTS: Readonly<Record<PublishedType, string>> = {
  catalog_snapshot:
    'SELECT product_id AS subject FROM catalog_products WHERE tenant_id = $1 AND merchant_id = $2 AND is_listed',
  price:
    'SELECT variant_id AS subject FROM catalog_prices WHERE tenant_id = $1 AND merchant_id = $2',
  inventory: `SELECT variant_id AS subject FROM catalog_variants
       JOIN stock USING (tenant_id, merchant_id, variant_id) WHERE tenant_id = $1 AND merchant_id = $2`,
  policy: 'SELECT merchant_id AS subject FROM merchants WHERE tenant_id = $1 AND merchant_id = $2',
  protocol_adapter:
    'SELECT merchant_id AS subject FROM merchants WHERE tenant_id = $1 AND merchant_id = $2',
};

/** Subjects of one type of which a fact can be published, by name. `after` null = from the first. */
export async function listSubjects(
  database: Queryable,
  tenantId: TenantId,
  page: {
    readonly merchantId: string;
    readonly type: PublishedType;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly string[]> {
  const { rows } = await database.query<{ subject: string }>(
    `SELECT subject FROM (${SUBJECTS[page.type]}) AS subjects
      WHERE $3::text IS NULL OR subject > $3 ORDER BY subject LIMIT $4`,
    [tenantId, page.merchantId, page.after, page.limit],
  );
  return rows.map(({ subject }) => subject);
}

/** How many subjects of these types there are. */
export async function countSubjects(
  database: Queryable,
  tenantId: TenantId,
  { merchantId, types }: { readonly merchantId: string; readonly types: readonly PublishedType[] },
): Promise<number> {
  const counts = types.map((type) => `(SELECT count(*) FROM (${SUBJECTS[type]}) AS subjects)`);
  const { rows } = await database.query<{ count: string }>(
    `SELECT ${counts.join(' + ')} AS count`,
    [tenantId, merchantId],
  );
  return Number(rows[0]?.count ?? 0);
}

const numberOf = (stored: string | null): number | null =>
  stored === null ? null : Number(stored);
