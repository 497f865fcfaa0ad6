import { defineEvent } from '../../base/ledger/index.js';
import { codec, type Decoded } from '../../core/kernel/index.js';
import { PAYMENT_KINDS, PAYMENT_REPORTS, PAYMENT_STATES } from '../payments/index.js';

/**
 * What of a payment counts somewhere, repeated in each of its events so that every sum can be folded from that event
 * alone. `startedAtMs` is its issue instant: its UTC day is the issue day (facts/arbiter.md C2).
 */
const payment = {
  paymentId: codec.text,
  decisionId: codec.text,
  kind: codec.oneOf(...PAYMENT_KINDS),
  merchantId: codec.text,
  orderId: codec.text,
  amountMinor: codec.amountMinor,
  currency: codec.text,
  provider: codec.text,
  startedAtMs: codec.instant,
  /** The buyer was away when the decision was made: counts against the merchant's stricter day (rule 7). */
  buyerAway: codec.flag,
  passportRef: codec.nullable(codec.text),
  intentRefs: codec.list(codec.text),
};
export const paymentPart = codec.record(payment);
export type PaymentPart = Decoded<typeof paymentPart>;

const stockHeld = codec.list(codec.record({ variantId: codec.text, quantity: codec.integer }));
export type StockHeld = Decoded<typeof stockHeld>;

/** An allow was used for a payment; written in the same transaction, before any provider is called (facts/arbiter.md D2). */
export const paymentStarted = defineEvent(
  'payment.started',
  codec.record({
    payment: paymentPart,
    /** Null for a charge: it does not lapse. */
    expiresAtMs: codec.nullable(codec.instant),
    stockHeld,
  }),
);
export type PaymentStarted = Decoded<typeof paymentStarted.data>;

/** Who says so: the rail's own answer, its webhook, our question after a doubt, the merchant's system, or our clock. */
export const PAYMENT_SOURCES = ['rail', 'webhook', 'reconciler', 'merchant', 'clock'] as const;

/**
 * A payment moved forward without money having been captured. A late `issued` moves nothing (`to` is `from`), but is
 * how the provider's reference became known.
 */
export const paymentMoved = defineEvent(
  'payment.moved',
  codec.record({
    payment: paymentPart,
    report: codec.oneOf(...PAYMENT_REPORTS),
    from: codec.oneOf(...PAYMENT_STATES),
    to: codec.oneOf(...PAYMENT_STATES),
    source: codec.oneOf(...PAYMENT_SOURCES),
    providerRef: codec.nullable(codec.text),
    url: codec.nullable(codec.text),
    detail: codec.nullable(codec.text),
  }),
);
export type PaymentMoved = Decoded<typeof paymentMoved.data>;

/** A report that changed nothing because the payment was further already: kept, so that nothing said is lost (C8). */
export const paymentReportIgnored = defineEvent(
  'payment.report_ignored',
  codec.record({
    paymentId: codec.text,
    merchantId: codec.text,
    report: codec.oneOf(...PAYMENT_REPORTS),
    state: codec.oneOf(...PAYMENT_STATES),
    source: codec.oneOf(...PAYMENT_SOURCES),
    detail: codec.nullable(codec.text),
  }),
);

/**
 * The payment's own provider says that money was captured for it, and the book does not take it so: it contradicts what was
 * agreed (`amount_differs`) or written before (`capture_refused`). Nothing is counted; a person has to look.
 */
export const paymentFlagged = defineEvent(
  'payment.flagged',
  codec.record({
    payment: paymentPart,
    review: codec.oneOf('amount_differs', 'capture_refused'),
    captureId: codec.text,
    amountMinor: codec.amountMinor,
    currency: codec.text,
    /** Why, in words. */
    detail: codec.text,
  }),
);
export type PaymentFlagged = Decoded<typeof paymentFlagged.data>;
