import { z } from 'zod';
import { EXPORT_FORMS, type ExportForm } from '../../../base/history/index.js';
import { route } from '../../../base/platform/index.js';

/** Media types of the two forms. JSON Lines has none that is registered; this is what its own page names. */
export const MEDIA_TYPES: Readonly<Record<ExportForm, string>> = {
  jsonl: 'application/jsonl',
  json: 'application/json',
};

const exportQuery = z.strictObject({
  form: z.enum(EXPORT_FORMS).optional().meta({
    description:
      'jsonl: a line for every entry, between a header and a trailer; this is what is written when nothing is said. json: one document.',
  }),
  export_id: z
    .string()
    .regex(/^exp_[0-9a-f]{32}$/, 'exp_ and 32 hex digits')
    .optional()
    .meta({ description: 'The Arbiter-Export-Id of an earlier answer: the same file again.' }),
  after_seq: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, 'A sequence number.')
    .transform(Number)
    .optional()
    .meta({ description: 'With export_id: only what stands behind the row of this entry.' }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A number from 1 on.')
    .transform(Number)
    .optional()
    .meta({
      description:
        'End after so many rows; Arbiter-Export-Next says behind which one to go on. Without it the file is written to its end.',
    }),
});
export type ExportQuery = z.output<typeof exportQuery>;

export const exportLedger = route({
  method: 'GET',
  path: '/v1/ledger/export',
  summary: 'The ledger as a file that anybody can check',
  description:
    'Without export_id it writes the entry ledger.exported, makes a signed checkpoint, and answers with every entry from 0 to ' +
    'a fixed last one, as they are stored, between a header and a trailer. A file that was cut off goes on with export_id ' +
    'and after_seq: the parts are the same bytes as the whole. The newest 100 exports of a tenant can be asked for again. ' +
    'scripts/verify-ledger.mjs checks the file without this service; docs/ledger.md says what its answers mean. Answers carry ' +
    'Arbiter-Export-Id and Arbiter-Export-Head, the sequence number of the last entry.',
  tag: 'ledger',
  access: ['tenant_admin'],
  idempotency: 'none',
  writes: true,
  query: exportQuery,
  success: { status: 200, body: z.string(), mediaType: MEDIA_TYPES.jsonl },
  problems: ['not_found'],
});
