import type { InstantMs, TenantId } from '../../../core/kernel/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import type { LineageRow, PublishedType } from '../publishing/lineages.ledger.js';

/** Variants of one product that a shop shows: the first by id. */
export const SHOP_VARIANTS_MAX = 100;
/** Variants of one reading; a page ends before the product that would exceed it. */
export const READ_VARIANTS_MAX = 10_000;
/** Merchants of one tenant that may sell a thing of the same id; more are not looked at. */
const SAME_ID_MAX = 20;

/** A listed product with one of its variants, as the catalogue has it. Nothing of it is signed. */
export interface ShelfRow {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly productId: string;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly productRevision: number;
  readonly variant: ShelfVariant | null;
}

export interface ShelfVariant {
  readonly variantId: string;
  readonly title: string | null;
  readonly revision: number;
  /** Null = the catalogue has no price: only an issuer's may count. */
  readonly priceRevision: number | null;
  /** Pieces that nobody holds; null = no stock is kept here. */
  readonly available: number | null;
}

interface ShelfColumns {
  merchant_id: string;
  merchant_name: string;
  product_id: string;
  title: string;
  image_url: string | null;
  revision: string;
  variant_id: string | null;
  variant_title: string | null;
  variant_revision: string | null;
  price_revision: string | null;
  available: string | null;
}

/** Where a page begins. */
export interface ShelfPlace {
  readonly merchantId: string;
  readonly productId: string;
}

/** Listed products of every merchant, by merchant and product. */
export const readShelf = (
  database: Queryable,
  tenantId: TenantId,
  { after, limit }: { readonly after: ShelfPlace | null; readonly limit: number },
): Promise<readonly ShelfRow[]> =>
  shelfRows(database, {
    products: `tenant_id = $1 AND is_listed AND ($3::text IS NULL OR (merchant_id, product_id) > ($3, $4))`,
    values: [tenantId, null, after?.merchantId ?? null, after?.productId ?? null],
    limit,
  });

/** The listed products of this id; of one merchant where it is named. */
export const findOnShelf = (
  database: Queryable,
  tenantId: TenantId,
  { productId, merchantId }: { readonly productId: string; readonly merchantId: string | null },
): Promise<readonly ShelfRow[]> =>
  shelfRows(database, {
    products: `tenant_id = $1 AND is_listed AND product_id = $4
      AND merchant_id = ANY (${MERCHANTS_NAMED})`,
    values: [tenantId, null, merchantId, productId],
    limit: SAME_ID_MAX,
  });

/** The listed products that have this variant, which is then among the variants that are answered. */
export const findVariantOnShelf = (
  database: Queryable,
  tenantId: TenantId,
  { variantId, merchantId }: { readonly variantId: string; readonly merchantId: string | null },
): Promise<readonly ShelfRow[]> =>
  shelfRows(database, {
    products: `tenant_id = $1 AND is_listed AND (merchant_id, product_id) IN (
      SELECT merchant_id, product_id FROM catalog_variants
       WHERE tenant_id = $1 AND variant_id = $2 AND merchant_id = ANY (${MERCHANTS_NAMED}))`,
    values: [tenantId, variantId, merchantId],
    limit: SAME_ID_MAX,
  });

/** The listed products that have each of these words in a title or id of their own or of a variant. */
export const searchShelf = (
  database: Queryable,
  tenantId: TenantId,
  { words, limit }: { readonly words: readonly string[]; readonly limit: number },
): Promise<readonly ShelfRow[]> =>
  shelfRows(database, {
    products: `tenant_id = $1 AND is_listed AND NOT EXISTS (
      SELECT 1 FROM unnest($3::text[]) AS word
       WHERE strpos(lower(title || ' ' || product_id), lower(word)) = 0 AND NOT EXISTS (
         SELECT 1 FROM catalog_variants v
          WHERE v.tenant_id = $1 AND v.merchant_id = p.merchant_id AND v.product_id = p.product_id
            AND strpos(lower(coalesce(v.title, '') || ' ' || v.variant_id), lower(word)) > 0))`,
    values: [tenantId, null, words],
    limit,
  });

const MERCHANTS_NAMED = `SELECT merchant_id FROM merchants
         WHERE tenant_id = $1 AND ($3::text IS NULL OR merchant_id = $3)`;

