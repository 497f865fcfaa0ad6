export {
  captureAttached,
  type CaptureRecorded,
  captureRecorded,
  type RefundAllowed,
  refundAllowed,
} from './book.events.js';
export {
  type AuthorityKind,
  authoritySpend,
  captures,
  merchantDayMoney,
  orderMoney,
  type OrderMoneyRow,
} from './book.projections.js';
export { bookWebhooks } from './book.webhooks.js';
export { type AlongCapture, Book, type BookParts } from './book.js';
export { BOOK, BookModule } from './book.module.js';
export {
  type KnownPayment,
  lapsePayment,
  movePayment,
  noSuchPayment,
  type PaymentAnswer,
  type PaymentNews,
  type PaymentSource,
} from './move-payment.js';
export {
  paymentFlagged,
  type PaymentFlagged,
  type PaymentMoved,
  paymentMoved,
  type PaymentPart,
  type PaymentStarted,
} from './payment.events.js';
export {
  merchantOpenMoney,
  orderPayments,
  type PaymentRow,
  payments,
} from './payment.projections.js';
export {
  type PaymentFilter,
  type PaymentPage,
  readPayment,
  readRefund,
  searchPayments,
} from './payments.store.js';
export {
  type Capture,
  type NewCapture,
  PAYMENT_APPEARED,
  recordCapture,
  recordOrderCapture,
} from './record-capture.js';
export {
  REFUND_STATES,
  type RefundMoved,
  refundMoved,
  type RefundReport,
  type RefundState,
  type RefundSubmitted,
} from './refund.events.js';
export { type RefundRow, refunds } from './refund.projections.js';
export {
  type KnownRefund,
  lapseRefund,
  moveRefund,
  noSuchRefund,
  type RefundAnswer,
  type RefundFault,
  type RefundNews,
  type RefundToSubmit,
  submitRefund,
  submitRefundReads,
} from './refunds.js';
export { PAYMENT_REVIEWS, type PaymentReview, reviewsOf } from './review.js';
export {
  refusedCapture,
  type SignedCapture,
  signedCapture,
  type SignedCaptureEnd,
} from './signed-capture.js';
export {
  type NewPayment,
  type PaymentToStart,
  startPayment,
  startPaymentReads,
  type StartFault,
} from './start-payment.js';
