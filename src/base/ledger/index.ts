export { answeredBefore } from './answered-before.js';
export * from './columns.js';
export * from './command.js';
export { buyerDocumentsErasure, documentErasure, documentWrite } from './documents.js';
export * from './due-works.js';
export * from './event.js';
export { ledgerOpened, sealingSwitched } from './head.js';
export type { LedgerLog } from './flusher.js';
export {
  IDEMPOTENCY_KEPT_MS,
  IDEMPOTENCY_SWEEP_ROWS_MAX,
  sweepIdempotency,
} from './idempotency.store.js';
export * from './ledger-commands.js';
export { LedgerModule, OUTSIDE_LOCK } from './ledger.module.js';
export { cellsOutsideLock, type LedgerGlance, type OutsideLock } from './outside-lock.store.js';
export * from './projection.js';
export { rowOf } from './projection.store.js';
export {
  type Page,
  type PageRequest,
  readPage,
  readRow,
  readRows,
  type RowFilter,
} from './read-rows.store.js';
export { type EntryRange, readEntries } from './read-entries.store.js';
export { withoutRepeats } from './repeated-errors.js';
export {
  checkRebuild,
  type DerivedCheck,
  type DerivedTables,
  type Difference,
  type RebuildOptions,
  type RebuildReport,
  type TellsDifference,
} from './rebuild.js';
export { declaredTables } from './rebuild.store.js';
export { Sealer } from './sealer.js';
export { sessionOpener, type OpenSession } from './session.store.js';
export {
  IDEMPOTENCY_IN_FLIGHT,
  LedgerWriter,
  type WriterLimits,
  type WriterOptions,
} from './writer.js';
