import { type Money, printMoney } from '../../../core/kernel/index.js';
import type { Availability, ShopProduct } from '../../../trust/facts/index.js';

/** `20.99`, `2099` or `1.500`, with all digits of the currency. */
export const printDecimal = (money: Money): string =>
  printMoney(money).slice(`${money.currency} `.length);

export const productUrl = (origin: string, { slug }: Pick<ShopProduct, 'slug'>): string =>
  `${origin}/products/${encodeURIComponent(slug)}`;

export const AVAILABILITY_WORDS: Readonly<Record<Availability, string>> = {
  in_stock: 'In stock',
  out_of_stock: 'Out of stock',
  unknown: 'Availability on request',
};
