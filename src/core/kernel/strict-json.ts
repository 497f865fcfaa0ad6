import { CANONICAL_DEPTH_MAX, type CanonicalValue } from './canonical.js';
import { err, ok, type Result } from './result.js';

/** Where the text stops being acceptable, in UTF-16 code units, and what was expected there. Holds nothing of the text. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

const SPACE = /[ \t\n\r]*/y;
const PLAIN_RUN = /[^"\\\u0000-\u001f]*/y; // eslint-disable-line no-control-regex -- RFC 8259: control characters must be escaped
const INTEGER = /-?(?:0|[1-9][0-9]*)/y;
const DECIMAL = /-?(?:0|[1-9][0-9]*)\.[0-9]+/y;
const HEX_4 = /[0-9A-Fa-f]{4}/y;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * A number of somebody else's JSON that is no whole one, kept as it was written: money is never read through a float.
 * Its value is at most {@link DECIMAL_LENGTH_MAX} characters of digits with one point; an exponent is refused.
 */
export class DecimalNumber {
  constructor(readonly text: string) {}
}

/** Characters of one {@link DecimalNumber}. */
export const DECIMAL_LENGTH_MAX = 40;

/** JSON whose fractions are {@link DecimalNumber}s. */
export type DecimalJson =
  | string
  | number
  | boolean
  | null
  | DecimalNumber
  | readonly DecimalJson[]
  | { readonly [member: string]: DecimalJson };

/**
 * Values in one text, at most: as many as 16 MiB can hold, in far longer texts too. What holds more of them is mostly
 * commas, and its values would take many times its own memory.
 */
export const JSON_VALUES_MAX = 8 * 1024 * 1024;

interface Cursor {
  readonly text: string;
  readonly takesDecimals: boolean;
  at: number;
  valueCount: number;
  fault: JsonFault | null;
}

/**
 * Reads JSON (RFC 8259) that two readers cannot understand differently: what is signed elsewhere, and ledgers.
 * Beyond JSON.parse it refuses a member name that occurs twice in one object (compared after unescaping) or is
 * `__proto__`, lone surrogates, every number but safe integers written as such (no fraction, no exponent, no -0), and
 * nesting deeper than {@link CANONICAL_DEPTH_MAX}, and more than {@link JSON_VALUES_MAX} values. So whatever it returns can be printed by `canonicalize`.
 * Not checked: the length of the text (the caller bounds it) and its bytes (decode UTF-8 fatally, keeping a BOM).
 */
export function parseStrictJson(text: string): Result<CanonicalValue, JsonFault> {
  // Without decimals a reader returns canonical values only.
  return read(text, false) as Result<CanonicalValue, JsonFault>;
}

/**
 * As {@link parseStrictJson}, but a number with a fraction is read too, as a {@link DecimalNumber}: objects that other
 * protocols sign hold amounts in major units. Whole numbers stay safe integers; exponents are refused here as well.
 */
export const parseDecimalJson = (text: string): Result<DecimalJson, JsonFault> => read(text, true);

function read(text: string, takesDecimals: boolean): Result<DecimalJson, JsonFault> {
  const cursor: Cursor = { text, takesDecimals, at: 0, valueCount: 0, fault: null };
  const value = readValue(cursor, 0);
  skipSpace(cursor);
  if (value !== undefined && cursor.at < text.length) fail(cursor, 'expected the end');
  return value === undefined || cursor.fault !== null
    ? err(cursor.fault ?? { offset: cursor.at, message: 'expected a value' })
    : ok(value);
}

/** Undefined = refused; the first fault stands in the cursor. */
function readValue(cursor: Cursor, depth: number): DecimalJson | undefined {
  skipSpace(cursor);
  cursor.valueCount += 1;
  if (cursor.valueCount > JSON_VALUES_MAX) return fail(cursor, 'expected fewer values');
  switch (cursor.text[cursor.at] ?? '') {
    case '{':
      return readObject(cursor, depth);
    case '[':
      return readArray(cursor, depth);
    case '"':
      return readString(cursor);
    case 't':
      return readWord(cursor, 'true', true);
    case 'f':
      return readWord(cursor, 'false', false);
    case 'n':
      return readWord(cursor, 'null', null);
    default:
      return readNumber(cursor);
  }
}

function readObject(cursor: Cursor, depth: number): DecimalJson | undefined {
  if (depth >= CANONICAL_DEPTH_MAX) return fail(cursor, 'expected less nesting');
  const members: Record<string, DecimalJson> = {};
  cursor.at += 1;
  skipSpace(cursor);
  if (take(cursor, '}')) return members;
  for (;;) {
    skipSpace(cursor);
    const nameOffset = cursor.at;
    const name = readString(cursor);
    if (name === undefined) return undefined;
    if (name === '__proto__' || Object.hasOwn(members, name)) {
      cursor.at = nameOffset;
      return fail(cursor, 'expected a member name that is new and not __proto__');
    }
    skipSpace(cursor);
    if (!take(cursor, ':')) return fail(cursor, 'expected a colon');
    const value = readValue(cursor, depth + 1);
    if (value === undefined) return undefined;
    members[name] = value;
    skipSpace(cursor);
    if (take(cursor, '}')) return members;
    if (!take(cursor, ',')) return fail(cursor, 'expected a comma or the end of the object');
  }
}

function readArray(cursor: Cursor, depth: number): DecimalJson | undefined {
  if (depth >= CANONICAL_DEPTH_MAX) return fail(cursor, 'expected less nesting');
  const items: DecimalJson[] = [];
  cursor.at += 1;
  skipSpace(cursor);
  if (take(cursor, ']')) return items;
  for (;;) {
    const value = readValue(cursor, depth + 1);
    if (value === undefined) return undefined;
    items.push(value);
    skipSpace(cursor);
    if (take(cursor, ']')) return items;
    if (!take(cursor, ',')) return fail(cursor, 'expected a comma or the end of the array');
  }
}

function readString(cursor: Cursor): string | undefined {
  const startOffset = cursor.at;
  if (!take(cursor, '"')) return fail(cursor, 'expected a string');
  let text = '';
  for (;;) {
    text += takeMatch(cursor, PLAIN_RUN) ?? '';
    if (take(cursor, '"')) break;
    if (!take(cursor, '\\')) return fail(cursor, 'expected an escape or the end of the string');
    const character = readEscape(cursor);
    if (character === undefined) return undefined;
    text += character;
  }
  if (LONE_SURROGATE.test(text)) {
    cursor.at = startOffset;
    return fail(cursor, 'expected a string without lone surrogates');
  }
  return text;
}

function readEscape(cursor: Cursor): string | undefined {
  if (take(cursor, 'u')) {
    const digits = takeMatch(cursor, HEX_4);
    return digits === null
      ? fail(cursor, 'expected four hex digits')
      : String.fromCharCode(parseInt(digits, 16));
  }
  const letter = cursor.text[cursor.at] ?? '';
  if (!Object.hasOwn(ESCAPES, letter)) return fail(cursor, 'expected an escape of JSON');
  cursor.at += 1;
  return ESCAPES[letter];
}

function readNumber(cursor: Cursor): number | DecimalNumber | undefined {
  const startOffset = cursor.at;
  const decimal = cursor.takesDecimals ? takeMatch(cursor, DECIMAL) : null;
  if (decimal !== null) {
    if (decimal.length <= DECIMAL_LENGTH_MAX && !'eE'.includes(cursor.text[cursor.at] ?? ' '))
      return new DecimalNumber(decimal);
    cursor.at = startOffset;
    return fail(cursor, 'expected a decimal number without exponent');
  }
  const digits = takeMatch(cursor, INTEGER);
  if (digits === null) return fail(cursor, 'expected a value');
  const value = Number(digits);
  const isExact = Number.isSafeInteger(value) && !Object.is(value, -0);
  if (isExact && !'.eE'.includes(cursor.text[cursor.at] ?? ' ')) return value;
  cursor.at = startOffset;
  return fail(cursor, 'expected a safe integer');
}

function readWord<Value extends boolean | null>(
  cursor: Cursor,
  word: string,
  value: Value,
): Value | undefined {
  if (!cursor.text.startsWith(word, cursor.at)) return fail(cursor, 'expected a value');
  cursor.at += word.length;
  return value;
}

const skipSpace = (cursor: Cursor): void => void takeMatch(cursor, SPACE);

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

/** What the sticky pattern finds exactly here, or null. */
function takeMatch(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) cursor.at += found.length;
  return found;
}

/** Keeps the first fault. */
function fail(cursor: Cursor, message: string): undefined {
  cursor.fault ??= { offset: cursor.at, message };
  return undefined;
}
