import type { Failure, Observation } from '../decision.js';
import type { ArtifactFact, CartFacts, CartLine, PurchaseCounters } from '../facts.js';
import { CART_LINES_MAX, isQuantity, piecesByVariant } from './amounts.js';
import type { FactsCode } from './artifact.js';
import { amount, count, text } from './observe.js';

/** What was found wrong, and what was seen there. */
export interface Finding {
  readonly failure: Failure<FactsCode>;
  readonly observations: readonly Observation[];
}

/** What speaks about lines: artifacts, all of them already found good, and the stock that was read under the lock. */
export interface LineEvidence {
  readonly catalogs: readonly ArtifactFact[];
  readonly prices: readonly ArtifactFact[];
  readonly inventories: readonly ArtifactFact[];
  readonly stock: PurchaseCounters['stock'];
}

/**
 * Whether the signed facts carry every line, in order: each product stands in a catalogue and is the one that price and
 * stock of the variant speak of, each quantity is one, each unit price and currency is the signed one, the lower
 * of signed and kept stock covers the pieces of all lines of a variant together (decisions 3.6).
 * Of several lines with the same fault the trace shows the one with the smallest variant id.
 */
export function judgeLines(cart: CartFacts, evidence: LineEvidence): Finding | null {
  return (
    unknownProduct(cart, evidence) ??
    badQuantity(cart) ??
    changedPrice(cart, evidence.prices) ??
    shortStock(cart, evidence)
  );
}

/** A variant is not bought under the name of another product: what left the catalogue stays out of every cart. */
function unknownProduct(
  cart: CartFacts,
  { catalogs, prices, inventories }: LineEvidence,
): Finding | null {
  const named = new Set(catalogs.flatMap(({ productRefs }) => productRefs ?? []));
  const signed = signedProducts([...prices, ...inventories]);
  const line = firstLine(
    cart,
    ({ productId, variantId }) => !named.has(productId) || signed.get(variantId) !== productId,
  );
  return line === null
    ? null
    : found('product_or_variant_not_found', 'catalog_snapshot', [
        text('line.product', line.productId, signed.get(line.variantId) ?? null),
      ]);
}

/** Per variant the product that all its artifacts name; null where two differ. */
function signedProducts(
  artifacts: readonly ArtifactFact[],
): ReadonlyMap<string | null, string | null> {
  const signed = new Map<string | null, string | null>();
  for (const { variantId, productId } of artifacts) {
    const isFirst = !signed.has(variantId);
    signed.set(variantId, isFirst || signed.get(variantId) === productId ? productId : null);
  }
  return signed;
}

function badQuantity(cart: CartFacts): Finding | null {
  const { length } = cart.lines;
  if (length === 0 || length > CART_LINES_MAX)
    return found('quantity_invalid', null, [count('cart.lines', length, CART_LINES_MAX)]);
  const line = firstLine(cart, ({ quantity }) => !isQuantity(quantity));
  return line === null
    ? null
    : found('quantity_invalid', null, [text('line.variant', line.variantId)]);
}

function changedPrice(cart: CartFacts, prices: readonly ArtifactFact[]): Finding | null {
  const signed = signedPrices(prices, cart.currency);
  const line = firstLine(
    cart,
    ({ variantId, unitPriceMinor }) => signed.get(variantId) !== unitPriceMinor,
  );
  if (line === null) return null;
  return found('price_changed', 'price', [
    text('line.variant', line.variantId),
    amount('line.unit_price', line.unitPriceMinor, signed.get(line.variantId) ?? null),
  ]);
}

/** Per variant the price that all its artifacts name in this currency; null where two differ: then there is none to trust. */
function signedPrices(
  prices: readonly ArtifactFact[],
  currency: string,
): ReadonlyMap<string | null, bigint | null> {
  const signed = new Map<string | null, bigint | null>();
  for (const { variantId, unitPrice } of prices) {
    const priceMinor = unitPrice?.currency === currency ? unitPrice.amountMinor : null;
    const isFirst = !signed.has(variantId);
    signed.set(variantId, isFirst || signed.get(variantId) === priceMinor ? priceMinor : null);
  }
  return signed;
}

function shortStock(cart: CartFacts, { inventories, stock }: LineEvidence): Finding | null {
  const asked = piecesByVariant(cart.lines);
  const signed = lowestCounts(inventories);
  const kept = lowestCounts(stock);
  const line = firstLine(cart, ({ variantId }) => {
    const pieces = Number(asked.get(variantId));
    const isCovered =
      pieces <= Number(signed.get(variantId)) && pieces <= (kept.get(variantId) ?? Infinity);
    return !isCovered;
  });
  if (line === null) return null;
  const { variantId } = line;
  const pieces = asked.get(variantId) ?? null;
  const keptQuantity = kept.get(variantId);
  return found('inventory_snapshot_insufficient', 'inventory', [
    text('line.variant', variantId),
    count('line.quantity', pieces, signed.get(variantId) ?? null),
    ...(keptQuantity === undefined ? [] : [count('line.stock', pieces, keptQuantity)]),
  ]);
}

/** Of several counts of one variant the lowest holds. */
function lowestCounts(
  counts: readonly Pick<ArtifactFact, 'variantId' | 'quantityAvailable'>[],
): ReadonlyMap<string | null, number> {
  const lowest = new Map<string | null, number>();
  for (const { variantId, quantityAvailable } of counts) {
    const quantity = quantityAvailable ?? 0;
    lowest.set(variantId, Math.min(lowest.get(variantId) ?? quantity, quantity));
  }
  return lowest;
}

/** The faulty line with the smallest variant id, then product id, or null. */
function firstLine(cart: CartFacts, isFaulty: (line: CartLine) => boolean): CartLine | null {
  let first: CartLine | null = null;
  for (const line of cart.lines)
    if (isFaulty(line) && (first === null || isBefore(line, first))) first = line;
  return first;
}

const isBefore = (left: CartLine, right: CartLine): boolean =>
  left.variantId === right.variantId
    ? left.productId < right.productId
    : left.variantId < right.variantId;

const found = (
  code: FactsCode,
  artifactType: ArtifactFact['type'] | null,
  observations: readonly Observation[],
): Finding => ({ failure: { code, artifactType, notBeforeMs: null }, observations });
