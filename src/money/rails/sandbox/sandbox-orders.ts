import { z } from 'zod';
import { pageUrlOf } from '../../../base/platform/index.js';
import {
  CHOSEN_ID_LENGTH_MAX,
  isChosenId,
  isCurrencyCode,
  isVisibleText,
  type InstantMs,
  type Money,
} from '../../../core/kernel/index.js';

/** What the sandbox is asked to take. It believes its callers as little as any provider would. */
export interface ChargeOrder {
  readonly reference: string;
  readonly merchantId: string;
  readonly orderId: string;
  readonly money: Money;
}

export interface LinkOrder extends ChargeOrder {
  readonly expiresAtMs: InstantMs;
  readonly description: string | null;
  readonly returnUrl: string | null;
}

export interface RefundOrder {
  readonly reference: string;
  readonly paymentReference: string;
  readonly money: Money;
}

const DESCRIPTION_LENGTH_MAX = 200;

const name = z.string().max(CHOSEN_ID_LENGTH_MAX).refine(isChosenId);
const reference = z.string().regex(/^[a-z]{3}_[0-9a-z]{1,60}$/);
const amount = z
  .strictObject({
    amount: z.string().regex(/^[1-9]\d{0,17}$/),
    currency: z.string().refine(isCurrencyCode),
  })
  .transform((money): Money => ({ amountMinor: BigInt(money.amount), currency: money.currency }));

const chargeOrder = z.strictObject({ reference, merchant_id: name, order_id: name, amount });
const linkOrder = chargeOrder.extend({
  expires_at_ms: z.int().positive(),
  description: z.string().max(DESCRIPTION_LENGTH_MAX).refine(isVisibleText).nullable(),
  return_url: z
    .string()
    .refine((url) => pageUrlOf(url) !== null)
    .nullable(),
});
const refundOrder = z.strictObject({ reference, payment_reference: reference, amount });

const read = <Schema extends z.ZodType>(
  schema: Schema,
  text: string | null,
): z.output<Schema> | null => {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch {
    return null;
  }
};

const chargeOrderOf = (read: z.output<typeof chargeOrder>): ChargeOrder => ({
  reference: read.reference,
  merchantId: read.merchant_id,
  orderId: read.order_id,
  money: read.amount,
});

export function readChargeOrder(text: string | null): ChargeOrder | null {
  const order = read(chargeOrder, text);
  return order === null ? null : chargeOrderOf(order);
}

export function readLinkOrder(text: string | null): LinkOrder | null {
  const order = read(linkOrder, text);
  if (order === null) return null;
  return {
    ...chargeOrderOf(order),
    expiresAtMs: order.expires_at_ms,
    description: order.description,
    returnUrl: order.return_url,
  };
}

export function readRefundOrder(text: string | null): RefundOrder | null {
  const order = read(refundOrder, text);
  if (order === null) return null;
  const { payment_reference: paymentReference, amount: money } = order;
  return { reference: order.reference, paymentReference, money };
}
