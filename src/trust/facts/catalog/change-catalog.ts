import {
  canonicalize,
  err,
  invariant,
  ok,
  type Problem,
  problem,
} from '../../../core/kernel/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
} from '../../../base/ledger/index.js';
import { merchants, noSuchMerchant } from '../../../base/tenants/index.js';
import { slotCell, slotStatusOf, statusSlots } from '../../status/index.js';
import {
  factLineages,
  type LineageRow,
  type PublishedType,
} from '../publishing/lineages.ledger.js';
import { stock, stockCounted } from '../stock.ledger.js';
import {
  catalogChanged,
  type CatalogChanged,
  catalogPolicies,
  catalogPrices,
  catalogProducts,
  catalogVariants,
  policiesOf,
} from './catalog.ledger.js';
import type { CatalogChange, CountDraft } from './catalog-change.js';
import { rowField } from './catalog-change.js';

/** Rows of one kind in one entry. */
export const ROWS_PER_ENTRY_MAX = 500;
/** Text of one entry's rows, in characters: the entry's envelope still fits around it. */
export const ROWS_LENGTH_MAX = 200_000;

/** The published fact of the one row that is set anew, as it was seen before the lock: only such a row gets a new revision for a withdrawn fact. */
export type SeenLineage = Pick<
  LineageRow,
  'artifactType' | 'subject' | 'listUri' | 'slotIndex' | 'artifactId'
>;

export interface CatalogCommand {
  readonly change: CatalogChange;
  /** Null: an import. It never opens again what was withdrawn: a file that is sent every night must not undo a recall. */
  readonly setAnew: readonly SeenLineage[] | null;
}

/** A fact was published between the look and the lock: look again. Never shown to a caller. */
export const LINEAGE_CHANGED = problem('conflict', 'The fact was published at the same moment.', {
  fix: 'Repeat the request.',
});

/**
 * Sets rows of a merchant's catalogue and stock, all or none; rows that are so already write nothing. Revisions are
 * judged here, under the lock: another amount, or a row set anew whose fact was withdrawn, opens the next one.
 * Problems, in order: not_found `/merchant_id`, {@link LINEAGE_CHANGED}, validation_failed (a variant of no product, a
 * price or count of no variant), conflict (a variant of another product; fewer pieces than are held).
 */
export function changeCatalog(
  context: CommandContext,
  { change, setAnew }: CatalogCommand,
): Command<null> {
  return {
    ...context,
    name: 'catalog.change',
    reads: [...readsOf(change), ...lineageReads(change.merchantId, setAnew ?? [])],
    decide(view) {
      const { merchantId } = change;
      if (view.get(merchants, [merchantId]) === undefined)
        return err(noSuchMerchant(merchantId, '/merchant_id'));
      if ((setAnew ?? []).some((seen) => !isStill(view, merchantId, seen)))
        return err(LINEAGE_CHANGED);
      const fault = rowFault(view, change);
      if (fault !== null) return err(fault);
      const isWithdrawn = withdrawnIn(view, setAnew ?? []);
      const changed = changedRows(view, { change, isWithdrawn });
      const counts = change.counts.filter(
        ({ variantId, onHand }) => view.get(stock, [merchantId, variantId])?.onHand !== onHand,
      );
      return ok({ events: [...entriesOf(changed), ...countEntries(merchantId, counts)] });
    },
    answer: () => null,
  };
}

function readsOf({ merchantId, products, variants, prices, counts }: CatalogChange): CellRef[] {
  const productIds = new Set([...products, ...variants].map(({ productId }) => productId));
  const variantIds = new Set([...variants, ...prices, ...counts].map(({ variantId }) => variantId));
  return [
    cell(merchants, merchantId),
    cell(catalogPolicies, merchantId),
    ...[...productIds].map((id) => cell(catalogProducts, merchantId, id)),
    ...[...variantIds].map((id) => cell(catalogVariants, merchantId, id)),
    ...prices.map(({ variantId }) => cell(catalogPrices, merchantId, variantId)),
    ...counts.map(({ variantId }) => cell(stock, merchantId, variantId)),
  ];
}

