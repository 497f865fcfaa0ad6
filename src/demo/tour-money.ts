import { formatInstant } from '../core/kernel/index.js';
import { BUYER, FROZEN_AT_MS, PRODUCTS, SHOP } from './demo-world.js';
import type { HttpAsk } from './http-caller.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE, type Body, inr } from './purchases.js';
import { type TourResult, type TourStep, valueAt } from './tour.js';

/** What takes the steps of this chapter: at once, or as soon as they come true, as what a webhook changes. */
export interface Stage {
  take(step: TourStep): Promise<TourResult>;
  takeOnceTrue(step: TourStep): Promise<TourResult>;
}

const [CHAI] = PRODUCTS;

/** Money that moves exactly once: on the sandbox, a payment provider of the product's own. Rests on the tour before. */
export async function moneyChapter(stage: Stage): Promise<void> {
  await paidLink(stage);
  await usedTwice(stage);
  await charged(stage);
  await fullDay(stage);
  await switchedOff(stage);
  await soldOut(stage);
  await erasedBuyer(stage);
}

async function paidLink(stage: Stage): Promise<void> {
  const orderId = 'money-order-1';
  const link = await stage.take({
    title: 'money: a link at the sandbox; decided, allow used and link made in one request',
    ask: handOff(orderId),
    status: 201,
    expected: { 'decision.outcome': 'allow', 'payment.state': 'open', 'payment.order_id': orderId },
  });
  const paymentPath = `/v1/payments/${textAt(link, 'payment.payment_id')}`;
  await stage.take(press('a person pays on the page of the link', link, 'pay'));
  await stage.takeOnceTrue({
    title: 'the provider’s signed webhook came: the link is paid, the order counts',
    ask: { method: 'GET', path: paymentPath },
    status: 200,
    expected: { state: 'paid', 'captured.amount': '91800' },
  });
  await stage.take({
    title: 'part of it is given back, by the rail that took it',
    ask: refundOf(orderId, 50_000),
    status: 201,
    expected: { 'decision.outcome': 'allow', 'refund.state': 'done' },
  });
  await stage.take({
    title: 'refused: giving back more than is left',
    ask: refundOf(orderId, 50_000, '-again'),
    status: 403,
    expected: refusedBy('refund_within_captured', 'refund_exceeds_captured'),
  });
}

async function usedTwice(stage: Stage): Promise<void> {
  const allowed = await stage.take({
    title: 'allowed: for a link that the merchant’s own system will make',
    ask: { body: ALLOWED_HANDOFF },
    status: 200,
    expected: { outcome: 'allow', usable: true },
  });
  const path = `/v1/decisions/${textAt(allowed, 'decision_id')}/consume`;
  const use = (idempotencyKey: string): HttpAsk => ({
    path,
    as: 'merchant_system',
    idempotencyKey,
    body: { order_id: 'money-order-2', provider: 'merchant', cart: ALLOWED_HANDOFF['cart'] },
  });
  const used = await stage.take({
    title: 'the merchant system uses the allow: the link counts from now on',
    ask: use('money-use-1'),
    status: 200,
    expected: { 'payment.state': 'issuing', provider: 'merchant' },
  });
  await stage.take({
    title: 'refused: the same allow a second time',
    ask: use('money-use-2'),
    status: 403,
    expected: {
      ...refusedBy('allow_use', 'allow_already_used'),
      decision_id: textAt(allowed, 'decision_id'),
    },
  });
  await stage.take({
    title: 'the merchant system reports that the payment failed: its amount is the day’s again',
    ask: {
      path: `/v1/payments/${textAt(used, 'payment.payment_id')}/reports`,
      as: 'merchant_system',
      idempotencyKey: 'money-failed',
      body: { report: 'failed' },
    },
    status: 200,
    expected: { state: 'failed' },
  });
}

async function charged(stage: Stage): Promise<void> {
  await stage.take({
    title: 'the agent pays on the buyer’s mandates: decided, allow used and charged in one request',
    ask: chargeOf('money-order-8'),
    status: 201,
    expected: { 'decision.outcome': 'allow', 'payment.kind': 'charge', 'payment.state': 'paid' },
  });
  await stage.take({
    title: 'refused: a second charge on a mandate for one payment',
    ask: chargeOf('money-order-9'),
    status: 403,
    expected: refusedBy('mandate_present', 'mandate_already_used'),
  });
}

