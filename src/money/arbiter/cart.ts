import { createHash } from 'node:crypto';
import {
  AMOUNT_MINOR_MAX,
  type CanonicalValue,
  canonicalize,
  err,
  type Money,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import {
  byCanonicalText,
  CART_LINES_MAX,
  type CartLine,
  coreOf,
  LINE_QUANTITY_MAX,
  type PurchaseFlow,
} from '../../core/rules/index.js';

export { coreHashOf } from '../../core/rules/index.js';

/** A cart as it was asked for: wire form read, arithmetic not yet checked. */
export interface CartRequest {
  readonly currency: string;
  readonly lines: readonly {
    readonly productId: string;
    readonly variantId: string;
    readonly quantity: number;
    readonly unitPrice: Money;
  }[];
  readonly discount: Money | null;
  readonly tax: Money | null;
  readonly shipping: Money | null;
  readonly total: Money;
  /** What the buyer chose of delivery, as an opaque name; part of what an allow is bound to. */
  readonly fulfilmentChoice: string | null;
}

/** A cart whose amounts add up in one currency. Hashes come later: they also name artifacts (facts/arbiter.md J3). */
export interface CheckedCart {
  readonly currency: string;
  readonly lines: readonly CartLine[];
  readonly subtotalMinor: bigint;
  readonly discountMinor: bigint;
  readonly taxMinor: bigint;
  readonly shippingMinor: bigint;
  readonly totalMinor: bigint;
  readonly fulfilmentChoice: string | null;
}

/**
 * Checks that a cart is one currency and adds up exactly: sum of quantity x unit price, minus discount, plus tax and
 * shipping, equals total. Problems (all `validation_failed`, the field named), in order: number of lines, each line
 * (currency, quantity), currencies of the totals, size of the subtotal, discount above subtotal,
 * total zero, total. Not checked here: whether price, stock or product are true; that is what the signed facts are for.
 */
export function checkCart(cart: CartRequest): Result<CheckedCart, Problem> {
  if (cart.lines.length < 1 || cart.lines.length > CART_LINES_MAX)
    return wrong('/cart/lines', `A cart has 1 to ${CART_LINES_MAX} lines.`);
  const lineProblem = firstLineProblem(cart);
  if (lineProblem !== null) return err(lineProblem);
  for (const name of ['discount', 'tax', 'shipping', 'total'] as const) {
    const amount = cart[name];
    if (amount !== null && amount.currency !== cart.currency)
      return wrong(`/cart/${name}/currency`, 'A cart has one currency.');
  }
  const checked = amountsOf(cart);
  if (checked.subtotalMinor > AMOUNT_MINOR_MAX)
    return wrong('/cart/lines', 'The sum of the lines has more than 18 digits.');
  if (checked.discountMinor > checked.subtotalMinor)
    return wrong('/cart/discount/amount', 'A discount is at most the sum of the lines.');
  const expected =
    checked.subtotalMinor - checked.discountMinor + checked.taxMinor + checked.shippingMinor;
  if (checked.totalMinor === 0n)
    return wrong('/cart/total/amount', 'A purchase has a total above zero.');
  if (checked.totalMinor !== expected)
    return wrong(
      '/cart/total/amount',
      `Lines minus discount plus tax plus shipping make ${expected}, not ${checked.totalMinor}.`,
    );
  return ok(checked);
}

const wrong = (field: string, detail: string): { readonly ok: false; readonly error: Problem } =>
  err(problem('validation_failed', detail, { fix: `Change ${field} and ask again.`, field }));

function firstLineProblem(cart: CartRequest): Problem | null {
  for (const [index, line] of cart.lines.entries()) {
    const field = `/cart/lines/${index}`;
    if (line.unitPrice.currency !== cart.currency)
      return wrong(`${field}/unit_price/currency`, 'A cart has one currency.').error;
    if (
      !Number.isSafeInteger(line.quantity) ||
      line.quantity < 1 ||
      line.quantity > LINE_QUANTITY_MAX
    )
      return wrong(`${field}/quantity`, `A quantity is 1 to ${LINE_QUANTITY_MAX}.`).error;
  }
  return null;
}

function amountsOf(cart: CartRequest): CheckedCart {
  const lines = cart.lines.map((line) => ({
    productId: line.productId,
    variantId: line.variantId,
    quantity: line.quantity,
    unitPriceMinor: line.unitPrice.amountMinor,
  }));
  return {
    currency: cart.currency,
    lines,
    subtotalMinor: lines.reduce(
      (sum, line) => sum + BigInt(line.quantity) * line.unitPriceMinor,
      0n,
    ),
    discountMinor: cart.discount?.amountMinor ?? 0n,
    taxMinor: cart.tax?.amountMinor ?? 0n,
    shippingMinor: cart.shipping?.amountMinor ?? 0n,
    totalMinor: cart.total.amountMinor,
    fulfilmentChoice: cart.fulfilmentChoice,
  };
}

/** What an allow is bound to beside the cart itself. */
export interface CartBinding {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly agentId: string | null;
  readonly buyerCommitment: string | null;
  readonly artifacts: readonly { readonly id: string; readonly payloadHash: string | null }[];
  readonly flow: PurchaseFlow;
}

/**
 * The hash that binds an allow to exactly one cart (mission M30; facts/arbiter.md J3): SHA-256 in hex over the canonical
 * text of cart and binding. One paisa, one piece, another artifact payload or another buyer is another hash.
 */
export function cartHashOf(cart: CheckedCart, binding: CartBinding): string {
  return digest({
    ...coreOf(cart, binding.merchantId),
    tenant_id: binding.tenantId,
    agent_id: binding.agentId,
    buyer_commitment: binding.buyerCommitment,
    fulfilment_choice: cart.fulfilmentChoice,
    artifacts: binding.artifacts
      .map((artifact): CanonicalValue => [artifact.id, artifact.payloadHash])
      .sort(byCanonicalText),
    flow: binding.flow,
  });
}

const digest = (value: CanonicalValue): string =>
  createHash('sha256').update(canonicalize(value), 'utf8').digest('hex');
