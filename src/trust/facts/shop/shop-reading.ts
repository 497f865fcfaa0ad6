import {
  invariant,
  isChosenId,
  type InstantMs,
  type TenantId,
} from '../../../core/kernel/index.js';
import type { OutsideLock } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import type { Merchants } from '../../../base/tenants/index.js';
import { withinDeadline } from '../../peers/index.js';
import type { FactRenewals } from '../publishing/fact-renewals.js';
import {
  findChapters,
  findEnvelopes,
  findOnShelf,
  findPublished,
  findRegistered,
  findVariantOnShelf,
  READ_VARIANTS_MAX,
  readShelf,
  searchShelf,
  SHOP_VARIANTS_MAX,
  type ShelfPlace,
  type ShelfRow,
} from './shop.store.js';
import type { ShopJudge } from './shop-judge.js';
import type { ShopFact, ShopProduct } from './shop-product.js';
import {
  issuersPlaces,
  needAt,
  placeName,
  productsOf,
  type Seen,
  shownProducts,
  sourcePlaces,
  type SourcePlace,
} from './shown-products.js';
import { partsOfSlug } from './slug.js';

/** Nest token of the {@link ShopReading}. */
export const SHOP_READING = Symbol('ShopReading');

export const SHOP_PRODUCTS_PER_PAGE_MAX = 1_000;
/** Products of one search. */
export const SHOP_FOUND_MAX = 20;
/** Listed products of one chapter; with as many variants as are shown of a product, they are one reading. */
export const CHAPTER_PRODUCTS = READ_VARIANTS_MAX / SHOP_VARIANTS_MAX;
/** As many as a file of sitemaps may name. */
const CHAPTERS_MAX = 50_000;
const SEARCH_CHARACTERS_MAX = 200;
const SEARCH_WORDS_MAX = 8;
/** How long a reader waits for facts that have to be published first: as long as a decision would. */
const RENEWAL_BUDGET_MS = 3_000;
/** Facts that one reading has published or renewed; the rest is left to the next. */
export const RENEWED_PER_READING_MAX = 2_000;

export interface ShopPage {
  /** Fewer than were asked for, or none at all, where some may not be shown. */
  readonly products: readonly ShopProduct[];
  /** Where the next page begins; null = this is the last. */
  readonly next: string | null;
  /** Commerce time at which it was judged. */
  readonly atMs: InstantMs;
}

/** Without a merchant the tenant's oldest one comes first, then the others by id. */
export type ShopWanted =
  | { readonly slug: string }
  | { readonly productId: string; readonly merchantId?: string }
  | { readonly variantId: string; readonly merchantId?: string };

export interface ShopReadingDependencies {
  readonly database: Queryable;
  readonly outsideLock: OutsideLock;
  readonly renewals: FactRenewals;
  readonly judge: ShopJudge;
  readonly merchants: Pick<Merchants, 'oldest'>;
}

interface Reading {
  readonly tenantId: TenantId;
  /** Whether facts of stock are renewed too: they live for 60 seconds, so only who looks at one product has them renewed. */
  readonly withStock: boolean;
}

/**
 * What a shop may show to anybody: listed products whose catalogue entry counts, with the variants whose price counts,
 * judged at every reading like the facts of a purchase. What is revoked, over, unverifiable or of which a status list
 * tells nothing is left out; why is not told. A reading takes a bounded number of statements, whatever it reads.
 * Facts are renewed by being read: what is missing or over before the answer, as far as three seconds allow, what is
 * past half its life behind it. Prices are those of the signed facts; titles and images are the merchant's words.
 */
export class ShopReading {
  constructor(private readonly dependencies: ShopReadingDependencies) {}

