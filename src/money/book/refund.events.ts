import { defineEvent } from '../../base/ledger/index.js';
import { codec, type Decoded } from '../../core/kernel/index.js';
import { PAYMENT_SOURCES } from './payment.events.js';

/**
 * `reserved`: allowed, the allow not used. `submitted`: the allow is used and the provider has been or will be called.
 * `failed` and `lapsed` (the allow ended unused) give the amount back; all others count as done (facts/arbiter.md I3).
 */
export const REFUND_STATES = ['reserved', 'submitted', 'done', 'failed', 'lapsed'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What somebody says happened to a refund. `accepted`: the provider took it on, the result comes later. */
export const REFUND_REPORTS = ['accepted', 'done', 'failed', 'lapsed'] as const;
export type RefundReport = (typeof REFUND_REPORTS)[number];

/** What of a refund counts somewhere, repeated in each of its events. */
const refundPart = codec.record({
  refundId: codec.text,
  decisionId: codec.text,
  merchantId: codec.text,
  orderId: codec.text,
  amountMinor: codec.amountMinor,
  currency: codec.text,
  /** The captured payment that it is given back from; null = not known here. */
  paymentId: codec.nullable(codec.text),
});
export type RefundPart = Decoded<typeof refundPart>;

/** The allow was used for this refund; written before any provider is called. */
export const refundSubmitted = defineEvent(
  'refund.submitted',
  codec.record({ refund: refundPart, provider: codec.text }),
);
export type RefundSubmitted = Decoded<typeof refundSubmitted.data>;

/** A refund moved. `to` is `from` when only the provider's reference became known. */
export const refundMoved = defineEvent(
  'refund.moved',
  codec.record({
    refund: refundPart,
    report: codec.oneOf(...REFUND_REPORTS),
    from: codec.oneOf(...REFUND_STATES),
    to: codec.oneOf(...REFUND_STATES),
    source: codec.oneOf(...PAYMENT_SOURCES),
    providerRef: codec.nullable(codec.text),
    detail: codec.nullable(codec.text),
  }),
);
export type RefundMoved = Decoded<typeof refundMoved.data>;

/**
 * A report that changed no sum. `beyondCaptured`: the provider gave money back after the refund had failed or lapsed,
 * and meanwhile other refunds used up what was captured: a person has to look at it.
 */
export const refundReportIgnored = defineEvent(
  'refund.report_ignored',
  codec.record({
    refundId: codec.text,
    merchantId: codec.text,
    report: codec.oneOf(...REFUND_REPORTS),
    state: codec.oneOf(...REFUND_STATES),
    beyondCaptured: codec.flag,
    source: codec.oneOf(...PAYMENT_SOURCES),
    detail: codec.nullable(codec.text),
  }),
);