/** WHY no join: of a catalogue that was imported just now the planner knows no sizes, and compares every row with every row. */
const ofVariant = (value: string, table: string): string =>
  `(SELECT ${value} FROM ${table} o
     WHERE o.tenant_id = p.tenant_id AND o.merchant_id = p.merchant_id AND o.variant_id = v.variant_id)`;

/** `values`: the tenant and the variant to be answered first come first; `products` is SQL of our own. */
async function shelfRows(
  database: Queryable,
  {
    products,
    values,
    limit,
  }: { readonly products: string; readonly values: readonly unknown[]; readonly limit: number },
): Promise<readonly ShelfRow[]> {
  const { rows } = await database.query<ShelfColumns>(
    `SELECT p.merchant_id, m.name AS merchant_name, p.product_id, p.title, p.image_url, p.revision,
            v.variant_id, v.title AS variant_title, v.revision AS variant_revision,
            ${ofVariant('revision', 'catalog_prices')} AS price_revision,
            ${ofVariant('on_hand - held', 'stock')} AS available
       FROM (SELECT * FROM catalog_products p WHERE ${products}
              ORDER BY merchant_id, product_id LIMIT ${limit}) AS p
       JOIN merchants m USING (tenant_id, merchant_id)
       LEFT JOIN LATERAL (
         SELECT c.variant_id, c.title, c.revision FROM catalog_variants c
          WHERE c.tenant_id = p.tenant_id AND c.merchant_id = p.merchant_id AND c.product_id = p.product_id
          ORDER BY c.variant_id IS NOT DISTINCT FROM $2::text DESC, c.variant_id LIMIT ${SHOP_VARIANTS_MAX}) AS v ON true
      ORDER BY p.merchant_id, p.product_id, v.variant_id LIMIT ${READ_VARIANTS_MAX + 1}`,
    values,
  );
  return rows.map(toShelfRow);
}

const toShelfRow = (row: ShelfColumns): ShelfRow => ({
  merchantId: row.merchant_id,
  merchantName: row.merchant_name,
  productId: row.product_id,
  title: row.title,
  imageUrl: row.image_url,
  productRevision: Number(row.revision),
  variant:
    row.variant_id === null
      ? null
      : {
          variantId: row.variant_id,
          title: row.variant_title,
          revision: Number(row.variant_revision),
          priceRevision: numberOf(row.price_revision),
          available: numberOf(row.available),
        },
});

/** Where each further page of so many listed products begins, the first left out. */
export async function findChapters(
  database: Queryable,
  tenantId: TenantId,
  { productsEach, limit }: { readonly productsEach: number; readonly limit: number },
): Promise<readonly ShelfPlace[]> {
  const { rows } = await database.query<{ merchant_id: string; product_id: string }>(
    `SELECT merchant_id, product_id FROM (
       SELECT merchant_id, product_id, row_number() OVER (ORDER BY merchant_id, product_id) AS number
         FROM catalog_products WHERE tenant_id = $1 AND is_listed) AS listed
      WHERE number % $2 = 0 ORDER BY number LIMIT $3`,
    [tenantId, productsEach, limit],
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, productId: row.product_id }));
}

/** A subject of one of several merchants. */
export interface ShopPlace {
  readonly merchantId: string;
  readonly type: PublishedType;
  readonly subject: string;
}

/** A registered artifact without its bytes: whose key signed it, and which document it is. */
export interface HeldArtifact {
  readonly artifactId: string;
  readonly merchantId: string;
  readonly issuer: string;
  readonly issuerKid: string;
  readonly documentSha256: string;
  readonly registeredAtMs: InstantMs;
}

/** What stands for a place. `lineage` null = an issuer registered it; nothing here renews it. */
export interface StandingArtifact {
  readonly place: ShopPlace;
  readonly lineage: LineageRow | null;
  readonly held: HeldArtifact;
}

interface HeldColumns {
  merchant_id: string;
  artifact_type: PublishedType;
  subject: string;
  artifact_id: string;
  issuer: string;
  issuer_kid: string;
  document_sha256: string;
  registered_at_ms: string;
}

const HELD = 'a.artifact_id, a.issuer, a.issuer_kid, a.document_sha256, a.registered_at_ms';
const PLACES =
  'unnest($2::text[], $3::text[], $4::text[]) AS place (merchant_id, artifact_type, subject)';

