import { err, ok, type Result } from '../kernel/index.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** Text of letters that stay as they are (application/x-www-form-urlencoded percent-encode set, URL standard). */
const STAYS = /^[A-Za-z0-9*._-]*$/;
const ESCAPE = /%([0-9A-Fa-f]{2})/y;

/** Form decoding: plus is a space, %XX a byte, a percent sign without two digits is itself. */
function decodedBytes(text: string): Buffer {
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    ESCAPE.lastIndex = index;
    const hex = ESCAPE.exec(text)?.[1];
    if (hex !== undefined) {
      bytes.push(Number.parseInt(hex, 16));
      index += 2;
    } else bytes.push(text[index] === '+' ? 0x20 : text.charCodeAt(index) & 0xff);
  }
  return Buffer.from(bytes);
}

/** Decoded and encoded again, with %20 for a space; null: the bytes are no UTF-8. */
export function reencoded(text: string): string | null {
  if (STAYS.test(text)) return text;
  const bytes = decodedBytes(text);
  // Two different wrong byte sequences would decode to the same text, and so to the same base.
  if (!Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)) return null;
  let out = '';
  for (const byte of bytes) {
    const letter = String.fromCharCode(byte);
    out += STAYS.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Raw values by the encoded name of their parameter. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

export function readQuery(query: string): QueryParameters {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = reencoded(equals < 0 ? pair : pair.slice(0, equals));
    if (name === null) continue;
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

/**
 * The value of `@query-param;name="..."` (RFC 9421 section 2.2.8); `name` is compared in its encoded form.
 * Faults: component_not_in_message (no such parameter), bad_component (it occurs twice, or is no UTF-8).
 */
export function queryParameter(
  parameters: QueryParameters,
  name: string,
): Result<string, SignatureFault> {
  const [raw, second] = parameters.get(name) ?? [];
  if (raw === undefined)
    return err(
      fault(
        'component_not_in_message',
        `The query has no parameter ${quoted(name)} (in its encoded form).`,
      ),
    );
  if (second !== undefined)
    return err(
      fault('bad_component', `The query has the parameter ${quoted(name)} more than once.`),
    );
  const value = reencoded(raw);
  return value === null
    ? err(fault('bad_component', `The query parameter ${quoted(name)} is no UTF-8.`))
    : ok(value);
}