  /** A page of products by merchant and id; null = `after` is no cursor of ours. `size`: 1 to {@link SHOP_PRODUCTS_PER_PAGE_MAX}. */
  async list(
    tenantId: TenantId,
    page: { readonly after: string | null; readonly size: number },
  ): Promise<ShopPage | null> {
    const after = page.after === null ? null : placeOf(page.after);
    if (page.after !== null && after === null) return null;
    const size = Math.min(Math.max(1, Math.trunc(page.size)), SHOP_PRODUCTS_PER_PAGE_MAX);
    const { database } = this.dependencies;
    const found = await readShelf(database, tenantId, { after, limit: size + 1 });
    const { rows, next } = pageOf(found, size);
    const shown = await this.#shown(readingOf(tenantId, false), rows);
    return { ...shown, next: next === null ? null : cursorOf(next) };
  }

  /** One product with its envelopes; null = it is not shown. */
  async find(tenantId: TenantId, wanted: ShopWanted): Promise<ShopProduct | null> {
    const oldest = await this.dependencies.merchants.oldest(tenantId);
    const rows = await this.#wanted(tenantId, wanted, oldest);
    if (rows.length === 0) return null;
    const { products } = await this.#shown(readingOf(tenantId, true), rows);
    const product = products.find(({ merchantId }) => merchantId === oldest) ?? products[0];
    return product === undefined ? null : this.#withEnvelopes(tenantId, product);
  }

  /** Products that have every word of the text in a title or an id; at most {@link SHOP_FOUND_MAX}. */
  async search(tenantId: TenantId, text: string): Promise<ShopPage> {
    const words = wordsOf(text);
    const rows =
      words.length === 0
        ? []
        : await searchShelf(this.dependencies.database, tenantId, { words, limit: SHOP_FOUND_MAX });
    return { ...(await this.#shown(readingOf(tenantId, false), rows)), next: null };
  }

  /** Where every further chapter of {@link CHAPTER_PRODUCTS} listed products begins, for {@link list}. */
  async chapters(tenantId: TenantId): Promise<readonly string[]> {
    const places = await findChapters(this.dependencies.database, tenantId, {
      productsEach: CHAPTER_PRODUCTS,
      limit: CHAPTERS_MAX,
    });
    return places.map(cursorOf);
  }

  async #wanted(
    tenantId: TenantId,
    wanted: ShopWanted,
    oldest: string | null,
  ): Promise<readonly ShelfRow[]> {
    const { database } = this.dependencies;
    if ('slug' in wanted) {
      const parts = partsOfSlug(wanted.slug);
      const merchantId = parts?.merchantId ?? oldest;
      if (parts === null || merchantId === null) return [];
      return findOnShelf(database, tenantId, { productId: parts.productId, merchantId });
    }
    const { merchantId = null } = wanted;
    const id = 'productId' in wanted ? wanted.productId : wanted.variantId;
    if (!isChosenId(id) || (merchantId !== null && !isChosenId(merchantId))) return [];
    return 'productId' in wanted
      ? findOnShelf(database, tenantId, { productId: id, merchantId })
      : findVariantOnShelf(database, tenantId, { variantId: id, merchantId });
  }

  async #shown(reading: Reading, rows: readonly ShelfRow[]): Promise<Omit<ShopPage, 'next'>> {
    const seen = await this.#current(reading, rows);
    const oldest =
      rows.length === 0 ? null : await this.dependencies.merchants.oldest(reading.tenantId);
    return { products: shownProducts(rows, seen, oldest), atMs: seen.atMs };
  }

