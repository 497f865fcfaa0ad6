/** Brackets open at once in a canonical body, its own included. */
export const BODY_DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/** 1 for bytes that stand for themselves in a string: all but controls, the quote and the backslash. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
);

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

// The members of a body stand in this order and no other: they are sorted.
const ACTOR_ID = ascii('{"actor":{"id":"');
const ACTOR_ROLE = ascii(',"role":"');
const AT = ascii('},"at":"');
const DATA = ascii(',"data":{');
const ID = ascii(',"id":"');
const REQUEST_ID = ascii(',"request_id":"');
const SIGNATURE = ascii(',"signature":{');
/** What stands before each member's value, and whether the value may be null; all of them are strings. */
const SIGNATURE_MEMBERS: readonly (readonly [before: Uint8Array, isNullable: boolean])[] = [
  [ascii('"agent":'), true],
  [ascii(',"coverage":'), false],
  [ascii(',"created":'), true],
  [ascii(',"expires":'), true],
  [ascii(',"keyid":'), false],
  [ascii(',"nonce_hash":'), true],
  [ascii(',"profile":'), false],
  [ascii(',"tag":'), true],
];
const TYPE = ascii(',"type":"');
const OPEN_QUOTE = ascii('"');
const CLOSE = ascii('}');
const VERSION = ascii(',"v":1}');
const LETTER_T = 0x74;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const TRUE = ascii('true');
const FALSE = ascii('false');
const NULL = ascii('null');
const SHORT_ESCAPES = ascii('"\\bfnrt');
/** The controls that have a short escape, which is then the only canonical one: \b \t \n \f \r. */
const SHORT_CONTROLS: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** No position: what was read is not canonical. */
const NOWHERE = -1;

/**
 * Says in one pass whether bytes are the body of an entry in canonical form (RFC 8785 over our closed schema): objects,
 * arrays, strings, booleans, null and safe integers; members sorted by UTF-16 code units, none twice; no white space;
 * escapes only where needed and in their shortest form; at most {@link BODY_DEPTH_MAX} deep; and exactly the members
 * `actor{id,role}`, `at`, `data` (an object), `id`, `request_id`, `type`, `v` (1), all others strings; between `request_id`
 * and `type` there may be `signature{agent,coverage,created,expires,keyid,nonce_hash,profile,tag}`, strings or null.
 *
 * The caller has checked that the bytes are UTF-8, and a zero byte stands behind them, which ends every loop.
 * Not checked: that `at` is an instant, and what `data` holds.
 */
export class BodyScanner {
  #bytes: Uint8Array = new Uint8Array(1);
  #typeBegin = 0;
  #dataBegin = 0;

  /** Whether `bytes` from `begin` to `end` are a canonical body; then {@link typeIs} and {@link dataIsTrue} are of it. */
  scan(bytes: Uint8Array, begin: number, end: number): boolean {
    this.#bytes = bytes;
    let at = this.#string(this.#literal(begin, ACTOR_ID));
    at = this.#string(this.#literal(at, ACTOR_ROLE));
    at = this.#string(this.#literal(at, AT));
    at = this.#literal(at, DATA);
    if (at === NOWHERE) return false;
    this.#dataBegin = at - 1;
    at = this.#value(at - 1, 2);
    at = this.#string(this.#literal(at, ID));
    at = this.#signature(this.#string(this.#literal(at, REQUEST_ID)));
    at = this.#literal(at, TYPE);
    this.#typeBegin = at;
    at = this.#string(at);
    return this.#literal(at, VERSION) === end;
  }

