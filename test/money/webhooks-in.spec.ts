import { beforeAll, describe, expect, it } from 'vitest';
import { checkRebuild, Sealer } from '../../src/base/ledger/index.js';
import { PROJECTIONS } from '../../src/projections.js';
import { openShop, type Shop, startTestService } from '../arbiter/shop.js';
import { testDatabase } from '../support/database.js';
import {
  type Endpoint,
  LINK_MINOR,
  message,
  paymentOf,
  refundOf,
  rotatedEndpoint,
  send,
  started,
  submitted,
} from './paying.js';

let shop: Shop;
let endpoint: Endpoint;
beforeAll(async () => {
  shop = await openShop(await startTestService());
  endpoint = await rotatedEndpoint(shop);
});

const flagged = async (eventId: string) => {
  const { rows } = await testDatabase().pool.query<{ outcome: string; detail: string | null }>(
    'SELECT outcome, detail FROM webhook_events WHERE tenant_id = $1 AND event_id = $2',
    [shop.tenantId, eventId],
  );
  return rows[0];
};

/** Refused, with nothing written. */
async function refused(
  sending: Parameters<typeof send>[2],
  status: number,
  to: Endpoint = endpoint,
): Promise<void> {
  const before = await shop.entryCount();
  const answer = await send(shop, to, sending);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ detail: expect.stringMatching(/./) as string });
  expect(await shop.entryCount()).toBe(before);
}

