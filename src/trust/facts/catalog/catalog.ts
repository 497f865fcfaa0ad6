import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import {
  cell,
  type CommandContext,
  type OutsideLock,
  type Projection,
  readPage,
  readRow,
  type Writer,
} from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import {
  mayTouchMerchant,
  merchants,
  noSuchMerchant,
  type Page,
  type PageRequest,
} from '../../../base/tenants/index.js';
import { factLineages, PUBLISHED_TYPES } from '../publishing/lineages.ledger.js';
import {
  catalogPolicies,
  catalogPrices,
  catalogProducts,
  catalogVariants,
  type Policies,
  policiesOf,
  type PriceRow,
  type ProductRow,
  type VariantRow,
} from './catalog.ledger.js';
import { type CatalogChange, checkChange } from './catalog-change.js';
import { changeCatalog, LINEAGE_CHANGED, type SeenLineage } from './change-catalog.js';

export const CATALOG = Symbol('Catalog');

/** A fact that is published again and again while its row is set anew is looked at this often; then the caller repeats. */
export const SET_ANEW_ATTEMPTS_MAX = 5;

type Reader = Pick<Principal, 'tenantId' | 'merchantIds'>;

/** The lists of a catalogue that are read in pages. */
const LISTS = {
  products: catalogProducts,
  variants: catalogVariants,
  prices: catalogPrices,
} as const;

export interface CatalogRows {
  readonly products: ProductRow;
  readonly variants: VariantRow;
  readonly prices: PriceRow;
}
export type CatalogList = keyof CatalogRows;

/** What merchants sell, as they say it here; their facts are published from it. */
export class Catalog {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      readonly writer: Writer;
      readonly outsideLock: OutsideLock;
    },
  ) {}

  /**
   * Sets many rows, all or none. What was withdrawn stays withdrawn: only another price opens a new lineage.
   * Problems, in order: not_found `/merchant_id` (a merchant that this key may not touch), those of
   * {@link checkChange}, those of {@link changeCatalog}.
   */
  async import(
    context: CommandContext,
    reader: Reader,
    change: CatalogChange,
  ): Promise<Result<null, Problem>> {
    if (!mayTouchMerchant(reader, change.merchantId))
      return err(noSuchMerchant(change.merchantId, '/merchant_id'));
    const checked = checkChange(change);
    if (!checked.ok) return checked;
    return this.dependencies.writer.execute(changeCatalog(context, { change, setAnew: null }));
  }

  /**
   * Sets one row by hand. If its fact was revoked, the row begins a new source revision, even with the same content:
   * somebody says that it holds again. Problems as {@link import}.
   */
  async set(
    context: CommandContext,
    reader: Reader,
    change: CatalogChange,
  ): Promise<Result<null, Problem>> {
    if (!mayTouchMerchant(reader, change.merchantId))
      return err(noSuchMerchant(change.merchantId, '/merchant_id'));
    for (let attempt = 1; attempt <= SET_ANEW_ATTEMPTS_MAX; attempt += 1) {
      const setAnew = await this.#lineagesOf(context, change);
      const command = changeCatalog(context, { change, setAnew });
      const written = await this.dependencies.writer.execute(command);
      if (written.ok || written.error !== LINEAGE_CHANGED) return written;
    }
    return err(LINEAGE_CHANGED);
  }

  /** Problem: not_found (no such row, or of a merchant that this key may not touch). */
  async get<List extends CatalogList>(
    reader: Reader,
    list: List,
    { merchantId, id }: { readonly merchantId: string; readonly id: string },
  ): Promise<Result<CatalogRows[List], Problem>> {
    if (!mayTouchMerchant(reader, merchantId))
      return err(noSuchMerchant(merchantId, '?merchant_id'));
    const row = await readRow(this.dependencies.database, projectionOf(list), {
      tenantId: reader.tenantId,
      key: [merchantId, id],
    });
    return row === undefined ? err(noSuchRow(list, id)) : ok(row);
  }

  /** By id, of one merchant. Problem: not_found (no such merchant, or one that this key may not touch). */
  async list<List extends CatalogList>(
    reader: Reader,
    list: List,
    { merchantId, after, size }: PageRequest<string> & { readonly merchantId: string },
  ): Promise<Result<Page<CatalogRows[List], string>, Problem>> {
    const known = await this.#requireMerchant(reader, merchantId);
    if (!known.ok) return known;
    const { rows, next } = await readPage(this.dependencies.database, projectionOf(list), {
      tenantId: reader.tenantId,
      where: { merchantId } as Partial<CatalogRows[List]>,
      order: 'key',
      after: after === null ? null : [merchantId, after],
      limit: size,
    });
    return ok({ items: rows, next: next === null ? null : String(next[1]) });
  }

  /** Null: the merchant states none. Problem: not_found (no such merchant, or one that this key may not touch). */
  async policies(reader: Reader, merchantId: string): Promise<Result<Policies | null, Problem>> {
    const known = await this.#requireMerchant(reader, merchantId);
    if (!known.ok) return known;
    const row = await readRow(this.dependencies.database, catalogPolicies, {
      tenantId: reader.tenantId,
      key: [merchantId],
    });
    return ok(row === undefined ? null : policiesOf(row));
  }

  async #requireMerchant(reader: Reader, merchantId: string): Promise<Result<null, Problem>> {
    const merchant = mayTouchMerchant(reader, merchantId)
      ? await readRow(this.dependencies.database, merchants, {
          tenantId: reader.tenantId,
          key: [merchantId],
        })
      : undefined;
    return merchant === undefined ? err(noSuchMerchant(merchantId, '?merchant_id')) : ok(null);
  }

  /** The published facts that are made from the rows of this change. */
  async #lineagesOf(
    { tenantId }: CommandContext,
    change: CatalogChange,
  ): Promise<readonly SeenLineage[]> {
    const { merchantId, products, variants, prices, policies } = change;
    const subjects = {
      catalog_snapshot: products.map(({ productId }) => productId),
      price: prices.map(({ variantId }) => variantId),
      inventory: variants.map(({ variantId }) => variantId),
      policy: policies === null ? [] : [merchantId],
      protocol_adapter: policies === null ? [] : [merchantId],
    };
    const keys = PUBLISHED_TYPES.flatMap((type) =>
      subjects[type].map((subject) => [merchantId, type, subject] as const),
    );
    const reads = keys.map((key) => cell(factLineages, ...key));
    const glance = await this.dependencies.outsideLock(tenantId, reads);
    return keys.flatMap((key) => glance?.view.get(factLineages, key) ?? []);
  }
}

const projectionOf = <List extends CatalogList>(list: List): Projection<CatalogRows[List]> =>
  LISTS[list] as unknown as Projection<CatalogRows[List]>;

const noSuchRow = (list: CatalogList, id: string): Problem =>
  problem('not_found', `There is no ${id} among the ${list} of this merchant.`, {
    fix: `Name one that GET /v1/catalog/${list} lists for this merchant.`,
  });
