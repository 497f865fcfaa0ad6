import { DUE_WORKS, type DueWorks } from '../../src/base/ledger/index.js';
import { SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, type Body } from '../../src/demo/purchases.js';
import type { Answer, CallOptions, Shop } from '../arbiter/shop.js';
import { fresh } from '../arbiter/uses.js';
import type { TestService } from '../support/service.js';
import { testDatabase } from '../support/database.js';

/** The same shop through another service on the same database. */
export function on(service: TestService, shop: Shop): Shop {
  const call: Shop['call'] = async (method, path, options = {}) => {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${options.apiKey ?? shop.apiKeys[options.as ?? 'agent']}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined
          ? {}
          : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const ask: Shop['ask'] = (body, options) => call('POST', '/v1/decisions', { ...options, body });
  return { ...shop, service, call, ask };
}

/** A payment as it is answered, as far as tests look into it. */
export interface PaymentBody {
  readonly payment_id: string;
  readonly order_id: string;
  readonly state: string;
  readonly amount: object;
  readonly refunded: object;
  readonly review: readonly string[];
}

const without = ({ flow: _flow, ...rest }: Body): Body => rest;

/** Bodies of the routes that decide and move money, but for their order. */
export const HANDOFF: Body = { ...without(ALLOWED_HANDOFF), provider: 'sandbox' };
export const CHARGE: Body = { ...without(ALLOWED_PURCHASE), provider: 'sandbox' };

/** What an allowed handoff or charge of these bodies comes to, in paise. */
export const TOTAL_MINOR = 91_800;

/** `POST /v1/handoffs` as the merchant's system, for an order of its own under a key of its own. */
export const handOff = (shop: Shop, body: object = {}, options: CallOptions = {}) =>
  move(shop, '/v1/handoffs', { ...HANDOFF, order_id: fresh('order'), ...body }, options);

export const charge = (shop: Shop, body: object = {}, options: CallOptions = {}) =>
  move(
    shop,
    '/v1/charges',
    { ...CHARGE, order_id: fresh('order'), ...body },
    { as: 'agent', ...options },
  );

export const refund = (shop: Shop, body: object, options: CallOptions = {}) =>
  move(shop, '/v1/refunds', { merchant_id: SHOP, ...body }, options);

function move(shop: Shop, path: string, body: object, options: CallOptions): Promise<Answer> {
  const more = { as: 'merchant_system', idempotencyKey: fresh('key'), ...options } as const;
  return shop.call('POST', path, { ...more, body });
}

export async function paymentNow(shop: Shop, paymentId: string): Promise<PaymentBody> {
  const path = `/v1/payments/${paymentId}`;
  return (await shop.call('GET', path, { as: 'tenant_admin' })).body as PaymentBody;
}

/** Money of an order is captured under a payment, as its provider's report. */
export const capture = (
  shop: Shop,
  payment: Partial<PaymentBody>,
  more: object = {},
): Promise<Answer> =>
  shop.call('POST', '/v1/captures', {
    as: 'merchant_system',
    idempotencyKey: fresh('capture'),
    body: {
      capture_id: fresh('cap'),
      merchant_id: SHOP,
      order_id: payment.order_id,
      amount: payment.amount,
      payment_id: payment.payment_id,
      ...more,
    },
  });

/** An order with one paid payment of `TOTAL_MINOR`; answers with the payment. */
export async function paidOrder(shop: Shop, body: object = {}): Promise<PaymentBody> {
  const { status, body: answer } = await handOff(shop, body);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  const captured = await capture(shop, answer.payment);
  if (captured.status !== 201) throw new Error(JSON.stringify(captured.body));
  return answer.payment as PaymentBody;
}

/** Limits of the shop that leave room for so much a day, in one order or in many. */
export async function setDailyMaximum(shop: Shop, amountMinor: number | bigint): Promise<void> {
  const limits = {
    currencies: [
      {
        currency: 'INR',
        order_max_minor: String(amountMinor),
        daily_max_minor: String(amountMinor),
      },
    ],
    items_max: 20,
    not_present: null,
  };
  const path = `/v1/merchants/${SHOP}/limits`;
  const set = await shop.call('PUT', path, { as: 'tenant_admin', body: limits });
  if (set.status >= 300) throw new Error(JSON.stringify(set.body));
}

/** Lets everything that waits for an instant be done now; questions to providers are asked as if long had passed. */
export async function sweep(shop: Shop): Promise<void> {
  const works = shop.service.app.get<DueWorks>(DUE_WORKS, { strict: false });
  for (let round = 0; round < 3; round += 1) {
    await works.sweep(shop.tenantId);
    await testDatabase().pool.query(
      'UPDATE rail_questions SET next_try_at_ms = 0, first_seen_at_ms = 0 WHERE tenant_id = $1',
      [shop.tenantId],
    );
  }
  await works.sweep(shop.tenantId);
}
