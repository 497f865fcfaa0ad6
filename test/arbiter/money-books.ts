import { PRODUCTS, SHOP, STALL } from '../../src/demo/demo-world.js';
import { type Body, cartOf } from '../../src/demo/purchases.js';
import { STALL_HANDOFF } from '../../src/demo/tour-purchases.js';
import { handOff, type PaymentBody } from '../money/desk.js';
import type { Answer, Shop } from './shop.js';
import { fresh, inr } from './uses.js';

const [CHAI] = PRODUCTS;

/** The body of an answer that has to have this status. */
export function answered<Value = Answer['body']>(answer: Answer, status: number): Value {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as Value;
}

/** One pack of chai that comes to `amountMinor` with its shipping. */
export const cartFor = (amountMinor: number): Body => ({
  ...cartOf(CHAI, 1),
  shipping: inr(amountMinor - CHAI.amountMinor),
  total: inr(amountMinor),
});

/** A link of the stall over `amountMinor`, made by the merchant's own system: POST /v1/handoffs. */
export async function stallLink(shop: Shop, amountMinor: number, more: object = {}) {
  const cart = cartFor(amountMinor);
  const body = { merchant_id: STALL, cart, provider: 'plural', ...more };
  return answered<{ payment: PaymentBody }>(await handOff(shop, body), 201).payment;
}

export const report = (shop: Shop, paymentId: string, body: object): Promise<Answer> =>
  shop.call('POST', `/v1/payments/${paymentId}/reports`, {
    as: 'merchant_system',
    idempotencyKey: fresh('report'),
    body,
  });

/** What the rules see of a merchant's day: POST /v1/simulate. */
export async function dayOf(shop: Shop, body: Body = STALL_HANDOFF): Promise<DayView> {
  const simulated = await shop.call('POST', '/v1/simulate', { as: 'tenant_admin', body });
  const { judged, trace } = answered<Simulated>(simulated, 200);
  const limits = trace.find(({ rule }) => rule === 'handoff_merchant_limits');
  if (limits === undefined) throw new Error('it is no handoff');
  return {
    totalMinor: Number(judged.counters.merchant_day_minor),
    refusal: limits.failure?.code ?? null,
  };
}

interface DayView {
  readonly totalMinor: number;
  /** Of the rule on the merchant's limits alone. */
  readonly refusal: string | null;
}

interface Simulated {
  readonly judged: { readonly counters: { readonly merchant_day_minor: string } };
  readonly trace: readonly { readonly rule: string; readonly failure: { code: string } | null }[];
}

export async function setLimits(shop: Shop, limits: object, merchantId = SHOP): Promise<void> {
  const path = `/v1/merchants/${merchantId}/limits`;
  answered(await shop.call('PUT', path, { as: 'tenant_admin', body: limits }), 200);
}

/** The shop's limits in rupees, with what a case changes. */
export const shopLimits = (inRupees: object = {}, more: object = {}) => ({
  currencies: [
    { currency: 'INR', order_max_minor: '5000000', daily_max_minor: '20000000', ...inRupees },
  ],
  items_max: 20,
  ...more,
});

export async function withdraw(shop: Shop, subjectId: string, status = 'revoked'): Promise<void> {
  const body = { subject_id: subjectId, status, reason_code: 'other' };
  answered(await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body }), 200);
}

export async function behave(shop: Shop, behaviour: object): Promise<void> {
  const options = { as: 'tenant_admin', body: behaviour } as const;
  answered(await shop.call('PUT', '/v1/sandbox/behaviour', options), 200);
}

/** Payments of an order, newest first: GET /v1/payments. */
export async function paymentsOf(shop: Shop, orderId: string): Promise<readonly PaymentBody[]> {
  const path = `/v1/payments?order_id=${orderId}`;
  const found = await shop.call('GET', path, { as: 'tenant_admin' });
  return answered<{ items: readonly PaymentBody[] }>(found, 200).items;
}