/** WHY a limit of one: each place is then looked up by its whole key, whatever the planner believes of the sizes. */
const artifactOf = (standing: string): string =>
  `SELECT * FROM artifacts o WHERE o.tenant_id = $1 AND o.artifact_id = ${standing}.artifact_id LIMIT 1`;

/** What is published of these places; places without a fact are absent. */
export async function findPublished(
  database: Queryable,
  tenantId: TenantId,
  places: readonly ShopPlace[],
): Promise<readonly StandingArtifact[]> {
  if (places.length === 0) return [];
  const { rows } = await database.query<
    HeldColumns & {
      revision: string;
      quantity: string | null;
      issued_at_ms: string;
      expires_at_ms: string;
      list_uri: string;
      slot_index: string;
    }
  >(
    `SELECT l.merchant_id, l.artifact_type, l.subject, l.revision, l.quantity, l.issued_at_ms, l.expires_at_ms,
            l.list_uri, l.slot_index, ${HELD}
       FROM ${PLACES}
      CROSS JOIN LATERAL (
        SELECT * FROM fact_lineages o WHERE o.tenant_id = $1 AND o.merchant_id = place.merchant_id
           AND o.artifact_type = place.artifact_type AND o.subject = place.subject LIMIT 1) AS l
      CROSS JOIN LATERAL (${artifactOf('l')}) AS a`,
    [tenantId, ...columnsOf(places)],
  );
  return rows.map((row) => ({
    ...standingOf(row),
    lineage: {
      merchantId: row.merchant_id,
      artifactType: row.artifact_type,
      subject: row.subject,
      artifactId: row.artifact_id,
      revision: Number(row.revision),
      quantity: numberOf(row.quantity),
      issuedAtMs: Number(row.issued_at_ms),
      expiresAtMs: Number(row.expires_at_ms),
      listUri: row.list_uri,
      slotIndex: Number(row.slot_index),
    },
  }));
}

/** What issuers registered last of these places, whose subjects are variants. */
export async function findRegistered(
  database: Queryable,
  tenantId: TenantId,
  places: readonly ShopPlace[],
): Promise<readonly StandingArtifact[]> {
  if (places.length === 0) return [];
  const { rows } = await database.query<HeldColumns>(
    `SELECT place.merchant_id, place.artifact_type, place.subject, ${HELD}
       FROM ${PLACES}
      CROSS JOIN LATERAL (
        SELECT * FROM current_artifacts o WHERE o.tenant_id = $1 AND o.merchant_id = place.merchant_id
           AND o.artifact_type = place.artifact_type AND o.variant_id = place.subject LIMIT 1) AS c
      CROSS JOIN LATERAL (${artifactOf('c')}) AS a`,
    [tenantId, ...columnsOf(places)],
  );
  return rows.map((row) => ({ ...standingOf(row), lineage: null }));
}

/** The bytes of envelopes, as text, by their SHA-256; missing ones are absent. */
export async function findEnvelopes(
  database: Queryable,
  tenantId: TenantId,
  documentSha256s: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (documentSha256s.length === 0) return new Map();
  const { rows } = await database.query<{ sha256: string; bytes: Buffer }>(
    'SELECT sha256, bytes FROM documents WHERE tenant_id = $1 AND sha256 = ANY($2) AND bytes IS NOT NULL',
    [tenantId, [...new Set(documentSha256s)]],
  );
  return new Map(rows.map(({ sha256, bytes }) => [sha256, bytes.toString('utf8')]));
}

const columnsOf = (places: readonly ShopPlace[]) => [
  places.map(({ merchantId }) => merchantId),
  places.map(({ type }) => type),
  places.map(({ subject }) => subject),
];

const standingOf = (row: HeldColumns): Pick<StandingArtifact, 'place' | 'held'> => ({
  place: { merchantId: row.merchant_id, type: row.artifact_type, subject: row.subject },
  held: {
    artifactId: row.artifact_id,
    merchantId: row.merchant_id,
    issuer: row.issuer,
    issuerKid: row.issuer_kid,
    documentSha256: row.document_sha256,
    registeredAtMs: Number(row.registered_at_ms),
  },
});

const numberOf = (stored: string | null): number | null =>
  stored === null ? null : Number(stored);
