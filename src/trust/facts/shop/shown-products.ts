import type { InstantMs } from '../../../core/kernel/index.js';
import { type FactNeed, needOf, type SourceState } from '../publishing/sources.js';
import type { ShelfRow, ShelfVariant, ShopPlace, StandingArtifact } from './shop.store.js';
import type { JudgedArtifact } from './shop-judge.js';
import type { Availability, ShopFact, ShopProduct, ShopVariant } from './shop-product.js';
import { slugOf } from './slug.js';

/** What stands for the places of a reading, judged at one instant. */
export interface Seen {
  readonly standing: ReadonlyMap<string, StandingArtifact>;
  readonly judged: ReadonlyMap<string, JudgedArtifact>;
  readonly atMs: InstantMs;
}

export const placeName = ({ merchantId, type, subject }: ShopPlace): string =>
  `${merchantId} ${type} ${subject}`;

/** A place of the catalogue with what decides whether its published fact still serves. */
export interface SourcePlace extends ShopPlace {
  readonly state: SourceState;
}

/** Rows of one product, which stand side by side. */
export function productsOf(rows: readonly ShelfRow[]): readonly (readonly ShelfRow[])[] {
  const products: ShelfRow[][] = [];
  for (const row of rows) {
    const last = products.at(-1)?.[0];
    if (last?.merchantId === row.merchantId && last.productId === row.productId)
      products.at(-1)?.push(row);
    else products.push([row]);
  }
  return products;
}

const entryPlace = ({ merchantId, productId, productRevision }: ShelfRow): SourcePlace => ({
  ...{ merchantId, type: 'catalog_snapshot', subject: productId },
  state: { revision: productRevision, quantity: null },
});

/** Null = the catalogue has no price of it. */
const pricePlace = (merchantId: string, variant: ShelfVariant): SourcePlace | null =>
  variant.priceRevision === null
    ? null
    : {
        ...{ merchantId, type: 'price', subject: variant.variantId },
        state: { revision: variant.priceRevision, quantity: null },
      };

/** Null = no stock is kept here. */
const stockPlace = (merchantId: string, variant: ShelfVariant): SourcePlace | null =>
  variant.available === null
    ? null
    : {
        ...{ merchantId, type: 'inventory', subject: variant.variantId },
        state: { revision: variant.revision, quantity: variant.available },
      };

/** What the catalogue publishes of these rows, in their order: of a product its entry, of its variants price and stock. */
export const sourcePlaces = (rows: readonly ShelfRow[]): readonly SourcePlace[] =>
  productsOf(rows).flatMap((product) =>
    product.flatMap((row, index) =>
      [
        ...(index === 0 ? [entryPlace(row)] : []),
        ...(row.variant === null ? [] : [pricePlace(row.merchantId, row.variant)]),
        ...(row.variant === null ? [] : [stockPlace(row.merchantId, row.variant)]),
      ].filter((place) => place !== null),
    ),
  );

/** What only an issuer may say, because the catalogue says nothing. */
export const issuersPlaces = (rows: readonly ShelfRow[]): readonly ShopPlace[] =>
  rows.flatMap(({ merchantId, variant }) => {
    if (variant === null) return [];
    const subject = variant.variantId;
    return [
      ...(variant.priceRevision === null ? [{ merchantId, type: 'price' as const, subject }] : []),
      ...(variant.available === null ? [{ merchantId, type: 'inventory' as const, subject }] : []),
    ];
  });

/**
 * Whether the fact of a place should be published anew. One that was withdrawn, or of which nobody can tell, is
 * never renewed, so nobody waits for it.
 */
export function needAt(place: SourcePlace, { standing, judged, atMs }: Seen): FactNeed {
  const stands = standing.get(placeName(place));
  const need = needOf(place.state, stands?.lineage ?? undefined, atMs);
  if (need === 'no' || need === 'open' || stands === undefined) return need;
  const lasting = judged.get(stands.held.artifactId)?.lasting ?? null;
  return lasting === null ? need : 'no';
}

/** The products among these rows that may be shown. `oldestMerchantId`: whose slugs name no merchant. */
export const shownProducts = (
  rows: readonly ShelfRow[],
  seen: Seen,
  oldestMerchantId: string | null,
): readonly ShopProduct[] =>
  productsOf(rows).flatMap((product) => shownProduct(product, seen, oldestMerchantId) ?? []);

