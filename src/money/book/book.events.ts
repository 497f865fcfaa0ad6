import { defineEvent } from '../../base/ledger/index.js';
import { codec, type Decoded } from '../../core/kernel/index.js';
import { PAYMENT_STATES } from '../payments/index.js';
import { paymentPart } from './payment.events.js';

/** The payment that captured money is of, and what it was like before: `paid` from that entry on. */
const capturedPayment = codec.record({
  payment: paymentPart,
  from: codec.oneOf(...PAYMENT_STATES),
  /** Other money of this order was captured before, by another payment or without one. */
  orderWasPaid: codec.flag,
  /** Its pieces had been given back meanwhile, and fewer were left than were sold. */
  stockShort: codec.flag,
});
export type CapturedPayment = Decoded<typeof capturedPayment>;

/**
 * Money was taken: reported by the merchant's own system or its payment provider, never by an agent (decisions 3.12).
 * `captureId` is the reporter's name of it, once per merchant. `authority` is what the payment drew on, copied from the
 * decision it names, so that cumulative caps can be folded from this entry alone; null = no decision was named.
 */
export const captureRecorded = defineEvent(
  'capture.recorded',
  codec.record({
    captureId: codec.text,
    merchantId: codec.text,
    orderId: codec.text,
    amountMinor: codec.amountMinor,
    currency: codec.text,
    authority: codec.nullable(
      codec.record({
        decisionId: codec.text,
        passportRef: codec.nullable(codec.text),
        /** Every intent the decision named, and every one above a mandate it named: each of them is drawn on. */
        intentRefs: codec.list(codec.text),
        /** The buyer was away when the decision was made: counts against the merchant's stricter day (rule 7). */
        buyerAway: codec.flag,
      }),
    ),
    /** The payment that it is money of and that is `paid` from this entry on; null = none that is known here. */
    payment: codec.added(codec.nullable(capturedPayment), null),
  }),
);
export type CaptureRecorded = Decoded<typeof captureRecorded.data>;

/**
 * Money that was recorded before without a payment and without a decision turned out to be money of this payment. The sums
 * of the order and of the day have it already; what is new is whose it is.
 */
export const captureAttached = defineEvent(
  'capture.attached',
  codec.record({
    captureId: codec.text,
    merchantId: codec.text,
    orderId: codec.text,
    amountMinor: codec.amountMinor,
    currency: codec.text,
    /** When the money was recorded: it stays money of that day. */
    confirmedAtMs: codec.instant,
    payment: capturedPayment,
  }),
);
export type CaptureAttached = Decoded<typeof captureAttached.data>;

/**
 * A refund was allowed and from now on counts as done, whatever the provider makes of it (facts/arbiter.md I2, I3).
 * Written in the same transaction as its decision.
 */
export const refundAllowed = defineEvent(
  'refund.allowed',
  codec.record({
    decisionId: codec.text,
    merchantId: codec.text,
    orderId: codec.text,
    amountMinor: codec.amountMinor,
    currency: codec.text,
    /** Until when the allow can be used, inclusive. Null: an entry of before this was noted. */
    allowExpiresAtMs: codec.added(codec.nullable(codec.instant), null),
  }),
);
export type RefundAllowed = Decoded<typeof refundAllowed.data>;
