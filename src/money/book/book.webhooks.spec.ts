import { expect, it } from 'vitest';
import { LIFE_MS, Till } from '../../../test/support/till.js';
import type { RecordedEntry } from '../../base/ledger/index.js';
import { WebhookSources } from '../../base/outbox/index.js';
import { bookWebhooks } from './book.webhooks.js';

const CUP = { place: 0, amountMinor: 1_000n, provider: 'plural', buyerAway: false };
const sources = new WebhookSources(bookWebhooks);

it('tells each step of a payment and its refund once, and no provider’s reference', () => {
  const entries: RecordedEntry[] = [];
  const till = new Till((entry) => entries.push(entry));
  till.start(CUP);
  till.report(0, 'issued');
  till.report(0, 'lapsed');
  till.report(0, 'canceled');
  till.report(0, 'failed');
  till.report(0, 'lapsed');
  till.capture(0, 'c');
  const refundId = till.allowRefund(9, 'order-0', 400n);
  till.submitRefund(refundId, till.row(0).paymentId);
  till.reportRefund(refundId, 'failed');
  till.reportRefund(refundId, 'done');
  till.allowRefund(8, 'order-0', 1n);
  till.atMs += LIFE_MS + 1;
  till.lapseRefund('rfd_000000000008');
  till.start({ ...CUP, place: 1 });
  till.report(1, 'lapsed');
  till.report(1, 'issued');
  till.report(1, 'rejected');
  const messages = entries.flatMap((entry) => sources.messageOf(entry) ?? []);
  expect(messages.map(({ type }) => type)).toEqual([
    'payment.started',
    'payment.issued',
    'payment.lapsed',
    'payment.canceled',
    'payment.failed',
    'payment.captured',
    'refund.allowed',
    'refund.submitted',
    'refund.failed',
    'refund.done',
    'refund.allowed',
    'refund.lapsed',
    'payment.started',
    'payment.lapsed',
    'payment.canceled',
  ]);
  const captured = messages.find(({ type }) => type === 'payment.captured');
  expect(captured).toEqual({
    type: 'payment.captured',
    merchantId: 'shop',
    data: {
      capture_id: 'c',
      payment_id: 'pay_000000000000',
      decision_id: 'arbdec_000000000000',
      merchant_id: 'shop',
      order_id: 'order-0',
      amount: { amount: '1000', currency: 'INR' },
    },
  });
  const done = messages.find(({ type }) => type === 'refund.done');
  expect(done?.data).toMatchObject({
    refund_id: 'rfd_000000000009',
    payment_id: 'pay_000000000000',
    amount: { amount: '400', currency: 'INR' },
  });
});
