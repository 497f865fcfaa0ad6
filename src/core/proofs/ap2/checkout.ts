import { type CanonicalValue, err, isChosenId, ok, type Result } from '../../kernel/index.js';
import { type CartCore, CART_LINES_MAX, coreHashOf, LINE_QUANTITY_MAX } from '../../rules/index.js';
import { fault, type ProofFault } from '../fault.js';
import { parseToken, type UncheckedJws } from '../jws.js';
import { MemberReader } from '../members.js';
import { isList, isObject } from './sd-jwt.js';

/** A checkout as the merchant signed it, read into our terms. NOT yet verified: `jws` is to be checked with the tenant's own key. */
export interface SignedCheckout {
  readonly jws: UncheckedJws;
  readonly id: string;
  readonly merchant: {
    readonly id: string;
    readonly name: string | null;
    readonly website: string | null;
  };
  readonly cart: CartCore;
  /** The core hash of the cart it describes (decisions 3.8). */
  readonly coreHash: string;
}

/**
 * Reads `checkout_jwt`: a compact JWS whose payload is a UCP-style checkout (facts/protocols.md 4.3.1). Faults: those of
 * {@link parseToken} with typ `JWT` or none, then `shape` of the checkout. Everything that changes what is paid is read
 * or refused: amounts that do not add up, a total of a kind that our carts do not have. Line totals only repeat.
 * A product and its variant: `item.id` is the variant, `item.product_id` its product, by default the same.
 */
export function parseCheckoutJwt(compact: string): Result<SignedCheckout, ProofFault> {
  const jws = parseToken(compact, ['jwt', null]);
  if (!jws.ok) return jws;
  if (jws.value.header.kid === null)
    return err(
      fault('shape', 'checkout_jwt.kid', 'a signed checkout names the key of its merchant'),
    );
  const checkout = readCheckout(jws.value.claims as Readonly<Record<string, CanonicalValue>>);
  return checkout.ok ? ok({ ...checkout.value, jws: jws.value }) : checkout;
}

type Members = Readonly<Record<string, CanonicalValue>>;

function readCheckout(claims: Members): Result<Omit<SignedCheckout, 'jws'>, ProofFault> {
  const read = new MemberReader(claims, 'checkout.');
  const id = read.text('id');
  const merchant = read.object('merchant');
  const merchantId = merchant.id('id');
  const name = merchant.optionalText('name');
  const website = merchant.optionalText('website');
  read.adopt(merchant);
  const currency = read.currency('currency');
  if (read.fault !== null) return err(read.fault);
  const lines = readLines(claims['line_items']);
  if (lines === null)
    return wrong(
      'line_items',
      `1 to ${CART_LINES_MAX} items with id, price in minor units and a quantity of at most ${LINE_QUANTITY_MAX} are needed`,
    );
  const totals = readTotals(claims['totals']);
  if (totals === null)
    return wrong('totals', 'one subtotal, one total, and discounts, fulfillment and tax only');
  const subtotalMinor = lines.reduce(
    (sum, line) => sum + BigInt(line.quantity) * line.unitPriceMinor,
    0n,
  );
  const { discountMinor, taxMinor, shippingMinor, totalMinor } = totals;
  if (totals.subtotalMinor !== subtotalMinor)
    return wrong('totals', 'the subtotal is the sum of the lines');
  if (
    subtotalMinor - discountMinor + taxMinor + shippingMinor !== totalMinor ||
    discountMinor > subtotalMinor
  )
    return wrong('totals', 'the total is subtotal minus discount plus tax plus fulfillment');
  const cart = {
    currency,
    lines,
    subtotalMinor,
    discountMinor,
    taxMinor,
    shippingMinor,
    totalMinor,
  };
  return ok({
    id,
    merchant: { id: merchantId, name, website },
    cart,
    coreHash: coreHashOf(cart, merchantId),
  });
}

const wrong = (member: string, detail: string): Result<never, ProofFault> =>
  err(fault('shape', `checkout.${member}`, detail));

function readLines(value: CanonicalValue | undefined): CartCore['lines'] | null {
  if (!isList(value) || value.length < 1 || value.length > CART_LINES_MAX) return null;
  const lines = value.map(readLine);
  return lines.every((line) => line !== null) ? lines : null;
}

function readLine(value: CanonicalValue): CartCore['lines'][number] | null {
  if (!isObject(value) || !isObject(value['item'])) return null;
  const { id, product_id: productId = id, price } = value['item'];
  const { quantity } = value;
  const isWhole = (one: unknown, max: number): one is number =>
    typeof one === 'number' && Number.isSafeInteger(one) && one >= 0 && one <= max;
  if (typeof id !== 'string' || !isChosenId(id)) return null;
  if (typeof productId !== 'string' || !isChosenId(productId)) return null;
  if (!isWhole(price, Number.MAX_SAFE_INTEGER)) return null;
  if (!isWhole(quantity, LINE_QUANTITY_MAX) || quantity === 0) return null;
  return { productId, variantId: id, quantity, unitPriceMinor: BigInt(price) };
}

type Totals = Omit<CartCore, 'currency' | 'lines'>;

/** The total each kind of entry of `totals[]` belongs to (facts/protocols.md 1.8); a kind of none of them is refused. */
const TOTAL_OF = {
  subtotal: 'subtotalMinor',
  items_discount: 'discountMinor',
  discount: 'discountMinor',
  fulfillment: 'shippingMinor',
  tax: 'taxMinor',
  total: 'totalMinor',
} as const satisfies Readonly<Record<string, keyof Totals>>;

/** Discounts are negative in the newer version of the protocol and were positive before: both take something off. */
function readTotals(value: CanonicalValue | undefined): Totals | null {
  if (!isList(value)) return null;
  const sums = {
    subtotalMinor: 0n,
    discountMinor: 0n,
    shippingMinor: 0n,
    taxMinor: 0n,
    totalMinor: 0n,
  };
  const once = new Set<string>();
  for (const entry of value) {
    if (!isObject(entry)) return null;
    const { type, amount } = entry;
    if (typeof type !== 'string' || !Object.hasOwn(TOTAL_OF, type)) return null;
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return null;
    const name = TOTAL_OF[type as keyof typeof TOTAL_OF];
    if (amount < 0 && name !== 'discountMinor') return null;
    if ((type === 'subtotal' || type === 'total') && once.has(type)) return null;
    once.add(type);
    sums[name] += BigInt(Math.abs(amount));
  }
  return once.has('subtotal') && once.has('total') ? sums : null;
}
