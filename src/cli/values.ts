import { InvalidArgumentError } from 'commander';
import {
  currencyExponent,
  err,
  formatInstant,
  isChosenId,
  isCurrencyCode,
  isDecisionId,
  isPrefixedId,
  type Money,
  ok,
  parseInstant,
  parseMajorUnits,
  parseMinorUnits,
  printMoney,
  type Result,
} from '../core/kernel/index.js';

/** The values of options and arguments: each is read completely or refused with a sentence that says what to give. */

type Parsed<Value> = Result<Value, string>;

const AMOUNT_ADVICE =
  'Give minor units as "2099 INR", or major units with a decimal point as "20.99 INR".';

/**
 * `2099 INR` is 2099 minor units, `20.99 INR` the same in major units: the decimal point decides. Never through a float.
 * Refused: signs, separators, exponents, more digits than the currency has, more than 18 digits.
 */
export function parseAmount(text: string): Parsed<Money> {
  const [, number = '', currency = ''] = /^([0-9.]{1,40}) ([A-Z]{3})$/.exec(text) ?? [];
  if (number === '') return err(AMOUNT_ADVICE);
  if (!isCurrencyCode(currency)) return err(`${currency} is no currency one can pay in.`);
  if (!number.includes('.')) {
    const amountMinor = parseMinorUnits(number);
    return amountMinor === null ? err(AMOUNT_ADVICE) : ok({ amountMinor, currency });
  }
  const parsed = parseMajorUnits(number, currency);
  if (parsed.ok) return parsed;
  return parsed.error === 'amount_too_precise'
    ? err(`${currency} has ${currencyExponent(currency)} digits after the point.`)
    : err(AMOUNT_ADVICE);
}

/** `20.99 INR`: what is printed can be given again. A currency that this program does not know stays in minor units. */
export function printAmount({
  amount,
  currency,
}: {
  readonly amount: string;
  readonly currency: string;
}): string {
  if (!isCurrencyCode(currency) || !/^-?\d{1,40}$/.test(amount)) return `${amount} ${currency}`;
  const printed = printMoney({ amountMinor: BigInt(amount), currency });
  return `${printed.slice(currency.length + 1)} ${currency}`;
}

const DURATION_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `10m`, `2h`, `3d`, in milliseconds. */
export function parseDuration(text: string): Parsed<number> {
  const [, count, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) return err('Give a duration as 90s, 10m, 2h or 3d.');
  return ok(Number(count) * DURATION_MS[unit as keyof typeof DURATION_MS]);
}

/** RFC 3339, printed again in the one form of the wire. */
export function parseTime(text: string): Parsed<string> {
  const atMs = parseInstant(text);
  return atMs === null
    ? err('Give an RFC 3339 time with Z or an offset, as 2026-11-30T09:30:00Z.')
    : ok(formatInstant(atMs));
}

export const parseCount =
  (least: number, most: number) =>
  (text: string): Parsed<number> => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return count >= least && count <= most
      ? ok(count)
      : err(`Give a whole number from ${least} to ${most}.`);
  };

export const parseChosenId = (text: string): Parsed<string> =>
  isChosenId(text)
    ? ok(text)
    : err('Give 1 to 128 letters, digits and ._:@/+- that begin with a letter or digit.');

export const parseDecisionId = (text: string): Parsed<string> =>
  isDecisionId(text) ? ok(text) : err('Give arbdec_ and 12 hexadecimal digits.');

export const parseId =
  (prefix: string) =>
  (text: string): Parsed<string> =>
    isPrefixedId(prefix, text)
      ? ok(text)
      : err(`Give ${prefix}_ and lower-case letters or digits.`);

export const parseWord =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Parsed<Word> => {
    const word = words.find((each) => each === text);
    return word === undefined ? err(`Give ${words.join(' or ')}.`) : ok(word);
  };

const LABEL = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

export const parseLabel = (text: string): Parsed<string> =>
  LABEL.test(text) ? ok(text) : err('Give 1 to 200 characters on one line.');

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

export const parseIdempotencyKey = (text: string): Parsed<string> =>
  VISIBLE_ASCII.test(text) ? ok(text) : err('Give 1 to 255 visible ASCII characters.');

/** A parser as commander takes it: what is refused ends in a line that names the option and the advice. */
export const reading =
  <Value>(parse: (text: string) => Parsed<Value>) =>
  (text: string): Value => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    throw new InvalidArgumentError(parsed.error);
  };

/** The same for an option that may be given several times. */
export const readingEach =
  <Value>(parse: (text: string) => Parsed<Value>) =>
  (text: string, earlier: readonly Value[] | undefined): readonly Value[] => [
    ...(earlier ?? []),
    reading(parse)(text),
  ];
