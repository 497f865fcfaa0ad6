import { beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTS, SHOP, STALL } from '../../src/demo/demo-world.js';
import { STALL_HANDOFF } from '../../src/demo/tour-purchases.js';
import { openShop, startTestService, type Shop } from '../arbiter/shop.js';
import { allowed, consume } from '../arbiter/uses.js';
import { type LinkChanges, MINUTE_MS, Till } from './links.js';

type Service = Shop['service'];

const TODAY = Date.UTC(2026, 11, 1);
/** Late enough that the facts are still fresh on the next day. */
const EVENING = TODAY - 20_000;
const NEXT_DAY = TODAY + 20_000;

/** The stall may take 100,000 a day; the handoff asked for is 45,900. */
const ROOM = 54_100n;
const [CHAI] = PRODUCTS;

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

const openTill = async (atMs: number = EVENING): Promise<Till> =>
  new Till(await openShop(service, atMs), atMs);

/** What is decided of one more handoff. */
const next = async (till: Till): Promise<string> =>
  String((await till.shop.ask(STALL_HANDOFF)).body.reason ?? 'allowed');

const FULL = 'daily_amount_cap_exceeded';

describe('what counts against the daily maximum (facts/arbiter.md 4.5)', () => {
  it('a link that is open: up to the maximum, not 1 minor unit more', async () => {
    const till = await openTill();
    await till.link({ amountMinor: ROOM });
    expect(await next(till)).toBe('allowed');
    await till.link({ amountMinor: 1n });
    expect(await next(till)).toBe(FULL);
    expect(await till.dayMinor()).toBe(String(ROOM + 1n));
  });

  it('a link of yesterday that is still open', async () => {
    const till = await openTill();
    await till.link({ amountMinor: ROOM + 1n, lifeMs: 60 * MINUTE_MS });
    await till.clockTo(NEXT_DAY);
    expect(await next(till)).toBe(FULL);
  });

  it('a link of today that lapsed', async () => {
    const till = await openTill(TODAY);
    const paymentId = await till.link({ amountMinor: ROOM + 1n, lifeMs: 1_000 });
    await till.clockTo(NEXT_DAY);
    await till.sweep();
    expect((await till.payment(paymentId)).state).toBe('lapsed');
    expect(await next(till)).toBe(FULL);
  });

  it('not a link of yesterday that lapsed, whether a sweep has come by or not', async () => {
    for (const swept of [true, false]) {
      const till = await openTill();
      const paymentId = await till.link({ amountMinor: ROOM + 1n, lifeMs: 30_000 });
      expect(await next(till)).toBe(FULL);
      await till.clockTo(NEXT_DAY);
      if (swept) await till.sweep();
      // A simulation writes nothing: before the sweep it still counts what is over.
      expect(await till.dayMinor()).toBe(swept ? '0' : String(ROOM + 1n));
      expect(await next(till)).toBe('allowed');
      expect((await till.payment(paymentId)).state).toBe('lapsed');
    }
  });

  it('a refusal by what is really open is recorded once', async () => {
    const till = await openTill();
    await till.link({ amountMinor: ROOM + 1n });
    const before = await till.shop.entryCount();
    expect(await next(till)).toBe(FULL);
    expect(await till.shop.entryCount()).toBe(before + 1);
  });

  it('a checkout of today that was canceled', async () => {
    const till = await openTill();
    const paymentId = await till.link({ amountMinor: ROOM + 1n });
    await till.report(paymentId, 'canceled');
    expect(await next(till)).toBe(FULL);
  });

  it('not one that Plural reports as failed; expired and canceled there still count (C6)', async () => {
    const till = await openTill();
    const paymentId = await till.link({ amountMinor: ROOM + 1n });
    await till.report(paymentId, 'lapsed');
    expect(await next(till)).toBe(FULL);
    await till.report(paymentId, 'failed');
    expect(await next(till)).toBe('allowed');
  });

  it('a Shopify link its whole issue day, whatever is said; not on the next (M20, C10)', async () => {
    const till = await openTill();
    const paymentId = await till.link({ amountMinor: ROOM + 1n, provider: 'shopify' });
    await till.report(paymentId, 'failed');
    expect(await next(till)).toBe(FULL);
    await till.clockTo(NEXT_DAY);
    expect(await next(till)).toBe('allowed');
  });

  it('one whose answer was lost; not one that the provider never took (C9)', async () => {
    const till = await openTill();
    const paymentId = await till.link({ amountMinor: ROOM + 1n });
    expect((await till.payment(paymentId)).state).toBe('issuing');
    expect(await next(till)).toBe(FULL);
    await till.report(paymentId, 'rejected');
    expect(await next(till)).toBe('allowed');
  });

  it('a paid link once (C5); a failure said later changes nothing (C8)', async () => {
    const till = await openTill();
    const paymentId = await till.link({ amountMinor: ROOM });
    expect((await till.capture(paymentId)).status).toBe(201);
    expect(await till.dayMinor()).toBe(String(ROOM));
    expect(await next(till)).toBe('allowed');
    await till.report(paymentId, 'failed');
    expect(await till.dayMinor()).toBe(String(ROOM));
  });

  it('one that is paid on the next day: on that day, and no more on the first', async () => {
    const till = await openTill();
    const paymentId = await till.link({ amountMinor: ROOM + 1n, lifeMs: 30_000 });
    await till.clockTo(NEXT_DAY);
    await till.sweep();
    expect(await till.dayMinor()).toBe('0');
    await till.capture(paymentId);
    expect(await till.dayMinor()).toBe(String(ROOM + 1n));
    expect(await till.payment(paymentId)).toMatchObject({ state: 'paid', review: null });
  });

  it.each<[string, LinkChanges]>([
    ['another currency', { currency: 'USD' }],
    ['another merchant', { merchantId: SHOP }],
  ])('not %s', async (_, changes) => {
    const till = await openTill();
    await till.link({ amountMinor: 10n ** 9n, ...changes });
    expect(await till.dayMinor()).toBe('0');
    expect(await next(till)).toBe('allowed');
  });

  it('nothing when no daily maximum is set (D9)', async () => {
    const till = await openTill();
    const path = `/v1/merchants/${STALL}/limits`;
    const { body } = await till.shop.call('GET', path, { as: 'tenant_admin' });
    const currencies = [{ ...body.currencies[0], daily_max_minor: null }];
    const { items_max, not_present } = body;
    const put = await till.shop.call('PUT', path, {
      as: 'tenant_admin',
      body: { currencies, items_max, not_present },
    });
    expect(put.status).toBe(200);
    await till.link({ amountMinor: 10n ** 9n });
    expect(await next(till)).toBe('allowed');
  });

  it('of two orders at once for the last room under it, one starts; the other is a new refusal (C11, C12)', async () => {
    const till = await openTill();
    const { body } = await till.shop.call('GET', `/v1/merchants/${STALL}/limits`, {
      as: 'tenant_admin',
    });
    expect(body.currencies[0].daily_max_minor).toBe('100000');
    await till.link({ amountMinor: 20_000n });
    const ids = [await allowed(till.shop, STALL_HANDOFF), await allowed(till.shop, STALL_HANDOFF)];
    const used = await Promise.all(
      ids.map((id) => consume(till.shop, id, { cart: STALL_HANDOFF['cart'] })),
    );
    expect(used.map(({ status }) => status).sort()).toEqual([200, 403]);
    const refused = used.find(({ status }) => status === 403)?.body;
    expect(refused).toMatchObject({ failing_rule: 'handoff_merchant_limits', reason: FULL });
    expect(ids).not.toContain(refused.decision_id);
    expect(await till.dayMinor()).toBe('65900');
  });

  it('orders at once for the last piece: one is allowed to start', async () => {
    const till = await openTill();
    const lines = [{ variantId: CHAI.variantId, quantity: 1 }];
    const path = `/v1/stock/${CHAI.variantId}`;
    const put = await till.shop.call('PUT', path, {
      as: 'merchant_system',
      body: { merchant_id: STALL, on_hand: 1 },
    });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const started = await Promise.all([till.start({ lines }), till.start({ lines })]);
    expect(started.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(started.find(({ ok }) => !ok)).toMatchObject({ error: { kind: 'stock_short' } });
  });
});
