import type { CanonicalValue } from '../core/kernel/index.js';
import { CREDENTIAL_IDS, type DemoProduct, PRODUCTS, SHOP } from './demo-world.js';

/** Bodies of `POST /v1/decisions`, ready to send. */
export type Body = Readonly<Record<string, CanonicalValue>>;

/** As money stands in bodies. */
export const inr = (amountMinor: number) => ({ amount: String(amountMinor), currency: 'INR' });

/** A cart of one product at its signed price, nothing added and nothing taken off. */
export const cartOf = (product: DemoProduct, quantity: number): Body => ({
  currency: 'INR',
  lines: [
    {
      product_id: product.productId,
      variant_id: product.variantId,
      quantity,
      unit_price: inr(product.amountMinor),
    },
  ],
  total: inr(product.amountMinor * quantity),
});

const [CHAI, KETTLE] = PRODUCTS;

/** The buyer pays on the merchant's page; allowed. */
export const ALLOWED_HANDOFF: Body = {
  flow: 'handoff',
  merchant_id: SHOP,
  cart: cartOf(CHAI, 2),
};

/** The buyer's registered credentials for the shop. */
export const SHOP_AUTHORITY = {
  mandate_refs: [CREDENTIAL_IDS.shop.intent, CREDENTIAL_IDS.shop.payment],
  consent_ref: CREDENTIAL_IDS.shop.consent,
  passport_ref: CREDENTIAL_IDS.shop.passport,
} as const;

/** The agent pays on the buyer's mandates; allowed. */
export const ALLOWED_PURCHASE: Body = {
  flow: 'agent_payment',
  merchant_id: SHOP,
  cart: cartOf(CHAI, 2),
  buyer_authority: SHOP_AUTHORITY,
};

/** A kettle for more than the buyer's passport covers; refused by rule 3. */
export const ABOVE_THE_PASSPORT: Body = { ...ALLOWED_PURCHASE, cart: cartOf(KETTLE, 1) };
