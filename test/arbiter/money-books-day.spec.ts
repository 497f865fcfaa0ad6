import { beforeAll, describe, expect, it } from 'vitest';
import { STALL } from '../../src/demo/demo-world.js';
import { ALLOWED_HANDOFF } from '../../src/demo/purchases.js';
import { STALL_HANDOFF } from '../../src/demo/tour-purchases.js';
import { capture, handOff, paymentNow, refund } from '../money/desk.js';
import type { TestService } from '../support/service.js';
import { answered, behave, dayOf, report, setLimits, stallLink } from './money-books.js';
import { openShop, startTestService } from './shop.js';
import { entriesOf, fresh, inr, moveClock } from './uses.js';

/**
 * The daily maximum as facts/arbiter.md 4.4 and 4.5 count it (M18 to M20), by public routes alone. What stands elsewhere:
 *
 * two orders at once for the last room      test/money/payer-races.spec.ts (100), test/book/day-total.spec.ts (C11, C12)
 * links in another currency                 test/book/day-total.spec.ts; captures: test/arbiter/money.spec.ts
 * C4 equal passes                           test/book/day-total.spec.ts, test/arbiter/money.spec.ts, and below
 * C13 the order of locks                    one lock only (docs/adr/0001): test/ledger/writer.spec.ts
 * counters are the sums over the payments   test/money/sums.ts, test/book/money-moves.spec.ts, test/money/model.spec.ts
 */

const TODAY = Date.UTC(2026, 11, 1);
const EVENING = TODAY - 20_000;
const MINUTE_MS = 60_000;

/** The stall may take 100,000 a day; the order that comes next is one of 45,900. */
const ROOM = 54_100;
const FULL = 'daily_amount_cap_exceeded';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});

/** Commerce time moves by its route, which does what became due before it answers. */
const evening = () => openShop(service, EVENING);