const lineageReads = (merchantId: string, seen: readonly SeenLineage[]): readonly CellRef[] =>
  seen.flatMap(({ artifactType, subject, listUri, slotIndex }) => [
    cell(factLineages, merchantId, artifactType, subject),
    slotCell({ uri: listUri, index: slotIndex }),
  ]);

function isStill(view: CellView, merchantId: string, seen: SeenLineage): boolean {
  const row = view.get(factLineages, [merchantId, seen.artifactType, seen.subject]);
  return row?.listUri === seen.listUri && row.slotIndex === seen.slotIndex;
}

type IsWithdrawn = (type: PublishedType, subject: string) => boolean;

function withdrawnIn(view: CellView, seen: readonly SeenLineage[]): IsWithdrawn {
  const withdrawn = new Set(
    seen.flatMap(({ artifactType, subject, listUri, slotIndex }) => {
      const slot = view.get(statusSlots, [listUri, slotIndex]);
      invariant(slot !== undefined, 'a published fact lives on a reserved slot');
      return slotStatusOf(slot) === 'revoked' ? [`${artifactType} ${subject}`] : [];
    }),
  );
  return (type, subject) => withdrawn.has(`${type} ${subject}`);
}

function rowFault(view: CellView, change: CatalogChange): Problem | null {
  const { merchantId, products, variants, prices, counts } = change;
  const newProducts = new Set(products.map(({ productId }) => productId));
  const newVariants = new Set(variants.map(({ variantId }) => variantId));
  for (const [index, { variantId, productId }] of variants.entries()) {
    const field = rowField('variants', index, 'product_id');
    if (
      !newProducts.has(productId) &&
      view.get(catalogProducts, [merchantId, productId]) === undefined
    )
      return unknownName('product', productId, field);
    const before = view.get(catalogVariants, [merchantId, variantId]);
    if (before !== undefined && before.productId !== productId)
      return otherProduct(variantId, before.productId, field);
  }
  for (const [list, rows] of [
    ['prices', prices],
    ['counts', counts],
  ] as const)
    for (const [index, { variantId }] of rows.entries())
      if (
        !newVariants.has(variantId) &&
        view.get(catalogVariants, [merchantId, variantId]) === undefined
      )
        return unknownName('variant', variantId, rowField(list, index, 'variant_id'));
  return belowHeld(view, merchantId, counts);
}

function belowHeld(
  view: CellView,
  merchantId: string,
  counts: readonly CountDraft[],
): Problem | null {
  for (const [index, { variantId, onHand }] of counts.entries()) {
    const held = view.get(stock, [merchantId, variantId])?.held ?? 0;
    if (onHand < held)
      return problem(
        'conflict',
        `${held} pieces of ${variantId} are held for payments that may still come.`,
        {
          fix: `Count ${held} or more, held pieces included; or wait until those payments are made or lapse.`,
          field: rowField('counts', index, 'on_hand'),
        },
      );
  }
  return null;
}

interface Changing {
  readonly change: CatalogChange;
  readonly isWithdrawn: IsWithdrawn;
}

/** The rows that are not so already, with their revisions. */
function changedRows(view: CellView, { change, isWithdrawn }: Changing): CatalogChanged {
  const { merchantId } = change;
  const products = change.products.flatMap((draft) => {
    const before = view.get(catalogProducts, [merchantId, draft.productId]);
    const revision = nextRevision(before, isWithdrawn('catalog_snapshot', draft.productId));
    return isSame(before, { ...draft, merchantId, revision }) ? [] : [{ ...draft, revision }];
  });
  const variants = change.variants.flatMap((draft) => {
    const before = view.get(catalogVariants, [merchantId, draft.variantId]);
    const revision = nextRevision(before, isWithdrawn('inventory', draft.variantId));
    return isSame(before, { ...draft, merchantId, revision }) ? [] : [{ ...draft, revision }];
  });
  const prices = change.prices.flatMap((draft) => {
    const before = view.get(catalogPrices, [merchantId, draft.variantId]);
    const isOther = before?.amountMinor !== draft.amountMinor || before.currency !== draft.currency;
    const revision = nextRevision(before, isOther || isWithdrawn('price', draft.variantId));
    return isSame(before, { ...draft, merchantId, revision }) ? [] : [{ ...draft, revision }];
  });
  return {
    merchantId,
    products,
    variants,
    prices,
    policies: changedPolicies(view, { change, isWithdrawn }),
  };
}

