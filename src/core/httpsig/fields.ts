import { err, ok, type Result } from '../kernel/index.js';
import { type HeaderLine, type HttpMessage } from './message.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

/** Values of all lines of one field, in order, as sent. `name` is in lower case. */
export function linesOf(lines: readonly HeaderLine[], name: string): readonly string[] {
  const found: string[] = [];
  for (const line of lines) {
    // No destructuring: it makes an iterator for each line of each request.
    const lineName = line[0];
    if (lineName.length === name.length && lineName.toLowerCase() === name) found.push(line[1]);
  }
  return found;
}

const PLAIN = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;
/** Bytes of a field (RFC 9110 section 5.5), read as Latin-1; no other control characters. */
const FIELD_BYTES = /^[\t\x20-\x7e\x80-\xff]*$/;
const SPACE: ReadonlySet<string | undefined> = new Set([' ', '\t', '\r', '\n']);

/** One line as RFC 9421 section 2.1 takes it: outer space removed, an obs-fold made one space; inner space stays. */
export function normalisedLine(value: string): string {
  if (PLAIN.test(value)) return value;
  // A line break that no space follows is no fold; it stays, and is refused by who looks at the bytes.
  const lines = trimmed(value).split('\n');
  const isFolded = lines.slice(1).every((line) => line.startsWith(' ') || line.startsWith('\t'));
  return isFolded ? lines.map(trimmed).join(' ') : trimmed(value);
}

/** By hand: a pattern for space at an end takes quadratic time for long runs inside. */
function trimmed(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && SPACE.has(value[start])) start += 1;
  while (end > start && SPACE.has(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

/**
 * The lines of a field, normalised. Faults: component_not_in_message (no such field), bad_component (a line break or
 * another control character that would forge lines of the base).
 */
export function fieldLines(
  lines: readonly HeaderLine[],
  name: string,
): Result<readonly string[], SignatureFault> {
  const found = linesOf(lines, name).map(normalisedLine);
  if (found.length === 0)
    return err(fault('component_not_in_message', `The message has no field ${quoted(name)}.`));
  if (!found.every((line) => FIELD_BYTES.test(line)))
    return err(fault('bad_component', `The field ${quoted(name)} holds control characters.`));
  return ok(found);
}

/** The combined value of a header field; null: it is absent or not readable. */
export function headerValue(message: HttpMessage, name: string): string | null {
  const found = linesOf(message.headers, name);
  const [only] = found;
  if (only === undefined) return null;
  return found.length === 1 ? normalisedLine(only) : found.map(normalisedLine).join(', ');
}
