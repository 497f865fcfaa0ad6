import { once, refusals, type TableCases } from './shape.js';

const EXPORT = `exp_${'0'.repeat(32)}`;

/** The ledger taken out as a file, and the keys that sealed it. */
export const EXPORT_TABLES: Readonly<Record<string, TableCases>> = {
  ledger_exports: {
    base: { export_id: EXPORT, form: 'jsonl' },
    guards: {
      ...once('ledger_exports_pkey'),
      ledger_exports_by_entry: { again: { export_id: EXPORT.replace(/0$/, '1') } },
      ledger_exports_export_id_check: { insert: { export_id: 'exp_1' } },
      ledger_exports_form_check: { insert: { form: 'xml' } },
      ledger_exports_final: refusals(
        [`UPDATE ledger_exports SET form = 'json'`],
        /UPDATE of ledger_exports is refused/,
      ),
    },
  },
  ledger_export_fronts: {
    isProjection: false,
    base: { export_id: EXPORT },
    after: ['ledger_exports'],
    guards: {
      ...once('ledger_export_fronts_pkey'),
      ledger_export_fronts_export: { insert: { export_id: 'other' } },
      ledger_export_fronts_final: refusals(
        [`UPDATE ledger_export_fronts SET front = 'other'`, 'TRUNCATE ledger_export_fronts'],
        / of ledger_export_fronts is refused/,
      ),
    },
  },
  sealing_keys: {
    base: { last_number: 1 },
    guards: {
      ...once('sealing_keys_pkey'),
      sealing_keys_last_number_check: { insert: { last_number: -1 } },
    },
  },
};