async function fullDay(stage: Stage): Promise<void> {
  await stage.take({
    title: 'the merchant lowers its daily maximum: one more order fits',
    ask: { method: 'PUT', path: `/v1/merchants/${SHOP}/limits`, as: 'tenant_admin', body: DAY },
    status: 200,
    expected: { version: 2, 'currencies.0.daily_max_minor': '400000' },
  });
  const last = await stage.take({
    title: 'a link for that order; open, it counts',
    ask: handOff('money-order-3'),
    status: 201,
    expected: { 'payment.state': 'open' },
  });
  await stage.take({
    title: 'refused: the day is full',
    ask: handOff('money-order-4'),
    status: 403,
    expected: refusedBy('handoff_merchant_limits', 'daily_amount_cap_exceeded'),
  });
  await stage.take(press('a person lets that payment fail', last, 'fail'));
  await stage.takeOnceTrue({
    title: 'the provider says that it failed: the day has room again',
    ask: { method: 'GET', path: `/v1/payments/${textAt(last, 'payment.payment_id')}` },
    status: 200,
    expected: { state: 'failed', 'captured.amount': '0' },
  });
}

async function switchedOff(stage: Stage): Promise<void> {
  await stage.take({
    title: 'agent-executed payment is switched off again',
    ask: {
      method: 'PUT',
      path: `/v1/merchants/${SHOP}/agent-payment`,
      as: 'tenant_admin',
      body: { enabled: false },
    },
    status: 200,
    expected: { agent_payment_enabled: false },
  });
  await stage.take({
    title: 'refused: a charge, whatever the rules say',
    ask: chargeOf('money-order-5'),
    status: 403,
    expected: { code: 'arbiter_refused', reason: 'agent_executed_payment_disabled' },
  });
}

async function soldOut(stage: Stage): Promise<void> {
  const path = `/v1/stock/${CHAI.variantId}`;
  await stage.take({
    title: 'the merchant says how many packs there are: three',
    ask: {
      method: 'PUT',
      path,
      as: 'merchant_system',
      body: { merchant_id: SHOP, on_hand: 3 },
    },
    status: 200,
    expected: { on_hand: 3, held: 0, available: 3 },
  });
  await stage.take({
    title: 'a link for two of them sets them aside',
    ask: handOff('money-order-6'),
    status: 201,
    expected: { 'payment.state': 'open' },
  });
  await stage.take({
    title: 'refused: two more, where one is left',
    ask: handOff('money-order-7'),
    status: 403,
    expected: refusedBy('handoff_facts_valid', 'inventory_snapshot_insufficient:inventory'),
  });
  await stage.take({
    title: 'three packs there, two of them held',
    ask: { method: 'GET', path: `${path}?merchant_id=${SHOP}`, as: 'merchant_system' },
    status: 200,
    expected: { on_hand: 3, held: 2, available: 1 },
  });
}

async function erasedBuyer(stage: Stage): Promise<void> {
  await stage.take({
    title: 'the buyer is erased: name, salt and signed tokens',
    ask: {
      path: '/v1/buyers/erase',
      as: 'tenant_admin',
      idempotencyKey: 'money-erase',
      body: { buyer_reference: BUYER },
    },
    status: 200,
    expected: { erased_at: formatInstant(FROZEN_AT_MS) },
  });
  await stage.take({
    title: 'refused: nobody stands behind those mandates any more',
    ask: { body: ALLOWED_PURCHASE },
    status: 200,
    expected: { outcome: 'refuse', failing_rule: 'mandate_present' },
  });
}

/** INR 4,000.00 a day: with the three orders of INR 918.00 paid by then, room for one more, not for two. */
const DAY: Body = {
  currencies: [{ currency: 'INR', order_max_minor: '100000', daily_max_minor: '400000' }],
  items_max: 20,
};

/** A link for two packs of chai. */
function handOff(orderId: string): HttpAsk {
  return {
    path: '/v1/handoffs',
    idempotencyKey: orderId,
    body: atSandbox(ALLOWED_HANDOFF, orderId),
  };
}

const chargeOf = (orderId: string): HttpAsk => ({
  path: '/v1/charges',
  idempotencyKey: orderId,
  body: atSandbox(ALLOWED_PURCHASE, orderId),
});

/** The route says the flow, the body the order and who moves the money. */
function atSandbox({ flow: _flow, ...purchase }: Body, orderId: string): Body {
  return { ...purchase, order_id: orderId, provider: 'sandbox' };
}

const refundOf = (orderId: string, amountMinor: number, more = ''): HttpAsk => ({
  path: '/v1/refunds',
  as: 'merchant_system',
  idempotencyKey: `refund-${orderId}${more}`,
  body: { merchant_id: SHOP, order_id: orderId, amount: inr(amountMinor) },
});

/** As a browser sends the form of the pay page: nobody is logged in there. */
const press = (title: string, link: TourResult, button: 'pay' | 'fail'): TourStep => ({
  title,
  ask: { path: pathOf(textAt(link, 'payment.url')), as: 'person', form: { press: button } },
  status: 303,
  expected: {},
});

const refusedBy = (rule: string, reason: string) => ({
  code: 'arbiter_refused',
  failing_rule: rule,
  reason,
});

const textAt = ({ answer }: TourResult, member: string): string =>
  String(valueAt(answer.body, member));

/** Of an address; a link that was not made has none, and its step has failed already. */
const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '/pay/none');
