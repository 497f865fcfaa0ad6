import { err, ok, type Problem, problem, type Result } from '../../../core/kernel/index.js';
import type { Policies, PriceRow, ProductRow, VariantRow } from './catalog.ledger.js';

export type ProductDraft = Omit<ProductRow, 'merchantId' | 'revision'>;
export type VariantDraft = Omit<VariantRow, 'merchantId' | 'revision'>;
export type PriceDraft = Omit<PriceRow, 'merchantId' | 'revision'>;
export interface CountDraft {
  readonly variantId: string;
  readonly onHand: number;
}

/** Rows to set, all or none of them. What stands in the catalogue and is not named stays as it is. */
export interface CatalogChange {
  readonly merchantId: string;
  readonly products: readonly ProductDraft[];
  readonly variants: readonly VariantDraft[];
  readonly prices: readonly PriceDraft[];
  readonly counts: readonly CountDraft[];
  readonly policies: Policies | null;
}

export const NO_CHANGE: Omit<CatalogChange, 'merchantId'> = {
  products: [],
  variants: [],
  prices: [],
  counts: [],
  policies: null,
};

/** Rows of one kind in one request. One merchant's import keeps others waiting no longer than this takes. */
export const CHANGE_ROWS_MAX = 2_000;

const LISTS = ['products', 'variants', 'prices', 'counts'] as const;
type ListName = (typeof LISTS)[number];

/** Where a row of a change stands in the request, as a JSON pointer. */
export const rowField = (list: ListName, index: number, member = ''): string =>
  `/${list}/${index}${member === '' ? '' : `/${member}`}`;

/**
 * What no look into the catalogue is needed for. Problems (validation_failed), in order of the lists: more than
 * {@link CHANGE_ROWS_MAX} rows, a row that names what an earlier one named.
 */
export function checkChange(change: CatalogChange): Result<null, Problem> {
  for (const list of LISTS) {
    const ids = change[list].map((row) => ('variantId' in row ? row.variantId : row.productId));
    const id = list === 'products' ? 'product_id' : 'variant_id';
    if (ids.length > CHANGE_ROWS_MAX) return err(tooManyRows(list));
    const seen = new Set<string>();
    for (const [index, name] of ids.entries()) {
      if (seen.has(name)) return err(namedTwice(name, rowField(list, index, id)));
      seen.add(name);
    }
  }
  return ok(null);
}

const tooManyRows = (list: ListName): Problem =>
  problem('validation_failed', `One request sets at most ${CHANGE_ROWS_MAX} ${list}.`, {
    fix: 'Send the rest in further requests.',
    field: `/${list}`,
  });

const namedTwice = (name: string, field: string): Problem =>
  problem('validation_failed', `${name} is named by an earlier row of this request.`, {
    fix: 'Name each product and variant once.',
    field,
  });
