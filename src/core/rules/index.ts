export { decidePurchase } from './decide-purchase.js';
export { decideRefund } from './decide-refund.js';
export * from './decision.js';
export { decisionCodec, traceCodec } from './decision-codec.js';
export { printReason } from './evaluate.js';
export * from './facts.js';
export * from './rbi/facts.js';
export {
  AGENT_EXECUTED_PAYMENT_DISABLED,
  reasonEntryOf,
  type RefusalBody,
  type Refused,
  renderRefusal,
} from './refusal.js';
export { CHECKOUT_PASSPORT_LIFETIME_MS_MAX, PAYMENT_SCOPE } from './rule-passport-amount-cap.js';
export { PRESENCE_AGE_MS_MAX } from './rule-not-present-limits.js';
export { CART_LINES_MAX, LINE_QUANTITY_MAX } from './shared/amounts.js';
export {
  ARTIFACT_LIFETIME_MS_MAX,
  artifactFault,
  CATALOG_SOURCE_AGE_MS_MAX,
  INVENTORY_SOURCE_AGE_MS_MAX,
} from './shared/artifact.js';
export { ISSUED_AHEAD_MS_MAX } from './shared/instants.js';
export { ANY_MERCHANT } from './shared/mandate.js';
export { STATUS_AGE_MS_MAX } from './shared/status.js';
