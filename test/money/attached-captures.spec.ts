import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { FROZEN_AT_MS, SHOP } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF, ALLOWED_PURCHASE } from '../../src/demo/purchases.js';
import { WRITER, type Writer } from '../../src/base/ledger/index.js';
import { type Book, BOOK, recordCapture } from '../../src/money/book/index.js';
import type { RailPayment } from '../../src/money/payments/index.js';
import type { ProviderInquiry } from '../../src/money/rails/provider-inquiry.js';
import { Reconciler } from '../../src/money/rails/reconcile/reconciler.js';
import { openShop, type Shop, startTestService, switchAgentPayment } from '../arbiter/shop.js';
import { allowed, consume, entriesOf, fresh, inr, moveClock } from '../arbiter/uses.js';
import { testDatabase } from '../support/database.js';
import type { TestService } from '../support/service.js';
import {
  contextOf,
  type Endpoint,
  LINK_MINOR,
  message,
  paymentOf,
  rotatedEndpoint,
  send,
  type Started,
  started,
} from './paying.js';
import { faultsOf, RIGHT } from './sums.js';

let service: TestService;
let shop: Shop;
let endpoint: Endpoint;
beforeAll(async () => {
  service = await startTestService({ JOBS: 'off', AGENT_EXECUTED_PAYMENT_ENABLED: 'true' });
  shop = await openShop(service);
  endpoint = await rotatedEndpoint(shop);
});

/** `POST /v1/captures` that says of which order it is, and no more unless a test adds it. */
const report = (of: Shop, orderId: string, more: object = {}) =>
  of.call('POST', '/v1/captures', {
    as: 'merchant_system',
    idempotencyKey: fresh('key'),
    body: {
      capture_id: fresh('cap'),
      merchant_id: SHOP,
      order_id: orderId,
      amount: inr(LINK_MINOR),
      ...more,
    },
  });

const signed = (payment: Started, data: object, type = 'link.paid') =>
  send(shop, endpoint, {
    body: message(payment.paymentId, { type, data: data as Record<string, unknown> }),
  });

const lapse = (payment: Started) => signed(payment, {}, 'link.expired');

const dayOf = async (of: Shop) => {
  const { rows } = await testDatabase().pool.query<Record<string, string>>(
    `SELECT coalesce(sum(confirmed_minor), 0)::text AS confirmed, coalesce(sum(closed_minor), 0)::text AS closed,
        (SELECT coalesce(sum(open_minor), 0)::text FROM merchant_open_money WHERE tenant_id = $1) AS open
       FROM merchant_day_money WHERE tenant_id = $1`,
    [of.tenantId],
  );
  return rows[0];
};

describe('a capture that names neither payment nor decision', () => {
  it('is money of the payment that its order is offered for, and the provider’s report of it is known', async () => {
    const own = await openShop(service);
    const ownEndpoint = await rotatedEndpoint(own);
    const payment = await started(own);
    const told = await report(own, payment.orderId, { capture_id: 'told-1' });
    expect([told.status, told.body.payment_id]).toEqual([201, payment.paymentId]);
    expect(await paymentOf(own, payment)).toMatchObject({ state: 'paid', review: null });
    const body = message(payment.paymentId, { data: { capture_id: 'told-1' } });
    expect((await send(own, ownEndpoint, { body })).body).toMatchObject({
      outcome: 'nothing_new',
    });
    expect(await dayOf(own)).toEqual({ confirmed: String(LINK_MINOR), closed: '0', open: '0' });
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('in another currency than that payment is a conflict that names it', async () => {
    const payment = await started(shop);
    const amount = { amount: '1', currency: 'USD' };
    const told = await report(shop, payment.orderId, { amount });
    expect([told.status, told.body.field]).toEqual([409, '/amount/currency']);
    expect(told.body.detail).toContain(payment.paymentId);
    expect((await paymentOf(shop, payment)).state).toBe('issuing');
  });

  it('and a report that does, at the same time: money once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const payment = await started(shop);
      const data = { capture_id: `both-${round}` };
      await Promise.all([
        report(shop, payment.orderId, data),
        signed(payment, data),
        lapse(payment),
        report(shop, payment.orderId, data),
      ]);
      expect(await paymentOf(shop, payment)).toMatchObject({
        state: 'paid',
        capturedMinor: LINK_MINOR,
        review: null,
      });
    }
  });
});

