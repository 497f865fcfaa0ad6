import { describe, expect, it } from 'vitest';
import { CONTEXT, DAY_MS, NOON, Till } from '../../../test/support/till.js';
import { utcDay } from '../../core/kernel/index.js';
import {
  authoritySpend,
  captures,
  merchantDayMoney,
  PAYMENT_APPEARED,
  recordCapture,
  recordOrderCapture,
} from './index.js';

const AMOUNT_MINOR = 500n;

/** One payment of a buyer who was away, under a passport and an intent. */
function opened(): Till {
  const till = new Till();
  till.start({ place: 0, amountMinor: AMOUNT_MINOR, provider: 'plural', buyerAway: true });
  return till;
}

const tellOrder = (till: Till, captureId: string, amountMinor = AMOUNT_MINOR) =>
  till.captureWithoutPayment('order-0', captureId, amountMinor);

const dayRow = (till: Till, atMs: number) =>
  till.tenant.get(merchantDayMoney, ['shop', 'INR', utcDay(atMs)]);
const spend = (till: Till) => till.tenant.get(authoritySpend, ['passport', 'passport', 'INR']);

describe('money of an order that is offered for a payment', () => {
  it('is that payment’s', () => {
    const till = opened();
    expect(tellOrder(till, 'c').ok).toBe(true);
    expect(till.row(0)).toMatchObject({ state: 'paid', capturedMinor: AMOUNT_MINOR });
    expect(till.totals()).toEqual({ all: AMOUNT_MINOR, away: AMOUNT_MINOR });
    expect(till.drawn('passport')).toBe(AMOUNT_MINOR);
    expect(till.capture(0, 'c')).toMatchObject({ error: { field: '/capture_id' } });
  });

  it('is looked at again when the offer is another one under the lock', () => {
    const till = opened();
    const capture = {
      captureId: 'c',
      merchantId: 'shop',
      orderId: 'order-0',
      amountMinor: AMOUNT_MINOR,
      currency: 'INR',
      authority: null,
    };
    const known = till.row(0);
    const unseen = till.tenant.run(recordOrderCapture(CONTEXT, capture, null), NOON);
    expect(unseen.ok ? null : unseen.error).toBe(PAYMENT_APPEARED);
    till.report(0, 'lapsed');
    const gone = till.tenant.run(recordOrderCapture(CONTEXT, capture, known), NOON);
    expect(gone.ok ? null : gone.error).toBe(PAYMENT_APPEARED);
  });
});

describe('money that was recorded without its payment', () => {
  it('stays money of its day when it is attached on another one, and the buyer was away on that day', () => {
    const till = opened();
    till.report(0, 'lapsed');
    tellOrder(till, 'c');
    expect(dayRow(till, NOON)).toMatchObject({ confirmedMinor: AMOUNT_MINOR, awayMinor: 0n });
    expect(spend(till)).toMatchObject({ spentMinor: 0n, heldMinor: AMOUNT_MINOR });
    till.atMs = NOON + DAY_MS;
    expect(till.capture(0, 'c')).toMatchObject({ ok: true, value: { confirmedAtMs: NOON } });
    expect(dayRow(till, NOON)).toMatchObject({
      confirmedMinor: AMOUNT_MINOR,
      awayMinor: AMOUNT_MINOR,
      closedMinor: 0n,
      closedAwayMinor: 0n,
    });
    expect(dayRow(till, NOON + DAY_MS)).toBeUndefined();
    expect(spend(till)).toMatchObject({ spentMinor: AMOUNT_MINOR, heldMinor: 0n });
    expect(till.row(0)).toMatchObject({ state: 'paid', review: null });
    expect(till.tenant.get(captures, ['shop', 'c'])).toMatchObject({
      paymentId: till.row(0).paymentId,
      decisionId: till.row(0).decisionId,
    });
  });

  it.each<[string, (till: Till) => void, string]>([
    ['canceled', (till) => till.report(0, 'canceled'), 'paid_after_cancel'],
    [
      'of an order that other money was captured for',
      (till) => {
        till.report(0, 'lapsed');
        tellOrder(till, 'other');
      },
      'paid_twice',
    ],
    ['paid by another capture already', (till) => till.capture(0, 'other'), 'amount_differs'],
  ])('is attached to a payment that was %s, and kept for review', (_, before, review) => {
    const till = opened();
    before(till);
    tellOrder(till, 'c');
    expect(till.capture(0, 'c').ok).toBe(true);
    expect(till.row(0)).toMatchObject({ state: 'paid', review });
  });

  it('is not attached when it was told as another decision’s', () => {
    const till = opened();
    const authority = {
      decisionId: 'arbdec_00000000000f',
      passportRef: null,
      intentRefs: [],
      buyerAway: false,
    };
    const capture = {
      captureId: 'c',
      merchantId: 'shop',
      orderId: 'order-0',
      amountMinor: AMOUNT_MINOR,
      currency: 'INR',
      authority,
    };
    expect(till.tenant.run(recordCapture(CONTEXT, capture), NOON).ok).toBe(true);
    expect(till.capture(0, 'c')).toMatchObject({ error: { field: '/capture_id' } });
    expect(till.row(0).state).toBe('issuing');
  });

  it('is not attached as another amount', () => {
    const till = opened();
    till.report(0, 'lapsed');
    tellOrder(till, 'c', 1n);
    expect(till.capture(0, 'c')).toMatchObject({ error: { field: '/capture_id' } });
    expect(till.row(0).state).toBe('lapsed');
  });
});
