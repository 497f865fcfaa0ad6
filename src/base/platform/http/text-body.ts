import { err, ok, problem, type Problem, type Result } from '../../../core/kernel/index.js';

/** What a table is sent as (RFC 4180). Only routes whose contract says `csv` take it. */
export const CSV_CONTENT_TYPE = 'text/csv';
/** What the lines of a protocol are sent as. Only routes whose contract says `lines` take it. */
export const LINES_CONTENT_TYPE = 'text/plain';
/** Bytes of no said form are read as lines too, and so is a body without a type: clients of such protocols often name none. */
export const LINES_CONTENT_TYPES: readonly string[] = [
  LINES_CONTENT_TYPE,
  'application/octet-stream',
];

/** Largest body of lines, in bytes: a request to a witness has 3 KiB of hashes and a note of a few signatures. */
export const LINES_BYTES_MAX = 64 * 1024;

/** A body that came as text, told apart from JSON by its class until the contract has said which one it takes. */
export class TextBody {
  constructor(
    readonly contentType: string,
    readonly text: string,
  ) {}
}

/** Its lines are read where their meaning is known. Problem: request_malformed (no UTF-8, or NUL). */
export function readTextBody(contentType: string, bytes: Buffer): Result<TextBody, Problem> {
  const text = bytes.toString('utf8');
  // Bytes that are no UTF-8 would be replaced silently.
  return Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0')
    ? ok(new TextBody(contentType, text))
    : err(notText);
}

const notText = problem('request_malformed', 'The body is no UTF-8 text, or holds NUL.', {
  fix: 'Send it as text in UTF-8.',
});
