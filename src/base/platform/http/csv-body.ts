import { err, ok, problem, type Problem, type Result } from '../../../core/kernel/index.js';

/** What a table is sent as (RFC 4180). Only routes whose contract says `csv` take it. */
export const CSV_CONTENT_TYPE = 'text/csv';

/** A body that came as CSV, told apart from JSON by its class until the contract has said which one it takes. */
export class CsvBody {
  constructor(readonly text: string) {}
}

/** Its rows are read where their columns are known. Problem: request_malformed (no UTF-8, or NUL). */
export function readCsvBody(bytes: Buffer): Result<CsvBody, Problem> {
  const text = bytes.toString('utf8');
  // Bytes that are no UTF-8 would be replaced silently.
  return Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0')
    ? ok(new CsvBody(text))
    : err(notText);
}

const notText = problem('request_malformed', 'The body is no UTF-8 text, or holds NUL.', {
  fix: 'Save the file as CSV in UTF-8.',
});
