import { invariant } from './invariant.js';

/** What canonical bytes may hold (decisions 1.6). Money is a decimal string, an instant an RFC 3339 string. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [member: string]: CanonicalValue };

/** Nesting deeper than this is refused: nothing we write comes near it, and a stack must not decide. */
export const CANONICAL_DEPTH_MAX = 32;

const LONE_SURROGATE = /\p{Surrogate}/u;
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/**
 * RFC 8785 (JCS) text of a closed set of values: strings without lone surrogates, booleans, null, safe integers,
 * arrays without holes and plain objects. Members are sorted by UTF-16 code units.
 * Anything else is a broken invariant: undefined, floats, -0, bigint, dates, class instances, `toJSON`.
 */
export const canonicalize = (value: CanonicalValue): string => print(value, 0);

function print(value: unknown, depth: number): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') {
    invariant(
      Number.isSafeInteger(value) && !Object.is(value, -0),
      'canonical numbers are safe integers, -0 excluded',
    );
    return String(value);
  }
  if (value === null || value === true || value === false) return String(value);
  invariant(typeof value === 'object', `canonical values have no ${typeof value}`);
  invariant(
    depth < CANONICAL_DEPTH_MAX,
    `canonical values nest at most ${CANONICAL_DEPTH_MAX} deep`,
  );
  return Array.isArray(value) ? printArray(value, depth) : printObject(value, depth);
}

function printArray(items: readonly unknown[], depth: number): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    // A hole reads as undefined, which print refuses.
    text += (index === 0 ? '' : ',') + print(items[index], depth + 1);
  }
  return `${text}]`;
}

function printObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  invariant(
    prototype === Object.prototype || prototype === null,
    'canonical objects are plain objects',
  );
  invariant(
    Object.getOwnPropertySymbols(value).length === 0,
    'canonical objects have no symbol members',
  );
  const members = value as Record<string, unknown>;
  let text = '{';
  // Array.prototype.sort compares UTF-16 code units, as RFC 8785 section 3.2.3 asks.
  for (const name of Object.keys(members).sort()) {
    text += `${text === '{' ? '' : ','}${quote(name)}:${print(members[name], depth + 1)}`;
  }
  return `${text}}`;
}

function quote(text: string): string {
  if (PLAIN_TEXT.test(text)) return `"${text}"`;
  invariant(!LONE_SURROGATE.test(text), 'canonical strings have no lone surrogates');
  return JSON.stringify(text);
}
