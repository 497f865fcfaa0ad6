import { createHash } from 'node:crypto';
import { type CanonicalValue, canonicalize } from '../../kernel/index.js';
import type { CartLine } from '../facts.js';

/** What of a cart a wallet can know too. All amounts in `currency`, in minor units. */
export interface CartCore {
  readonly currency: string;
  readonly lines: readonly CartLine[];
  readonly subtotalMinor: bigint;
  readonly discountMinor: bigint;
  readonly taxMinor: bigint;
  readonly shippingMinor: bigint;
  readonly totalMinor: bigint;
}

/**
 * What a buyer's cart mandate names (decisions 3.8): merchant, currency, lines and totals, nothing that only we know, so
 * that a wallet can compute it. Canonical members: merchant_id, currency, lines as [product, variant, quantity, unit
 * price in minor units as text], subtotal, discount, tax, shipping, total (all minor units as text).
 */
export const coreHashOf = (cart: CartCore, merchantId: string): string =>
  createHash('sha256')
    .update(canonicalize(coreOf(cart, merchantId)), 'utf8')
    .digest('hex');

export function coreOf(
  cart: CartCore,
  merchantId: string,
): Readonly<Record<string, CanonicalValue>> {
  return {
    merchant_id: merchantId,
    currency: cart.currency,
    lines: cart.lines
      .map((line): CanonicalValue => [
        line.productId,
        line.variantId,
        line.quantity,
        line.unitPriceMinor.toString(),
      ])
      .sort(byCanonicalText),
    subtotal: cart.subtotalMinor.toString(),
    discount: cart.discountMinor.toString(),
    tax: cart.taxMinor.toString(),
    shipping: cart.shippingMinor.toString(),
    total: cart.totalMinor.toString(),
  };
}

/** Order of arrival never matters: rows are sorted by the UTF-16 code units of their canonical text. */
export function byCanonicalText(left: CanonicalValue, right: CanonicalValue): number {
  const [leftText, rightText] = [canonicalize(left), canonicalize(right)];
  if (leftText === rightText) return 0;
  return leftText < rightText ? -1 : 1;
}
