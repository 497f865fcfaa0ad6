export { decidePurchase } from './decide-purchase.js';
export { decideRefund } from './decide-refund.js';
export * from './decision.js';
export { decisionCodec, traceCodec } from './decision-codec.js';
export * from './facts.js';
export * from './rbi/facts.js';
export {
  checkLimits,
  ITEMS_MAX_MAX,
  LIMIT_CURRENCIES_MAX,
  type LimitsDraft,
} from './limits-draft.js';
export {
  amountOf,
  DECISION_RECORDED,
  type DecisionRecord,
  recordedDecision,
} from './recorded-decision.js';
export { debitCountOf } from './rbi/judge-rbi-afa.js';
export {
  AGENT_EXECUTED_PAYMENT_DISABLED,
  reasonEntryOf,
  type RefusalBody,
  type Refused,
  renderRefusal,
  UNUSABLE_REASONS,
  useRefused,
  unusableActionOf,
  type UnusableReason,
} from './refusal.js';
export {
  type LineageOf,
  recheckPurchase,
  slotsOf,
  statusesOf,
  type StatusSlot,
  withEachStatus,
  withFreshStatuses,
} from './recheck.js';
export { PAYMENT_SCOPE } from './rule-passport-amount-cap.js';
export {
  CART_LINES_MAX,
  isQuantity,
  LINE_QUANTITY_MAX,
  piecesByVariant,
} from './shared/amounts.js';
export { byCanonicalText, type CartCore, coreHashOf, coreOf } from './shared/core-hash.js';
export { ARTIFACT_LIFETIME_MS_MAX, artifactFault } from './shared/artifact.js';
export { ISSUED_AHEAD_MS_MAX } from './shared/instants.js';
export { ANY_MERCHANT, isOneTime } from './shared/mandate.js';
export { unknownStatus, worstStatus } from './shared/status.js';