function shownProduct(
  rows: readonly ShelfRow[],
  seen: Seen,
  oldestMerchantId: string | null,
): ShopProduct | null {
  const [first] = rows;
  if (first === undefined) return null;
  const { merchantId, productId } = first;
  const entry = counting(entryPlace(first), seen);
  if (entry?.judged.fact.productRefs?.includes(productId) !== true) return null;
  const variants = rows.flatMap(
    (row) => (row.variant === null ? null : shownVariant(row, row.variant, seen)) ?? [],
  );
  if (variants.length === 0) return null;
  const ends = [entry.shown, ...variants].map(({ validUntilMs }) => validUntilMs);
  return {
    merchantId,
    merchantName: first.merchantName,
    productId,
    slug: slugOf({ merchantId: merchantId === oldestMerchantId ? null : merchantId, productId }),
    title: first.title,
    imageUrl: first.imageUrl,
    variants,
    fact: entry.shown,
    validUntilMs: Math.min(...ends),
  };
}

function shownVariant(
  { merchantId, productId }: ShelfRow,
  variant: ShelfVariant,
  seen: Seen,
): ShopVariant | null {
  const { variantId, title } = variant;
  const isOfVariant = ({ judged: { fact } }: Counting): boolean =>
    fact.productId === productId && fact.variantId === variantId;
  const subject = variantId;
  const price = counting(
    pricePlace(merchantId, variant) ?? { merchantId, type: 'price', subject },
    seen,
  );
  const unitPrice = price?.judged.fact.unitPrice ?? null;
  if (price === null || unitPrice === null || !isOfVariant(price)) return null;
  const stock = counting(
    stockPlace(merchantId, variant) ?? { merchantId, type: 'inventory', subject },
    seen,
  );
  const stockFact = stock !== null && isOfVariant(stock) ? stock : null;
  return {
    variantId,
    title,
    price: unitPrice,
    availability: availabilityOf({ merchantId, variant, stockFact }, seen),
    facts: [price.shown, ...(stockFact === null ? [] : [stockFact.shown])],
    validUntilMs: price.shown.validUntilMs,
  };
}

/**
 * Stock that is kept here is counted at every reading, and its signed fact lives for 60 seconds: the count is shown
 * unless the fact was withdrawn or cannot be verified. What only an issuer counts is shown while its fact counts.
 */
function availabilityOf(
  {
    merchantId,
    variant,
    stockFact,
  }: { merchantId: string; variant: ShelfVariant; stockFact: Counting | null },
  { standing, judged }: Seen,
): Availability {
  const place = stockPlace(merchantId, variant);
  const stands = place === null ? undefined : standing.get(placeName(place));
  const isOfNow = (stands?.lineage?.revision ?? -1) >= variant.revision;
  if (stands !== undefined && isOfNow && judged.get(stands.held.artifactId)?.lasting !== null)
    return 'unknown';
  const pieces = variant.available ?? stockFact?.judged.fact.quantityAvailable ?? null;
  if (pieces === null) return 'unknown';
  return pieces > 0 ? 'in_stock' : 'out_of_stock';
}

interface Counting {
  readonly judged: JudgedArtifact;
  readonly shown: ShopFact;
}

/** The fact of a place that counts now; of what the catalogue says only one of its revision. */
function counting(
  place: SourcePlace | (ShopPlace & { readonly state?: undefined }),
  { standing, judged }: Seen,
): Counting | null {
  const stands = standing.get(placeName(place));
  if (stands === undefined) return null;
  const isPublished = place.state !== undefined;
  if (isPublished !== (stands.lineage !== null)) return null;
  if (isPublished && (stands.lineage?.revision ?? -1) < place.state.revision) return null;
  const found = judged.get(stands.held.artifactId);
  const validUntilMs = found?.fact.expiresAtMs ?? null;
  const { type } = place;
  if (found?.fault !== null || found.fact.type !== type || validUntilMs === null) return null;
  if (type !== 'catalog_snapshot' && type !== 'price' && type !== 'inventory') return null;
  const { artifactId, documentSha256 } = stands.held;
  return {
    judged: found,
    shown: { artifactId, type, validUntilMs, documentSha256, envelopeText: null },
  };
}