  /** What stands, after what has to be published was published as far as there is time. */
  async #current(reading: Reading, rows: readonly ShelfRow[]): Promise<Seen> {
    const seen = await this.#look(reading, rows);
    const needs = sourcePlaces(rows)
      .filter(({ type }) => reading.withStock || type !== 'inventory')
      .map((place) => ({ place, need: needAt(place, seen) }))
      .filter(({ need }) => need !== 'no');
    if (needs.length === 0) return seen;
    const urgent = needs.filter(({ need }) => need !== 'later');
    const later = needs.filter(({ need }) => need === 'later');
    const chosen = [...urgent, ...later].slice(0, RENEWED_PER_READING_MAX);
    const renewing = this.#renew(
      reading.tenantId,
      chosen.map(({ place }) => place),
    );
    // INVARIANT: nobody waits for a fact that still serves.
    if (urgent.length === 0) return seen;
    await withinDeadline(AbortSignal.timeout(RENEWAL_BUDGET_MS), () => renewing);
    return this.#look(reading, rows);
  }

  async #look({ tenantId }: Reading, rows: readonly ShelfRow[]): Promise<Seen> {
    const { database, outsideLock, judge } = this.dependencies;
    const [published, registered] = await Promise.all([
      findPublished(database, tenantId, sourcePlaces(rows)),
      findRegistered(database, tenantId, issuersPlaces(rows)),
    ]);
    const glance = await outsideLock(tenantId, []);
    invariant(glance !== null, 'a tenant that has an origin or a key has a ledger');
    const { atMs } = glance.moment;
    const stands = [...registered, ...published];
    const standing = new Map(stands.map((one) => [placeName(one.place), one]));
    const held = stands.map((one) => one.held);
    return { standing, judged: await judge.judge({ tenantId, atMs }, held), atMs };
  }

  async #renew(tenantId: TenantId, places: readonly SourcePlace[]): Promise<void> {
    const merchantIds = [...new Set(places.map(({ merchantId }) => merchantId))];
    await Promise.all(
      merchantIds.map((merchantId) =>
        this.dependencies.renewals.renew(tenantId, {
          merchantId,
          places: places
            .filter((place) => place.merchantId === merchantId)
            .map(({ type, subject }) => ({ type, subject })),
          isExact: false,
        }),
      ),
    );
  }

  async #withEnvelopes(tenantId: TenantId, product: ShopProduct): Promise<ShopProduct> {
    const facts = [product.fact, ...product.variants.flatMap((variant) => variant.facts)];
    const texts = await findEnvelopes(
      this.dependencies.database,
      tenantId,
      facts.map(({ documentSha256 }) => documentSha256),
    );
    const whole = (fact: ShopFact): ShopFact => ({
      ...fact,
      envelopeText: texts.get(fact.documentSha256) ?? null,
    });
    return {
      ...product,
      fact: whole(product.fact),
      variants: product.variants.map((variant) => ({
        ...variant,
        facts: variant.facts.map(whole),
      })),
    };
  }
}

const readingOf = (tenantId: TenantId, withStock: boolean): Reading => ({
  tenantId,
  withStock,
});

/** Cuts whole products out of rows: one product more than `size` was asked for, and the last may miss variants. */
function pageOf(
  found: readonly ShelfRow[],
  size: number,
): { readonly rows: readonly ShelfRow[]; readonly next: ShelfPlace | null } {
  const products = productsOf(found);
  const isCut = found.length > READ_VARIANTS_MAX;
  const kept = products.slice(0, Math.min(size, isCut ? products.length - 1 : products.length));
  const last = kept.at(-1)?.[0];
  const isMore = kept.length < products.length && last !== undefined;
  return { rows: kept.flat(), next: isMore ? last : null };
}

/** Ids hold no space. */
const cursorOf = ({ merchantId, productId }: ShelfPlace): string =>
  Buffer.from(`${merchantId} ${productId}`, 'utf8').toString('base64url');

function placeOf(cursor: string): ShelfPlace | null {
  const [merchantId, productId, ...rest] = Buffer.from(cursor, 'base64url')
    .toString('utf8')
    .split(' ');
  if (merchantId === undefined || productId === undefined || rest.length > 0) return null;
  return isChosenId(merchantId) && isChosenId(productId) ? { merchantId, productId } : null;
}

/** NUL and halves of surrogate pairs are in no title, and no text of a database. */
const wordsOf = (text: string): readonly string[] =>
  Buffer.from(text.slice(0, SEARCH_CHARACTERS_MAX), 'utf8')
    .toString('utf8')
    .split(/[\s\0\uFFFD]+/u)
    .filter((word) => word !== '')
    .slice(0, SEARCH_WORDS_MAX);
