import { codec, type InstantMs } from '../../../core/kernel/index.js';
import { type Column, column, defineEvent, defineProjection, when } from '../../ledger/index.js';

/** JSON Lines, the main form, or one JSON document (decisions 2.9). */
export const EXPORT_FORMS = ['jsonl', 'json'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

/** An administrator took the ledger out. Written before the first byte of the file leaves, and part of it. */
export const ledgerExported = defineEvent(
  'ledger.exported',
  codec.record({ exportId: codec.text, form: codec.oneOf(...EXPORT_FORMS) }),
);

export interface LedgerExportRow {
  readonly exportId: string;
  readonly form: ExportForm;
  readonly exportedAtMs: InstantMs;
  /** The entry that says so. */
  readonly exportedSeq: number;
}

export const ledgerExports = defineProjection<LedgerExportRow>({
  table: 'ledger_exports',
  mode: 'append',
  key: ['exportId'],
  columns: {
    exportId: column.text,
    form: column.text as Column<ExportForm>,
    exportedAtMs: column.integer,
    exportedSeq: column.integer,
  },
  on: [
    when(ledgerExported, {
      keys: ({ exportId }) => [[exportId]],
      evolve: (_row, data, { entry }) => ({
        ...data,
        exportedAtMs: entry.atMs,
        exportedSeq: entry.seq,
      }),
    }),
  ],
});
