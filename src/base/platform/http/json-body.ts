import { isUtf8 } from 'node:buffer';
import { err, ok, problem, type Problem, type Result } from '../../../core/kernel/index.js';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from './limits.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const malformed = (detail: string, fix: string): { ok: false; error: Problem } =>
  err(problem('request_malformed', detail, { field: '', fix }));

/**
 * Bounds a JSON body before it is parsed: UTF-8, nesting at most {@link JSON_DEPTH_MAX}, at most
 * {@link JSON_VALUES_MAX} members and elements. One pass over the bytes; what is not JSON is left to the parser.
 */
export function checkJsonBounds(bytes: Buffer): Result<null, Problem> {
  if (bytes.length === 0) {
    return malformed('The body is empty.', 'Send a JSON body, or no Content-Type header.');
  }
  if (!isUtf8(bytes)) return malformed('The body is not UTF-8.', 'Encode the body as UTF-8.');
  let depth = 0;
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      values += 1;
      if (depth > JSON_DEPTH_MAX) {
        return malformed(
          `The body nests deeper than ${JSON_DEPTH_MAX} levels.`,
          'Send the form that /openapi.json describes for this route.',
        );
      }
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
  }
  if (values > JSON_VALUES_MAX) {
    return malformed(
      `The body has more than ${JSON_VALUES_MAX} members and elements.`,
      'Send fewer, in several requests if need be.',
    );
  }
  return ok(null);
}

/** Index of the quote that ends the string begun at `start`, or the last index when it never ends. */
function endOfString(bytes: Buffer, start: number): number {
  let index = bytes.indexOf(QUOTE, start + 1);
  while (index !== -1 && isEscaped(bytes, index)) index = bytes.indexOf(QUOTE, index + 1);
  return index === -1 ? bytes.length : index;
}

function isEscaped(bytes: Buffer, index: number): boolean {
  let backslashes = 0;
  while (bytes[index - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
