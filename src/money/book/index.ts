export {
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
} from './book.projections.js';
export { type Capture, recordCapture } from './record-capture.js';
