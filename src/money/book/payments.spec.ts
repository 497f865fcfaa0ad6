import { describe, expect, it } from 'vitest';
import { CONTEXT, decisionOf, NOON, type Plan, Till } from '../../../test/support/till.js';
import { merchants } from '../../base/tenants/index.js';
import { stock } from '../../trust/facts/index.js';
import { paymentIdOf } from '../payments/index.js';
import { PAYMENT_APPEARED, recordCapture } from './index.js';

const link = (place: number, changes: Partial<Plan> = {}): Plan => ({
  place,
  amountMinor: 500n,
  provider: 'plural',
  buyerAway: false,
  ...changes,
});

describe('one order', () => {
  it('is offered for one payment at a time, and not again once money of it came', () => {
    const till = new Till();
    till.start(link(0, { orderId: 'o' }));
    expect(till.start(link(1, { orderId: 'o' }))).toMatchObject({
      error: { kind: 'order_payable', paymentId: paymentIdOf(decisionOf(0)) },
    });
    till.report(0, 'canceled');
    expect(till.start(link(1, { orderId: 'o' })).ok).toBe(true);
    till.report(1, 'failed');
    till.capture(0, 'late');
    expect(till.start(link(2, { orderId: 'o' }))).toMatchObject({ error: { kind: 'order_paid' } });
  });

  it('is not started without its goods, and counts nothing then', () => {
    const till = new Till();
    till.tenant.with(stock, ['shop', 'cup'], {
      merchantId: 'shop',
      variantId: 'cup',
      onHand: 1,
      held: 0,
    });
    till.start(link(0));
    const before = till.money();
    expect(till.start(link(1))).toMatchObject({
      error: { kind: 'stock_short', variantId: 'cup', quantity: 1, available: 0 },
    });
    expect(till.money()).toEqual(before);
  });
});

describe('what a person has to look at', () => {
  const reviewAfter = (act: (till: Till) => void): string | null => {
    const till = new Till();
    till.start(link(0, { orderId: 'o' }));
    act(till);
    return till.row(0).review;
  };

  it.each<[string, (till: Till) => void, string | null]>([
    ['paid in time', (till) => till.capture(0, 'c'), null],
    [
      'paid after it lapsed',
      (till) => {
        till.report(0, 'lapsed');
        till.capture(0, 'c');
      },
      null,
    ],
    [
      'paid after it was canceled',
      (till) => {
        till.report(0, 'canceled');
        till.capture(0, 'c');
      },
      'paid_after_cancel',
    ],
    [
      'paid after it failed',
      (till) => {
        till.report(0, 'failed');
        till.capture(0, 'c');
      },
      'paid_after_failure',
    ],
    [
      'paid after it was rejected',
      (till) => {
        till.report(0, 'rejected');
        till.capture(0, 'c');
      },
      'paid_after_rejection',
    ],
    ['paid too little', (till) => till.capture(0, 'c', 499n), 'amount_differs'],
    [
      'paid in two parts',
      (till) => {
        till.capture(0, 'c', 200n);
        till.capture(0, 'd', 300n);
      },
      null,
    ],
    [
      'paid twice as much, in two captures',
      (till) => {
        till.capture(0, 'c');
        till.capture(0, 'd');
      },
      'amount_differs',
    ],
    [
      'paid although another payment of the order was, and nothing is left to sell',
      (till) => {
        till.report(0, 'canceled');
        till.start(link(1, { orderId: 'o' }));
        till.capture(1, 'c');
        till.tenant.with(stock, ['shop', 'cup'], {
          merchantId: 'shop',
          variantId: 'cup',
          onHand: 0,
          held: 0,
        });
        till.capture(0, 'd');
      },
      'oversold,paid_after_cancel,paid_twice',
    ],
  ])('%s', (_, act, review) => {
    expect(reviewAfter(act)).toBe(review);
  });
});

describe('a payment that is captured', () => {
  it('has to be of that order and currency', () => {
    const till = new Till();
    till.start(link(0));
    const known = till.row(0);
    const money = { captureId: 'c', merchantId: 'shop', orderId: 'order-0', amountMinor: 1n };
    const said = (changes: object) =>
      till.tenant.run(
        recordCapture(CONTEXT, { ...money, currency: 'INR', authority: null, ...changes }, known),
        NOON,
      );
    expect(said({ orderId: 'other' })).toMatchObject({ error: { field: '/order_id' } });
    expect(said({ currency: 'USD' })).toMatchObject({ error: { field: '/amount/currency' } });
    till.tenant.with(merchants, ['mall'], { merchantId: 'mall' });
    expect(said({ merchantId: 'mall' })).toMatchObject({ error: { field: '/payment_id' } });
    expect(till.row(0).state).toBe('issuing');
  });

  it('is looked for again when its allow was used after the look outside the lock', () => {
    const till = new Till();
    till.start(link(0));
    const { decisionId } = till.row(0);
    const authority = { decisionId, passportRef: null, intentRefs: [], buyerAway: false };
    const money = { captureId: 'c', merchantId: 'shop', orderId: 'order-0', amountMinor: 1n };
    const capture = { ...money, currency: 'INR', authority };
    const said = till.tenant.run(recordCapture(CONTEXT, capture), NOON);
    expect(said.ok ? null : said.error).toBe(PAYMENT_APPEARED);
  });

  it('ignores what is said later, and keeps that it was said (C8)', () => {
    const till = new Till();
    till.start(link(0));
    till.capture(0, 'c');
    const before = till.money();
    expect(till.report(0, 'failed')).toMatchObject({ value: { changed: false, state: 'paid' } });
    expect(till.money()).toEqual(before);
  });
});
