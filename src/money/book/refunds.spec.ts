import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIFE_MS, Till } from '../../../test/support/till.js';
import { orderMoney, payments, type RefundNews } from './index.js';

const REPORTS = ['accepted', 'done', 'failed'] as const;

const CUP = { place: 0, amountMinor: 1_000n, provider: 'plural', buyerAway: false };

/** An order of 1000 that is paid. */
function paidTill(): Till {
  const till = new Till();
  till.start(CUP);
  till.capture(0, 'c');
  return till;
}

const refundedOf = (till: Till): bigint | undefined =>
  till.tenant.get(orderMoney, ['shop', 'order-0'])?.refundedMinor;

describe('a refund', () => {
  it('counts from its allow on, and names its payment once it is submitted', () => {
    const till = paidTill();
    const refundId = till.allowRefund(9, 'order-0', 400n);
    expect(till.refund(refundId)).toMatchObject({ state: 'reserved', paymentId: null });
    expect(refundedOf(till)).toBe(400n);
    expect(till.submitRefund(refundId, till.row(0).paymentId).ok).toBe(true);
    expect(till.refund(refundId)).toMatchObject({
      state: 'submitted',
      paymentId: till.row(0).paymentId,
      provider: 'plural',
      dueAtMs: null,
    });
    expect(till.row(0).refundedMinor).toBe(400n);
    till.reportRefund(refundId, 'done');
    expect([refundedOf(till), till.row(0).refundedMinor]).toEqual([400n, 400n]);
  });

  it('of unknown outcome counts (I3); one that failed gives its amount back', () => {
    const till = paidTill();
    const refundId = till.allowRefund(9, 'order-0', 1_000n);
    till.submitRefund(refundId, till.row(0).paymentId);
    till.reportRefund(refundId, 'accepted');
    expect(refundedOf(till)).toBe(1_000n);
    till.reportRefund(refundId, 'failed');
    expect([refundedOf(till), till.row(0).refundedMinor]).toEqual([0n, 0n]);
  });

  it('whose allow was not used gives its amount back when that is over, not before', () => {
    const till = paidTill();
    const refundId = till.allowRefund(9, 'order-0', 1_000n);
    till.atMs += LIFE_MS;
    expect(till.lapseRefund(refundId)).toEqual({ ok: true, value: false });
    till.atMs += 1;
    expect(till.lapseRefund(refundId)).toEqual({ ok: true, value: true });
    expect(refundedOf(till)).toBe(0n);
    expect(till.submitRefund(refundId, null)).toMatchObject({
      error: { kind: 'not_reserved', state: 'lapsed' },
    });
  });

  it('that was submitted never lapses', () => {
    const till = paidTill();
    const refundId = till.allowRefund(9, 'order-0', 1_000n);
    till.submitRefund(refundId, null);
    till.atMs += 10 * LIFE_MS;
    expect(till.lapseRefund(refundId)).toEqual({ ok: true, value: false });
    expect(till.submitRefund(refundId, null).ok).toBe(false);
  });

  it('done after it failed counts again if it fits, else a person has to look at it', () => {
    const till = paidTill();
    const first = till.allowRefund(8, 'order-0', 600n);
    till.submitRefund(first, till.row(0).paymentId);
    till.reportRefund(first, 'failed');
    const second = till.allowRefund(9, 'order-0', 500n);
    expect(till.reportRefund(first, 'done')).toMatchObject({ value: { changed: false } });
    expect(till.refund(first)).toMatchObject({ state: 'failed', review: 'done_beyond_captured' });
    expect(refundedOf(till)).toBe(500n);
    till.reportRefund(second, 'failed');
    expect(till.reportRefund(first, 'done')).toMatchObject({ value: { state: 'done' } });
    expect([refundedOf(till), till.row(0).refundedMinor]).toEqual([600n, 600n]);
  });

  it('takes no more from a payment than was captured for it, and only from one of its order', () => {
    const till = paidTill();
    till.start({ ...CUP, place: 1 });
    till.capture(1, 'd');
    const refundId = till.allowRefund(8, 'order-0', 600n);
    expect(till.submitRefund(refundId, till.row(1).paymentId)).toMatchObject({
      error: { kind: 'payment_of_another_order' },
    });
    expect(till.submitRefund(refundId, 'pay_ffffffffffff')).toMatchObject({
      error: { kind: 'payment_of_another_order' },
    });
    till.submitRefund(refundId, till.row(0).paymentId);
    // Money of the same order that came outside of any payment.
    till.captureWithoutPayment('order-0', 'e', 1_000n);
    const next = till.allowRefund(9, 'order-0', 600n);
    expect(till.submitRefund(next, till.row(0).paymentId)).toMatchObject({
      error: { kind: 'payment_too_small', leftMinor: 400n },
    });
    expect(till.submitRefund(next, null).ok).toBe(true);
  });

  it('ends the same whatever order reports come in, and its sum is that of its state', () => {
    const reports = fc.array(fc.constantFrom(...REPORTS), { maxLength: 6 });
    const orders = reports.chain((list) => {
      const all = { minLength: list.length * 2, maxLength: list.length * 2 };
      return fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], all));
    });
    const ending = (order: readonly RefundNews['report'][], submits: boolean) => {
      const till = paidTill();
      const refundId = till.allowRefund(9, 'order-0', 700n);
      const paymentId = submits ? till.row(0).paymentId : null;
      if (submits) till.submitRefund(refundId, paymentId);
      for (const report of order) till.reportRefund(refundId, report);
      const { state } = till.refund(refundId);
      const counts = state !== 'failed' && state !== 'lapsed';
      expect(refundedOf(till)).toBe(counts ? 700n : 0n);
      const [payment] = till.tenant.all(payments);
      expect(payment?.refundedMinor).toBe(counts && submits ? 700n : 0n);
      return state;
    };
    fc.assert(
      fc.property(orders, fc.boolean(), ([list, shuffled], submits) => {
        expect(ending(shuffled, submits)).toBe(ending(list, submits));
      }),
      { numRuns: 300 },
    );
  });
});
