export { AftercareModule, DECISION_NOTES, REVIEW_QUEUE } from './aftercare.module.js';
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
export { DECISION_ENTRIES, type DecisionEntries } from './decision-entries.js';
export { decisionWebhooks } from './decision.webhooks.js';
export type { DecisionFilter, FoundDecision, PageRequest } from './decisions.store.js';
export { decisionNotes } from './note.events.js';
export { type DecisionNote, DecisionNotes, NOTE_CHARACTERS_MAX, type NotesPage } from './notes.js';
export { Receipts, type ReceiptWish } from './receipts.js';
export { RECEIPTS, ReceiptsModule } from './receipts.module.js';
export { ReviewQueue } from './review-queue.js';
export type { QueuedRefusal, QueueFilter } from './review-queue.store.js';
export type { ArbiterSwitches, Judgement } from './judge.js';
export { type AllowRow, allows, allowUses, mandateUses } from './allow.events.js';
export type { UseOutcome, UseSubject } from './consume.js';
export { debitMandates, debitUses } from './debit-mandates.js';
export { AuthorityCountersigner } from './authority-countersigner.js';
export {
  type Countersigner,
  type CountersignOutcome,
  type CountersignRequest,
  NO_COUNTERSIGNER,
} from './countersigner.js';
export type { UseRequest } from './use-allow.js';
export { LINK_LIFE_MS_DEFAULT, LINK_LIFE_MS_MAX } from './use-effects.js';
export { Payer, type PaymentTerms, type Started } from './payer.js';
export { PAYER, PayerModule } from './payer.module.js';
