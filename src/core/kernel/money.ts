import { type CurrencyCode, currencyExponent, isCurrencyCode } from './currency.js';
import { invariant } from './invariant.js';
import { err, ok, type Result } from './result.js';

/** An amount of minor units in one ISO 4217 currency. Never a float, never without its currency. */
export interface Money {
  readonly amountMinor: bigint;
  readonly currency: CurrencyCode;
}

/** Largest amount accepted or added up: 18 decimal digits, so that a sum of many still fits PostgreSQL's numeric(20). */
export const AMOUNT_MINOR_MAX = 999_999_999_999_999_999n;

const MINOR_UNITS = /^(?:0|[1-9]\d{0,17})$/;
const SIGNED_MINOR_UNITS = /^(?:0|-?[1-9]\d{0,17})$/;

/** Minor units as callers and ledgers spell them: a decimal string, no sign, no leading zero, at most 18 digits. */
export const parseMinorUnits = (text: string): bigint | null =>
  MINOR_UNITS.test(text) ? BigInt(text) : null;

/** As {@link parseMinorUnits}, with a leading minus allowed: for amounts that a rule must see in order to refuse them. */
export const parseSignedMinorUnits = (text: string): bigint | null =>
  SIGNED_MINOR_UNITS.test(text) ? BigInt(text) : null;

export type MoneyFault =
  'currency_unknown' | 'amount_malformed' | 'amount_too_precise' | 'amount_out_of_range';

/**
 * Reads an amount of major units (`"20.99"`, `"2099"`, `"0.5"`) into minor units by the currency's ISO exponent.
 * Digits and one point only: no sign, no exponent, no separators, no surrounding space, no leading zeros.
 * Faults, in order: currency_unknown, amount_malformed, amount_too_precise, amount_out_of_range.
 */
export function parseMajorUnits(text: string, currency: string): Result<Money, MoneyFault> {
  if (!isCurrencyCode(currency)) return err('currency_unknown');
  const match = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  if (!match) return err('amount_malformed');
  const [, whole = '', fraction = ''] = match;
  const exponent = currencyExponent(currency);
  if (fraction.length > exponent) return err('amount_too_precise');
  const amountMinor = BigInt(whole + fraction.padEnd(exponent, '0'));
  return amountMinor > AMOUNT_MINOR_MAX
    ? err('amount_out_of_range')
    : ok({ amountMinor, currency });
}

/** Prints major units with all digits of the currency, e.g. `INR 20.99`, `JPY 2099`. For people, never for hashing. */
export function printMoney({ amountMinor, currency }: Money): string {
  const exponent = currencyExponent(currency);
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor)
    .toString()
    .padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${currency} ${sign}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}`;
}

/** The sum of amounts of one currency. Mixing currencies is a broken invariant: compare them first. */
export function addMoney(left: Money, right: Money): Money {
  invariant(left.currency === right.currency, 'amounts of different currencies are never added');
  return { amountMinor: left.amountMinor + right.amountMinor, currency: left.currency };
}

/** -1, 0 or 1. Comparing currencies that differ is a broken invariant. */
export function compareMoney(left: Money, right: Money): -1 | 0 | 1 {
  invariant(left.currency === right.currency, 'amounts of different currencies are never compared');
  if (left.amountMinor === right.amountMinor) return 0;
  return left.amountMinor < right.amountMinor ? -1 : 1;
}
