export * from './read.js';
export {
  type DecisionClaims,
  claimsOfBody,
  type Receipt,
  RECEIPT_FORMAT,
  RECEIPT_TYP,
  RECEIPT_VERSION,
  type ReceiptEntry,
  type StatementClaims,
  type StatedEntry,
  statedEntry,
} from './statement.js';
export * from './verify.js';
