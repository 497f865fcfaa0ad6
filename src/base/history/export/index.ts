export { LedgerExportModule } from './export.module.js';
export type { FixedExport } from './export-bytes.js';
export { readSealingKids } from './exported-rows.store.js';
export { LEDGER_EXPORTS, LedgerExports } from './exports.js';
export { EXPORT_FORMS, type ExportForm, ledgerExports } from './exports.ledger.js';
export {
  ENTRIES_SCANNED_MAX,
  type EntryPage,
  type EntryQuery,
  type Inclusion,
  LEDGER_ENTRIES,
  LedgerEntries,
} from './ledger-entries.js';
export type { ListedEntry } from './ledger-entries.store.js';