describe('money that was recorded without its payment', () => {
  it('is the payment’s as soon as its provider says so, and counts once', async () => {
    const own = await openShop(service);
    const ownEndpoint = await rotatedEndpoint(own);
    const payment = await started(own);
    const expired = message(payment.paymentId, { type: 'link.expired' });
    await send(own, ownEndpoint, { body: expired });
    const told = await report(own, payment.orderId, { capture_id: 'early' });
    expect([told.status, told.body.payment_id]).toEqual([201, null]);
    const body = message(payment.paymentId, { data: { capture_id: 'early' } });
    expect((await send(own, ownEndpoint, { body })).body).toMatchObject({ outcome: 'applied' });
    expect(await paymentOf(own, payment)).toMatchObject({
      state: 'paid',
      capturedMinor: LINK_MINOR,
      review: null,
    });
    expect(await dayOf(own)).toEqual({ confirmed: String(LINK_MINOR), closed: '0', open: '0' });
    expect(await entriesOf(own, ['capture.recorded', 'capture.attached'])).toHaveLength(2);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('is the payment’s when the merchant names it later; what was said then stays', async () => {
    const payment = await started(shop);
    await lapse(payment);
    const capture = { capture_id: fresh('late') };
    await report(shop, payment.orderId, capture);
    const named = { ...capture, payment_id: payment.paymentId };
    const other = await report(shop, payment.orderId, { ...named, amount: inr(1) });
    expect([other.status, other.body.field]).toEqual([409, '/capture_id']);
    const told = await report(shop, payment.orderId, named);
    expect([told.status, told.body.payment_id]).toEqual([201, payment.paymentId]);
    expect((await report(shop, payment.orderId, named)).status).toBe(409);
    const wrong = testDatabase().pool.query(
      'UPDATE captures SET payment_id = $2 WHERE tenant_id = $1 AND capture_id = $3',
      [shop.tenantId, 'pay_000000000000', capture.capture_id],
    );
    await expect(wrong).rejects.toThrow('written down already');
  });
});

describe('captured money that contradicts what is written marks its payment', () => {
  it.each<[string, object, object]>([
    ['the order is captured in another currency', { amount: inr(1), currency: 'USD' }, {}],
    ['the sum would be too long', { amount: inr(10n ** 18n - 1n) }, {}],
  ])('%s', async (_name, change) => {
    const payment = await started(shop);
    await lapse(payment);
    const { currency = 'INR', amount } = change as { currency?: string; amount: object };
    const first = await report(shop, payment.orderId, { amount: { ...amount, currency } });
    expect(first.status).toBe(201);
    const answer = await signed(payment, { capture_id: fresh('true') });
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'refused' } });
    expect(await paymentOf(shop, payment)).toMatchObject({
      state: 'lapsed',
      capturedMinor: 0n,
      review: 'capture_refused',
    });
  });

  it('its capture_id is another order’s', async () => {
    const payment = await started(shop);
    const body = { capture_id: 'taken' };
    await report(shop, fresh('other'), body);
    expect((await signed(payment, body)).body).toMatchObject({ outcome: 'refused' });
    expect((await paymentOf(shop, payment)).review).toBe('capture_refused');
    // The true one is recorded all the same, under a name of its own.
    expect((await signed(payment, { capture_id: fresh('true') })).body).toMatchObject({
      outcome: 'applied',
    });
    expect(await paymentOf(shop, payment)).toMatchObject({
      state: 'paid',
      review: 'capture_refused',
    });
  });

  it('its amount is not what was agreed', async () => {
    const payment = await started(shop);
    expect((await signed(payment, { amount: inr(1) })).body).toMatchObject({
      outcome: 'amount_differs',
    });
    expect(await paymentOf(shop, payment)).toMatchObject({
      state: 'issuing',
      review: 'amount_differs',
    });
    // The true one puts it right.
    await signed(payment, {});
    expect(await paymentOf(shop, payment)).toMatchObject({ state: 'paid', review: null });
  });

  it('people find it among those to look at', async () => {
    const { body } = await shop.call('GET', '/v1/payments?review=true&limit=100', {
      as: 'tenant_admin',
    });
    const items = (body as { items: { review: string[] }[] }).items;
    expect(items.some(({ review }) => review.includes('capture_refused'))).toBe(true);
  });
});

