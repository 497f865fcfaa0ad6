import { canonicalize, type DecimalJson, DecimalNumber } from '../../kernel/index.js';
import { isList, isObject } from './sd-jwt.js';

/**
 * RFC 8785 text of JSON that may hold fractions: a fraction is printed as the number it is (section 3.2.2.3), so `19.90`
 * is `19.9`. AP2 v0.1 leaves the canonical form of its hashes open; this is ours (facts/protocols.md 4.2).
 */
export function jcsOf(value: DecimalJson): string {
  if (value instanceof DecimalNumber) return String(Number(value.text));
  if (isList(value)) return `[${value.map(jcsOf).join(',')}]`;
  if (!isObject(value)) return canonicalize(value);
  // Array.prototype.sort compares UTF-16 code units, as RFC 8785 section 3.2.3 asks.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${canonicalize(name)}:${jcsOf(value[name] as DecimalJson)}`);
  return `{${members.join(',')}}`;
}
