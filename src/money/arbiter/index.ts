export { Arbiter, type ArbiterParts, type Simulation } from './arbiter.js';
export { ArbiterModule, ARBITER } from './arbiter.module.js';
export type { PurchaseAsk, RefundAsk } from './ask.js';
export type { CaptureReport } from './capture-report.js';
export { type CartBinding, type CartRequest, checkCart, type CheckedCart } from './cart.js';
export { type RecordedDecision } from './decide.js';
export {
  type DecisionRecorded,
  decisionRecorded,
  decisions,
  FLOWS,
  RULE_NAMES,
} from './decision.events.js';
export type { DecisionFilter, FoundDecision, PageRequest } from './decisions.store.js';
export type { ArbiterSwitches, Judgement } from './judge.js';