describe('what a provider answers when it is asked', () => {
  const book = () => service.app.get<Book>(BOOK, { strict: false });

  /** A provider that has captured so much of every payment it is asked about. */
  function asking(captureId: string, asked: string[] = []): Reconciler {
    const paid = {
      kind: 'found',
      providerRef: 'sbx_test',
      url: null,
      state: 'paid',
      captures: [{ captureId, money: { amountMinor: LINK_MINOR, currency: 'INR' } }],
    } as const;
    const lookUp = ({ paymentId }: RailPayment) => {
      asked.push(paymentId);
      return Promise.resolve(paid);
    };
    const inquiry: ProviderInquiry = {
      provider: 'sandbox',
      lookUp,
      settlePayment: lookUp,
      cancelLink: () => Promise.resolve({ canceled: false }),
      lookUpRefund: () => Promise.resolve({ kind: 'absent' }),
      settleRefund: () => Promise.resolve({ kind: 'absent' }),
    };
    const log = { error: () => undefined };
    const times = { askAfterMs: 0, settleAfterMs: 0 };
    const { pool: database } = testDatabase();
    return new Reconciler({ database, book: book(), inquiries: [inquiry], log, times });
  }

  it('a charge whose money was recorded without it is paid, and asked about no more', async () => {
    const own = await openShop(service);
    const charge = await started(own, { kind: 'charge' });
    // Told before captures were money of the payment that is offered.
    const capture = {
      captureId: 'old',
      merchantId: SHOP,
      orderId: charge.orderId,
      amountMinor: LINK_MINOR,
      currency: 'INR',
      authority: null,
    };
    const writer = service.app.get<Writer>(WRITER, { strict: false });
    const recorded = await writer.execute(recordCapture(contextOf(own.tenantId), capture));
    expect(recorded.ok).toBe(true);
    const asked: string[] = [];
    const one = asking('old', asked);
    for (let sweep = 0; sweep < 3; sweep += 1)
      await one.sweepDue({ tenantId: own.tenantId, limit: 10 });
    expect(asked).toEqual([charge.paymentId]);
    expect(await paymentOf(own, charge)).toMatchObject({ state: 'paid', review: null });
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('a charge whose money cannot be recorded is marked once, and asked about no more', async () => {
    const own = await openShop(service);
    const charge = await started(own, { kind: 'charge' });
    await report(own, fresh('other'), { capture_id: 'taken' });
    const asked: string[] = [];
    const one = asking('taken', asked);
    for (let sweep = 0; sweep < 3; sweep += 1)
      await one.sweepDue({ tenantId: own.tenantId, limit: 10 });
    expect(asked).toEqual([charge.paymentId]);
    expect(await paymentOf(own, charge)).toMatchObject({
      state: 'issuing',
      review: 'capture_refused',
    });
    expect(await entriesOf(own, ['payment.flagged'])).toHaveLength(1);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('is recorded, known or refused; nothing for a payment that is not there', async () => {
    const payment = await started(shop);
    const take = (captureId: string, paymentId = payment.paymentId) =>
      book().takeSignedCapture(contextOf(shop.tenantId), paymentId, {
        captureId,
        money: { amountMinor: LINK_MINOR, currency: 'INR' },
      });
    const captureId = fresh('answered');
    expect(await take(captureId)).toEqual({ ok: true, value: 'recorded' });
    expect(await take(captureId)).toEqual({ ok: true, value: 'known' });
    const other = await started(shop);
    expect(await take(captureId, other.paymentId)).toEqual({ ok: true, value: 'refused' });
    expect(await take(captureId, 'pay_000000000000')).toMatchObject({
      error: { code: 'not_found' },
    });
  });
});

describe('a capture that names a decision whose allow nobody used', () => {
  const { cart } = ALLOWED_HANDOFF;

  it('uses it up: no second payment starts on it', async () => {
    const own = await openShop(service);
    const decisionId = await allowed(own, ALLOWED_HANDOFF);
    const told = await report(own, fresh('order'), { decision_id: decisionId });
    expect(told.status).toBe(201);
    const used = await consume(own, decisionId, { cart });
    expect([used.status, used.body.reason]).toEqual([403, 'allow_already_used']);
    expect(await entriesOf(own, ['payment.started'])).toEqual([]);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('uses up its one-time mandates with it, and a second capture under them is still written down', async () => {
    const own = await openShop(service);
    await switchAgentPayment(own, true);
    const [first, second] = [
      await allowed(own, ALLOWED_PURCHASE),
      await allowed(own, ALLOWED_PURCHASE),
    ];
    for (const decisionId of [first, second]) {
      const told = await report(own, fresh('order'), { decision_id: decisionId });
      expect(told.status).toBe(201);
    }
    const again = await own.ask(ALLOWED_PURCHASE);
    expect(again.body.reason).toBe('mandate_already_used');
    const uses = await entriesOf(own, ['allow.used']);
    expect(uses.map(({ data }) => data['decision_id'])).toEqual([first, second]);
    expect(uses[1]?.data['mandate_refs']).toEqual([]);
    expect(await faultsOf(own.tenantId)).toEqual(RIGHT);
  });

  it('and the use at the same time: one payment, or money without one and no payment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await openShop(service);
      const decisionId = await allowed(own, ALLOWED_HANDOFF);
      const orderId = fresh('order');
      const [used, told] = await Promise.all([
        consume(own, decisionId, { cart, order_id: orderId }),
        report(own, orderId, { decision_id: decisionId }),
      ]);
      expect(told.status).toBe(201);
      expect(told.body.payment_id === null ? 403 : 200).toBe(used.status);
      expect(await entriesOf(own, ['allow.used'])).toHaveLength(1);
    }
  });

  it('after it expired: there is nothing left to use up', async () => {
    const own = await openShop(service);
    const decisionId = await allowed(own, ALLOWED_HANDOFF);
    await moveClock(own, FROZEN_AT_MS + 600_001);
    expect((await report(own, fresh('order'), { decision_id: decisionId })).status).toBe(201);
    expect(await entriesOf(own, ['allow.used'])).toEqual([]);
    expect((await consume(own, decisionId, { cart })).body.reason).toBe('allow_expired');
  });
});

it('the migration finds the payments of captures that were recorded before captures had one', async () => {
  const own = await openShop(service);
  const payment = await started(own);
  await report(own, payment.orderId, { payment_id: payment.paymentId });
  await report(own, fresh('order'));
  const migration = readFileSync('migrations/0064_attached_captures.sql', 'utf8');
  const found = /SET payment_id = (.*)\n/.exec(migration)?.[1] ?? '';
  const { rows } = await testDatabase().pool.query<{ kept: string | null; found: string | null }>(
    `SELECT c.payment_id AS kept, ${found} AS found FROM captures AS c
       JOIN entries AS e ON e.tenant_id = c.tenant_id AND e.seq = c.entry_seq
      WHERE c.tenant_id = $1 ORDER BY c.entry_seq`,
    [own.tenantId],
  );
  const { paymentId } = payment;
  expect(rows).toEqual([
    { kept: paymentId, found: paymentId },
    { kept: null, found: null },
  ]);
});