describe('counts against the day (4.5)', () => {
  it('a link that is open, issuing or issued: equal passes, 1 more does not (C4)', async () => {
    const shop = await evening();
    const { payment_id } = await stallLink(shop, ROOM);
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM, refusal: null });
    answered(await report(shop, payment_id, { report: 'issued' }), 200);
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM, refusal: null });
    const options = { merchant_id: STALL, cart: STALL_HANDOFF['cart'], provider: 'plural' };
    expect((await handOff(shop, options)).status).toBe(201);
    expect((await handOff(shop, options)).body).toMatchObject({
      failing_rule: 'handoff_merchant_limits',
      reason: FULL,
    });
  });

  it('link from yesterday, still open', async () => {
    const shop = await evening();
    await stallLink(shop, ROOM + 1, { expires_in_seconds: 3_600 });
    await moveClock(shop, TODAY + MINUTE_MS);
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
  });

  it('link of today, lapsed', async () => {
    const shop = await openShop(service, TODAY);
    const { payment_id } = await stallLink(shop, ROOM + 1, { expires_in_seconds: 60 });
    await moveClock(shop, TODAY + MINUTE_MS);
    expect((await paymentNow(shop, payment_id)).state).toBe('lapsed');
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
  });

  it('not a link of yesterday that lapsed', async () => {
    const shop = await evening();
    const { payment_id } = await stallLink(shop, ROOM + 1, { expires_in_seconds: 60 });
    await moveClock(shop, EVENING + MINUTE_MS - 1);
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
    await moveClock(shop, EVENING + MINUTE_MS);
    expect((await paymentNow(shop, payment_id)).state).toBe('lapsed');
    expect(await dayOf(shop)).toEqual({ totalMinor: 0, refusal: null });
  });

  it.each(['a report', 'the route'])('checkout of today canceled, by %s', async (how) => {
    const shop = await evening();
    const { payment_id } = await stallLink(shop, ROOM + 1);
    if (how === 'a report') answered(await report(shop, payment_id, { report: 'canceled' }), 200);
    else {
      const options = { as: 'merchant_system', idempotencyKey: fresh('cancel') } as const;
      answered(await shop.call('POST', `/v1/payments/${payment_id}/cancel`, options), 200);
    }
    expect((await paymentNow(shop, payment_id)).state).toBe('canceled');
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
    await moveClock(shop, TODAY);
    expect(await dayOf(shop)).toEqual({ totalMinor: 0, refusal: null });
  });

  it('Plural reports failed: link released; expired and canceled there are not failed (C6)', async () => {
    const shop = await evening();
    const { payment_id } = await stallLink(shop, ROOM + 1);
    for (const said of ['lapsed', 'canceled']) {
      answered(await report(shop, payment_id, { report: said }), 200);
      expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
    }
    answered(await report(shop, payment_id, { report: 'failed' }), 200);
    expect(await dayOf(shop)).toEqual({ totalMinor: 0, refusal: null });
  });

  it('a Shopify link its whole issue day, whatever is reported (M20); beyond it while it is open (C10)', async () => {
    const shop = await evening();
    const shopify = { provider: 'shopify', expires_in_seconds: 3_600 };
    const { payment_id: silent } = await stallLink(shop, 50_000, shopify);
    const { payment_id: dead } = await stallLink(shop, 46_000, shopify);
    answered(await report(shop, dead, { report: 'failed' }), 200);
    expect((await dayOf(shop)).totalMinor).toBe(96_000);
    await moveClock(shop, TODAY);
    expect((await dayOf(shop)).totalMinor).toBe(50_000);
    await moveClock(shop, EVENING + 60 * MINUTE_MS);
    expect((await paymentNow(shop, silent)).state).toBe('lapsed');
    expect((await dayOf(shop)).totalMinor).toBe(0);
  });

  it('paid link: counted once, on the day of its confirmation (C5)', async () => {
    const shop = await evening();
    const payment = await stallLink(shop, ROOM, { expires_in_seconds: 60 });
    await moveClock(shop, EVENING + MINUTE_MS);
    expect((await dayOf(shop)).totalMinor).toBe(0);
    answered(await capture(shop, payment, { merchant_id: STALL }), 201);
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM, refusal: null });
  });

  it('a paid order gross: a refund gives no room back (C2)', async () => {
    const shop = await evening();
    const payment = await stallLink(shop, ROOM + 1);
    answered(await capture(shop, payment, { merchant_id: STALL }), 201);
    const { order_id, amount } = payment;
    answered(await refund(shop, { merchant_id: STALL, order_id, amount }), 201);
    expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
  });

  it('a failure that is reported after the payment is ignored, and logged (C8)', async () => {
    const shop = await evening();
    const payment = await stallLink(shop, ROOM + 1);
    answered(await capture(shop, payment, { merchant_id: STALL }), 201);
    answered(await report(shop, payment.payment_id, { report: 'failed' }), 200);
    expect(await paymentNow(shop, payment.payment_id)).toMatchObject({ state: 'paid' });
    expect((await dayOf(shop)).totalMinor).toBe(ROOM + 1);
    const [ignored] = await entriesOf(shop, ['payment.report_ignored']);
    expect(ignored?.data).toMatchObject({ report: 'failed' });
  });

  it('no authorisation: only captured money is confirmed (C7)', async () => {
    const shop = await evening();
    const { payment_id } = await stallLink(shop, ROOM + 1);
    for (const word of ['authorized', 'paid', 'captured']) {
      const said = await report(shop, payment_id, { report: word });
      expect([said.status, said.body.field]).toEqual([400, '/report']);
    }
    expect(await paymentNow(shop, payment_id)).toMatchObject({ state: 'issuing' });
  });

  it('not another merchant’s', async () => {
    const shop = await evening();
    answered(await handOff(shop, { provider: 'plural' }), 201);
    expect((await dayOf(shop)).totalMinor).toBe(0);
    expect((await dayOf(shop, ALLOWED_HANDOFF)).totalMinor).toBe(91_800);
  });

  it('not an allow that nobody used (C14)', async () => {
    const shop = await evening();
    for (let asked = 0; asked < 4; asked += 1)
      expect((await shop.ask(STALL_HANDOFF)).body.outcome).toBe('allow');
    expect(await dayOf(shop)).toEqual({ totalMinor: 0, refusal: null });
  });

  it('nothing where no daily maximum is set (D9)', async () => {
    const shop = await evening();
    const currencies = [{ currency: 'INR', order_max_minor: '100000', daily_max_minor: null }];
    await setLimits(shop, { currencies, items_max: 5 }, STALL);
    await stallLink(shop, 100_000);
    await stallLink(shop, 100_000);
    expect(await dayOf(shop)).toEqual({ totalMinor: 200_000, refusal: null });
  });
});

describe('an answer of the provider that is not known (C9)', () => {
  it('counts like an open link, and once it is over on its issue day; a definite no does not', async () => {
    const shop = await evening();
    const life = { merchant_id: STALL, cart: STALL_HANDOFF['cart'], expires_in_seconds: 60 };
    await behave(shop, { issue: 'fail', look_up: 'fail' });
    const { payment: unknown } = answered(await handOff(shop, life), 201);
    expect(unknown.state).toBe('issuing');
    await behave(shop, { issue: 'reject' });
    const { payment: rejected } = answered(await handOff(shop, life), 201);
    expect(rejected.state).toBe('rejected');
    expect((await dayOf(shop)).totalMinor).toBe(45_900);
    await moveClock(shop, EVENING + 30_000);
    expect((await dayOf(shop)).totalMinor).toBe(45_900);
    await moveClock(shop, EVENING + MINUTE_MS);
    expect((await paymentNow(shop, unknown.payment_id)).state).toBe('lapsed');
    expect((await dayOf(shop)).totalMinor).toBe(0);
  });
});

it('a day is [00:00, 24:00) UTC of the tenant’s clock (C1)', async () => {
  const shop = await openShop(service, TODAY - 1);
  const money = { order_id: fresh('order'), amount: inr(ROOM + 1) };
  answered(await capture(shop, money, { merchant_id: STALL, payment_id: undefined }), 201);
  expect(await dayOf(shop)).toEqual({ totalMinor: ROOM + 1, refusal: FULL });
  await moveClock(shop, TODAY);
  expect(await dayOf(shop)).toEqual({ totalMinor: 0, refusal: null });
});
