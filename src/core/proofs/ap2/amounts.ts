import {
  currencyExponent,
  type DecimalJson,
  DecimalNumber,
  isCurrencyCode,
} from '../../kernel/index.js';

/** Whole digits of an amount in major units. */
const WHOLE_DIGITS_MAX = 15;

/**
 * Minor units of an amount that a protocol writes in major units, or null: not a number from zero, or more precise than
 * the currency (facts/protocols.md 4.2, 4.6). Reads the digits as they were written; no float takes part.
 */
export function minorOfMajor(value: DecimalJson | undefined, currency: string): bigint | null {
  if (!isCurrencyCode(currency)) return null;
  const text =
    value instanceof DecimalNumber ? value.text : typeof value === 'number' ? String(value) : '';
  const found = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) return null;
  const [, whole = '', fraction = ''] = found;
  const exponent = currencyExponent(currency);
  const significant = fraction.replace(/0+$/, '');
  if (whole.length > WHOLE_DIGITS_MAX || significant.length > exponent) return null;
  return BigInt(whole + significant.padEnd(exponent, '0'));
}
