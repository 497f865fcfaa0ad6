export type { ConsumedAllow, ConsumedAllowParts } from './consumed-allow.js';
export { countsAs, drawsOnAuthority, isPayable } from './counting.js';
export { isOwnProvider, OWN_PROVIDERS } from './providers.js';
export { paymentIdOf, refundIdOf } from './names.js';
export {
  PAYMENT_KINDS,
  PAYMENT_REPORTS,
  PAYMENT_STATES,
  type PaymentKind,
  type PaymentReport,
  type PaymentState,
  stateAfter,
} from './payment-state.js';
export {
  type ChargeOutcome,
  type ChargeRail,
  type IssueOutcome,
  type LinkRail,
  type LinkTerms,
  type LookUpOutcome,
  RAIL_CALL_MS_MAX,
  type RailPayment,
  RAILS,
  type Rails,
  type RefundLookUpOutcome,
  type RefundOutcome,
  type RefundRail,
} from './ports.js';
