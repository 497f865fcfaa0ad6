import { isUtf8 } from 'node:buffer';
import { err, ok, problem, type Problem, type Result } from '../../../core/kernel/index.js';
import { FIELD_CHARACTERS_MAX, JSON_DEPTH_MAX, JSON_VALUES_MAX } from './limits.js';

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
 * {@link JSON_VALUES_MAX} members and elements, no member twice in one object (RFC 8259 section 4 leaves open which one
 * counts, so another reader of the same bytes might see another amount). One pass over the bytes; what is not JSON is
 * left to the parser.
 */
export function checkJsonBounds(bytes: Buffer): Result<null, Problem> {
  if (bytes.length === 0) {
    return malformed('The body is empty.', 'Send a JSON body, or no Content-Type header.');
  }
  if (!isUtf8(bytes)) return malformed('The body is not UTF-8.', 'Encode the body as UTF-8.');
  const open: OpenValue[] = [];
  let values = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    const inner = open.at(-1);
    if (byte === QUOTE) {
      const start = index;
      index = endOfString(bytes, start);
      if (inner?.expectsName !== true) continue;
      inner.expectsName = false;
      inner.name = nameOf(bytes.subarray(start, index + 1));
      if (inner.names.has(inner.name)) return err(twice(open));
      inner.names.add(inner.name);
    } else if (byte === COMMA) {
      values += 1;
      if (inner !== undefined) beginNext(inner);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const isObject = byte === OPEN_OBJECT;
      open.push({ isObject, names: new Set(), expectsName: isObject, name: '', index: 0 });
      values += 1;
      if (open.length > JSON_DEPTH_MAX) {
        return malformed(
          `The body nests deeper than ${JSON_DEPTH_MAX} levels.`,
          'Send the form that /openapi.json describes for this route.',
        );
      }
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) open.pop();
    if (values > JSON_VALUES_MAX) {
      return malformed(
        `The body has more than ${JSON_VALUES_MAX} members and elements.`,
        'Send fewer, in several requests if need be.',
      );
    }
  }
  return ok(null);
}

/** An object or array that has begun and not ended, and where in it the pass stands. */
interface OpenValue {
  readonly isObject: boolean;
  readonly names: Set<string>;
  expectsName: boolean;
  name: string;
  index: number;
}

function beginNext(value: OpenValue): void {
  value.expectsName = value.isObject;
  value.index += 1;
}

const BACKSLASH_TEXT = '\\';

/** The name behind its escapes; a text that is no JSON is its own name, the parser will refuse it. */
function nameOf(quoted: Buffer): string {
  const text = quoted.toString('utf8');
  if (!text.includes(BACKSLASH_TEXT)) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

function twice(open: readonly OpenValue[]): Problem {
  const pointer = open
    .map(({ isObject, name, index }) => (isObject ? pointerPart(name) : String(index)))
    .map((part) => `/${part}`)
    .join('');
  return problem('request_malformed', 'The body has a member twice in one object.', {
    field: pointer.slice(0, FIELD_CHARACTERS_MAX),
    fix: 'Send each member once.',
  });
}

const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

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