function changedPolicies(
  view: CellView,
  { change, isWithdrawn }: Changing,
): CatalogChanged['policies'] {
  const { merchantId, policies } = change;
  if (policies === null) return null;
  const before = view.get(catalogPolicies, [merchantId]);
  const isOther =
    before === undefined || canonicalize(policiesOf(before)) !== canonicalize(policies);
  const isAnew = isWithdrawn('policy', merchantId) || isWithdrawn('protocol_adapter', merchantId);
  if (!isOther && !isAnew) return null;
  // Revision 0 is that of a merchant who states no policies.
  return { policies, revision: before === undefined ? 1 : before.revision + 1 };
}

const nextRevision = (
  before: { readonly revision: number } | undefined,
  isNext: boolean,
): number => (before === undefined ? 0 : before.revision + (isNext ? 1 : 0));

/** Both have the same members, and all of them are texts, numbers and flags. */
const isSame = <Row extends object>(before: Row | undefined, after: Row): boolean =>
  before !== undefined &&
  (Object.keys(after) as (keyof Row)[]).every((member) => before[member] === after[member]);

/** One entry per {@link ROWS_PER_ENTRY_MAX} rows of a kind, fewer where they are long. */
function entriesOf({ merchantId, policies, ...rows }: CatalogChanged): readonly LedgerEvent[] {
  const events: LedgerEvent[] = [];
  const none = { merchantId, products: [], variants: [], prices: [], policies: null };
  let next: CatalogChanged = { ...none, policies };
  let length = 0;
  const rowCount = Math.max(rows.products.length, rows.variants.length, rows.prices.length);
  for (let index = 0; index < rowCount; index += 1) {
    const added = {
      products: rows.products.slice(index, index + 1),
      variants: rows.variants.slice(index, index + 1),
      prices: rows.prices.slice(index, index + 1),
    };
    const addedLength = lengthOf(added);
    if (index > 0 && (index % ROWS_PER_ENTRY_MAX === 0 || length + addedLength > ROWS_LENGTH_MAX)) {
      events.push(event(catalogChanged, next));
      next = none;
      length = 0;
    }
    next = {
      ...next,
      products: [...next.products, ...added.products],
      variants: [...next.variants, ...added.variants],
      prices: [...next.prices, ...added.prices],
    };
    length += addedLength;
  }
  return rowCount > 0 || policies !== null ? [...events, event(catalogChanged, next)] : events;
}

/** More than the rows take in an entry: their names are a little longer there, and an amount is a text. */
const lengthOf = ({
  products,
  variants,
  prices,
}: Pick<CatalogChanged, 'products' | 'variants' | 'prices'>): number =>
  JSON.stringify([products, variants]).length +
  20 * (products.length + variants.length) +
  prices.reduce((sum, { variantId }) => sum + variantId.length + 120, 0);

function countEntries(merchantId: string, counts: readonly CountDraft[]): readonly LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (let from = 0; from < counts.length; from += ROWS_PER_ENTRY_MAX)
    events.push(
      event(stockCounted, { merchantId, counts: counts.slice(from, from + ROWS_PER_ENTRY_MAX) }),
    );
  return events;
}

const unknownName = (what: 'product' | 'variant', name: string, field: string): Problem =>
  problem('validation_failed', `This merchant has no ${what} ${name}.`, {
    fix: `Set the ${what} first, or in the same request.`,
    field,
  });

const otherProduct = (variantId: string, productId: string, field: string): Problem =>
  problem('conflict', `The variant ${variantId} belongs to the product ${productId}.`, {
    fix: 'Give a variant of another product an id of its own.',
    field,
  });