describe('who may report', () => {
  const SECONDS = 1_000;
  const ago = (seconds: number) => new Date(Date.now() - seconds * SECONDS);

  it.each([
    [
      'signed by somebody else',
      () => ({}),
      { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
    ],
    ['for an endpoint that is not there', () => ({}), { path: '/v1/webhooks/sandbox/pep_x' }],
    ['captured and sent after the window', () => ({ at: ago(301) }), {}],
    ['from a clock that is ahead', () => ({ at: ago(-330) }), {}],
    ['signed under another id', () => ({ headers: { 'webhook-id': 'evt_other' } }), {}],
    [
      'with another time than was signed',
      () => ({ headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) } }),
      {},
    ],
    [
      'with a time of another form',
      () => ({ headers: { 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}.0` } }),
      {},
    ],
    ['without a version', () => ({ headers: { 'webhook-signature': 'AAAA' } }), {}],
    ['with an empty signature', () => ({ headers: { 'webhook-signature': 'v1,' } }), {}],
    [
      'with thousands of signatures',
      () => ({ headers: { 'webhook-signature': 'v1,AAAA '.repeat(1_000).trim() } }),
      {},
    ],
  ] as const)('not one %s', async (_name, wrong, to) => {
    const { paymentId } = await started(shop);
    await refused({ body: message(paymentId), ...wrong() }, 401, { ...endpoint, ...to });
    expect((await paymentOf(shop, { paymentId })).state).toBe('issuing');
  });

  it('not one whose body was changed on the way, by a single byte', async () => {
    const { paymentId } = await started(shop);
    const text = JSON.stringify(message(paymentId));
    const signed = await signatureOf(text);
    await refused({ body: text.replace('91800', '91801'), id: 'evt_1', headers: signed }, 401);
    await refused({ body: `${text} `, id: 'evt_1', headers: signed }, 401);
  });

  it('not one of another tenant: its secret opens its own endpoint only', async () => {
    const other = await rotatedEndpoint(await openShop(shop.service));
    const { paymentId } = await started(shop);
    await refused({ body: message(paymentId) }, 401, { path: endpoint.path, secret: other.secret });
    const answer = await send(shop, other, { body: message(paymentId) });
    expect(answer.body).toMatchObject({ outcome: 'unknown_reference' });
    expect((await paymentOf(shop, { paymentId })).state).toBe('issuing');
  });

  it('one with the old secret, as long as it overlaps', async () => {
    const own = await openShop(shop.service);
    const first = await rotatedEndpoint(own);
    const second = await rotatedEndpoint(own, 60);
    expect(second.path).toBe(first.path);
    for (const by of [first, second])
      expect((await send(own, by, { body: message('pay_000000000000') })).status).toBe(200);
    await rotatedEndpoint(own, 0);
    for (const by of [first, second])
      expect((await send(own, by, { body: message('pay_000000000000') })).status).toBe(401);
  });

  it('no live tenant has a sandbox: its administrator is refused', async () => {
    const created = await shop.call('POST', '/v1/tenants', {
      apiKey: shop.service.platformAdminKey,
      body: { name: 'live', world: 'live' },
    });
    expect(created.status).toBe(201);
    const apiKey = String(created.body.admin_api_key.api_key);
    const answer = await shop.call('POST', '/v1/sandbox/webhook-secret', { apiKey, body: {} });
    expect(answer.status).toBe(403);
  });

  async function signatureOf(text: string): Promise<Record<string, string>> {
    const { Webhook } = await import('standardwebhooks');
    const at = new Date();
    return {
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(endpoint.secret).sign('evt_1', at, text),
    };
  }
});

describe('what is reported', () => {
  it('money that was captured is recorded under the provider’s name of it', async () => {
    const payment = await started(shop);
    const body = message(payment.paymentId);
    const answer = await send(shop, endpoint, { body });
    expect(answer).toEqual({ status: 200, body: { event_id: body.id, outcome: 'applied' } });
    expect(await paymentOf(shop, payment)).toMatchObject({
      state: 'paid',
      capturedMinor: LINK_MINOR,
    });
  });

  it('duplicates in parallel have one effect, and so has a replay within the window', async () => {
    const payment = await started(shop);
    const body = message(payment.paymentId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(shop, endpoint, { body })),
    );
    const outcomes = answers.map((answer) => answer.body['outcome']);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeat')).toHaveLength(19);
    const before = await shop.entryCount();
    const replay = await send(shop, endpoint, { body, at: new Date(Date.now() - 200_000) });
    expect(replay.body).toMatchObject({ outcome: 'repeat' });
    expect(await shop.entryCount()).toBe(before);
    expect((await paymentOf(shop, payment)).capturedMinor).toBe(LINK_MINOR);
  });

  it('the same id with another body is a conflict', async () => {
    const { paymentId } = await started(shop);
    const body = message(paymentId, { type: 'link.failed' });
    expect((await send(shop, endpoint, { body })).status).toBe(200);
    await refused({ body: message(paymentId, { id: body.id }) }, 409);
  });

  it('the same capture told by two messages is money once', async () => {
    const payment = await started(shop);
    const data = { capture_id: 'cap-told-twice' };
    const told = [message(payment.paymentId, { data }), message(payment.paymentId, { data })];
    const answers = await Promise.all(told.map((body) => send(shop, endpoint, { body })));
    expect(answers.map(({ body }) => body['outcome']).sort()).toEqual(['applied', 'nothing_new']);
    expect(await paymentOf(shop, payment)).toMatchObject({
      capturedMinor: LINK_MINOR,
      review: null,
    });
  });

  it.each([
    ['amount_differs', { amount: { amount: '91801', currency: 'INR' } }],
    ['amount_differs', { amount: { amount: '1', currency: 'INR' } }],
    ['currency_differs', { amount: { amount: '91800', currency: 'USD' } }],
  ])('%s: kept, marked, and nothing moves', async (outcome, data) => {
    const payment = await started(shop);
    const body = message(payment.paymentId, { data });
    const answer = await send(shop, endpoint, { body });
    expect(answer).toMatchObject({ status: 200, body: { outcome } });
    expect(await flagged(body.id)).toMatchObject({
      outcome,
      detail: expect.stringContaining('agreed') as string,
    });
    expect(await paymentOf(shop, payment)).toMatchObject({ state: 'issuing', capturedMinor: 0n });
  });

  it('a reference that is not known is kept and answered with 200', async () => {
    const body = message('pay_ffffffffffff');
    expect((await send(shop, endpoint, { body })).body).toMatchObject({
      outcome: 'unknown_reference',
    });
    expect(await flagged(body.id)).toMatchObject({ outcome: 'unknown_reference' });
  });

  it('a payment of another provider, or of another kind, is not this provider’s to report', async () => {
    const foreign = await started(shop, { provider: 'merchant' });
    const charge = await started(shop, { kind: 'charge' });
    for (const payment of [foreign, charge]) {
      const answer = await send(shop, endpoint, { body: message(payment.paymentId) });
      expect(answer.body).toMatchObject({ outcome: 'provider_differs' });
      expect((await paymentOf(shop, payment)).state).toBe('issuing');
    }
  });

  it('in any order, the end is the same: what was paid stays paid', async () => {
    const orders = [
      ['link.paid', 'link.failed', 'link.canceled', 'link.expired'],
      ['link.expired', 'link.canceled', 'link.failed', 'link.paid'],
      ['link.failed', 'link.paid', 'link.expired', 'link.canceled'],
    ];
    for (const types of orders) {
      const payment = await started(shop);
      for (const type of types) {
        const answer = await send(shop, endpoint, { body: message(payment.paymentId, { type }) });
        expect(answer.status).toBe(200);
      }
      expect(await paymentOf(shop, payment)).toMatchObject({
        state: 'paid',
        capturedMinor: LINK_MINOR,
      });
    }
  });

  it.each([
    ['link.canceled', 'canceled'],
    ['link.expired', 'lapsed'],
    ['link.failed', 'failed'],
  ])('%s makes it %s', async (type, state) => {
    const payment = await started(shop);
    await send(shop, endpoint, { body: message(payment.paymentId, { type }) });
    expect((await paymentOf(shop, payment)).state).toBe(state);
  });

  it('a refund is done or failed, and its own amount is compared', async () => {
    const payment = await started(shop);
    await send(shop, endpoint, { body: message(payment.paymentId) });
    const row = await paymentOf(shop, payment);
    const done = await submitted(shop, row, 1_000n);
    const failed = await submitted(shop, row, 2_000n);
    const told = (refundId: string, type: string, amount: string) =>
      send(shop, endpoint, {
        body: message(refundId, { type, data: { amount: { amount, currency: 'INR' } } }),
      });
    expect((await told(done.refundId, 'refund.processed', '1001')).body).toMatchObject({
      outcome: 'amount_differs',
    });
    expect((await told(done.refundId, 'refund.processed', '1000')).body).toMatchObject({
      outcome: 'applied',
    });
    expect((await told(failed.refundId, 'refund.failed', '2000')).body).toMatchObject({
      outcome: 'applied',
    });
    expect((await refundOf(shop, done.refundId))?.state).toBe('done');
    expect((await refundOf(shop, failed.refundId))?.state).toBe('failed');
    expect((await paymentOf(shop, payment)).refundedMinor).toBe(1_000n);
  });
});

describe('hostile bodies, soundly signed', () => {
  const sound = () => message('pay_000000000001');
  it.each([
    ['an empty object', () => ({ ...({ id: 'evt_1' } as object) })],
    ['an unknown type', () => ({ ...sound(), type: 'link.stolen' })],
    [
      'an amount as a number',
      () => ({
        ...sound(),
        data: { ...sound().data, amount: { amount: 91_800, currency: 'INR' } },
      }),
    ],
    [
      'a negative amount',
      () => ({ ...sound(), data: { ...sound().data, amount: { amount: '-1', currency: 'INR' } } }),
    ],
    [
      'a fraction',
      () => ({ ...sound(), data: { ...sound().data, amount: { amount: '1.5', currency: 'INR' } } }),
    ],
    [
      'zero',
      () => ({ ...sound(), data: { ...sound().data, amount: { amount: '0', currency: 'INR' } } }),
    ],
    [
      'a currency nobody pays in',
      () => ({ ...sound(), data: { ...sound().data, amount: { amount: '1', currency: 'XXX' } } }),
    ],
    [
      'a reference of another kind',
      () => ({ ...sound(), data: { ...sound().data, merchant_reference: ['pay_1'] } }),
    ],
    [
      'a reference with a quote',
      () => ({ ...sound(), data: { ...sound().data, merchant_reference: "pay_1' OR 1=1" } }),
    ],
    [
      'money without a capture',
      () => ({ ...sound(), data: { ...sound().data, capture_id: null } }),
    ],
    ['no data', () => ({ ...sound(), data: null })],
  ])('%s', async (_name, body) => {
    await refused({ body: body(), id: (body() as { id: string }).id }, 400);
  });

  it('an id in the body that is not the signed one', async () => {
    await refused({ body: sound(), id: 'evt_another' }, 400);
  });

  it.each(['null', '[]', '"x"', '{', ''])('bytes %s', async (text) => {
    await refused({ body: text, id: 'evt_bytes' }, 400);
  });
});

it('the ledger folds to the same tables again', async () => {
  const { rows } = await testDatabase().pool.query(
    "SELECT 1 FROM entries WHERE tenant_id = $1 AND type = 'webhook.received'",
    [shop.tenantId],
  );
  expect(rows.length).toBeGreaterThan(20);
  const report = await checkRebuild(testDatabase().pool, shop.tenantId, {
    projections: PROJECTIONS,
    sealer: new Sealer(Buffer.alloc(32, 0x22)),
  });
  expect(report.differences).toEqual([]);
});