  /** Of a request that was signed; most were not. */
  #signature(from: number): number {
    const inside = this.#literal(from, SIGNATURE);
    if (inside === NOWHERE) return from;
    let at = inside;
    for (const [before, isNullable] of SIGNATURE_MEMBERS) {
      at = this.#literal(at, before);
      const isNull = isNullable && this.#bytes[at] === LETTER_N;
      at = isNull ? this.#literal(at, NULL) : this.#string(this.#literal(at, OPEN_QUOTE));
    }
    return this.#literal(at, CLOSE);
  }

  /** Whether the scanned `type` is this text, which needs no escapes. */
  typeIs(type: Uint8Array): boolean {
    return this.#stringIs(this.#typeBegin, type);
  }

  /**
   * Whether `true` stands in the scanned `data` under these member names, each inside the one before; they need no
   * escapes. Nothing is copied, however large the data.
   */
  dataIsTrue(names: readonly Uint8Array[]): boolean {
    let at = this.#dataBegin;
    for (const name of names) at = this.#member(at, name);
    return this.#literal(at, TRUE) !== NOWHERE;
  }

  /** Where the value of a member starts, in a canonical value; nowhere when it is no object or has no such member. */
  #member(object: number, name: Uint8Array): number {
    const bytes = this.#bytes;
    if (object === NOWHERE || bytes[object] !== OPEN_BRACE) return NOWHERE;
    let at = object + 1;
    while (bytes[at] === QUOTE) {
      const value = this.#string(at + 1) + 1;
      if (this.#stringIs(at + 1, name)) return value;
      // Behind a value stands a comma or the closing brace.
      at = this.#value(value, 1) + 1;
    }
    return NOWHERE;
  }

  #stringIs(begin: number, text: Uint8Array): boolean {
    const end = this.#literal(begin, text);
    return end !== NOWHERE && this.#bytes[end] === QUOTE;
  }

  #text(begin: number, end: number): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + begin, end - begin).toString();
  }

  #literal(from: number, literal: Uint8Array): number {
    if (from === NOWHERE) return NOWHERE;
    const bytes = this.#bytes;
    for (let index = 0; index < literal.length; index += 1) {
      if (bytes[from + index] !== literal[index]) return NOWHERE;
    }
    return from + literal.length;
  }

  /** From behind the opening quote to behind the closing one. */
  #string(from: number): number {
    if (from === NOWHERE) return NOWHERE;
    const bytes = this.#bytes;
    let at = from;
    for (;;) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (PLAIN[byte] === 1) continue;
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) return NOWHERE;
      at = this.#escape(at);
      if (at === NOWHERE) return NOWHERE;
    }
  }

  /** From behind the backslash: a short escape, or `u00` and two lowercase digits for a control without one. */
  #escape(at: number): number {
    const bytes = this.#bytes;
    const letter = bytes[at] ?? 0;
    if (SHORT_ESCAPES.includes(letter)) return at + 1;
    const digits = Buffer.from(bytes.subarray(at, at + 5)).toString('latin1');
    if (!/^u00[01][0-9a-f]$/.test(digits)) return NOWHERE;
    return SHORT_CONTROLS.has(parseInt(digits.slice(3), 16)) ? NOWHERE : at + 5;
  }

  #value(at: number, depth: number): number {
    switch (this.#bytes[at] ?? 0) {
      case QUOTE:
        return this.#string(at + 1);
      case OPEN_BRACE:
        return depth > BODY_DEPTH_MAX ? NOWHERE : this.#object(at + 1, depth);
      case OPEN_BRACKET:
        return depth > BODY_DEPTH_MAX ? NOWHERE : this.#array(at + 1, depth);
      case LETTER_T:
        return this.#literal(at, TRUE);
      case LETTER_F:
        return this.#literal(at, FALSE);
      case LETTER_N:
        return this.#literal(at, NULL);
      default:
        return this.#integer(at);
    }
  }

  #object(from: number, depth: number): number {
    const bytes = this.#bytes;
    if (bytes[from] === CLOSE_BRACE) return from + 1;
    let at = from;
    let nameBefore = NOWHERE;
    for (;;) {
      if (bytes[at] !== QUOTE) return NOWHERE;
      const name = at + 1;
      at = this.#string(name);
      if (at === NOWHERE || bytes[at] !== COLON) return NOWHERE;
      if (nameBefore !== NOWHERE && !this.#isBefore(nameBefore, name)) return NOWHERE;
      nameBefore = name;
      at = this.#value(at + 1, depth + 1);
      if (at === NOWHERE) return NOWHERE;
      const byte = bytes[at];
      at += 1;
      if (byte === CLOSE_BRACE) return at;
      if (byte !== COMMA) return NOWHERE;
    }
  }

  #array(from: number, depth: number): number {
    const bytes = this.#bytes;
    if (bytes[from] === CLOSE_BRACKET) return from + 1;
    let at = from;
    for (;;) {
      at = this.#value(at, depth + 1);
      if (at === NOWHERE) return NOWHERE;
      const byte = bytes[at];
      at += 1;
      if (byte === CLOSE_BRACKET) return at;
      if (byte !== COMMA) return NOWHERE;
    }
  }

  #integer(from: number): number {
    const bytes = this.#bytes;
    const isNegative = bytes[from] === MINUS;
    let at = isNegative ? from + 1 : from;
    const first = bytes[at] ?? 0;
    let value = 0;
    for (;;) {
      const byte = bytes[at] ?? 0;
      if (byte < DIGIT_0 || byte > DIGIT_9) break;
      value = value * 10 + (byte - DIGIT_0);
      if (value > Number.MAX_SAFE_INTEGER) return NOWHERE;
      at += 1;
    }
    const digits = at - (isNegative ? from + 1 : from);
    if (digits === 0 || (first === DIGIT_0 && (digits > 1 || isNegative))) return NOWHERE;
    return at;
  }

  /**
   * Whether one member name sorts before another, both given by their first byte. UTF-8 sorts as code points do; UTF-16
   * puts the code points beyond U+FFFF (first byte f0 and more) in front of U+E000 to U+FFFF (ee and ef).
   */
  #isBefore(left: number, right: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; ; index += 1) {
      const one = bytes[left + index] ?? 0;
      const other = bytes[right + index] ?? 0;
      if (one === BACKSLASH || other === BACKSLASH) return this.#isBeforeUnescaped(left, right);
      if (one === other && one !== QUOTE) continue;
      if (one === QUOTE || other === QUOTE) return other !== QUOTE;
      return one >= 0xee && other >= 0xee && one >= 0xf0 !== other >= 0xf0
        ? one >= 0xf0
        : one < other;
    }
  }

  #isBeforeUnescaped(left: number, right: number): boolean {
    const nameAt = (begin: number): string =>
      JSON.parse(`"${this.#text(begin, this.#string(begin))}`) as string;
    return nameAt(left) < nameAt(right);
  }
}
