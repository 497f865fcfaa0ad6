import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMoney,
  AMOUNT_MINOR_MAX,
  compareMoney,
  CURRENCY_CODES,
  currencyExponent,
  InvariantError,
  type Money,
  parseMajorUnits,
  parseMinorUnits,
  parseSignedMinorUnits,
  printMoney,
} from './index.js';

const anyCurrency = fc.constantFrom(...CURRENCY_CODES);
const anyAmount = fc.bigInt({ min: 0n, max: AMOUNT_MINOR_MAX });
const inr = (amountMinor: bigint): Money => ({ amountMinor, currency: 'INR' });

/** What BigInt() would read, and other spellings of a number that are no amount of minor units. */
const TRAPS = [
  ...['', ' ', ' 7', '7 ', '7\n', '+7', '--7', '-0', '00', '07', '0x1f', '0b1', '0o7', '1n'],
  ...['1_000', '1,000', '1 000', '1.0', '.5', '5.', '1e3', '1E3', 'NaN', 'Infinity', '٣', '１'],
  '1000000000000000000',
];

describe('minor units', () => {
  it.each(TRAPS)('%j is no amount', (text) => {
    expect(parseMinorUnits(text)).toBeNull();
    expect(parseSignedMinorUnits(text)).toBeNull();
  });

  it('reads zero to 18 digits exactly, beyond what a float holds', () => {
    expect(parseMinorUnits('0')).toBe(0n);
    expect(parseMinorUnits('9007199254740993')).toBe(9_007_199_254_740_993n);
    expect(parseMinorUnits('999999999999999999')).toBe(AMOUNT_MINOR_MAX);
    expect(parseMinorUnits('-1')).toBeNull();
    expect(parseSignedMinorUnits('-1')).toBe(-1n);
    expect(parseSignedMinorUnits('-999999999999999999')).toBe(-AMOUNT_MINOR_MAX);
  });

  it('accepts a text exactly when printing the number gives it back', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 20 }),
          fc.stringMatching(/^[+-]?[0-9]{1,20}$/),
          fc.bigInt().map(String),
        ),
        (text) => {
          const parsed = parseSignedMinorUnits(text);
          if (parsed !== null) expect(parsed.toString()).toBe(text);
          expect(parsed !== null).toBe(/^(0|-?[1-9]\d{0,17})$/.test(text) && !text.endsWith('\n'));
        },
      ),
    );
  });
});

describe('major units', () => {
  it.each([
    ['20.99', 'INR', 2_099n],
    ['2099', 'INR', 209_900n],
    ['0.5', 'INR', 50n],
    ['0', 'INR', 0n],
    ['0.00', 'INR', 0n],
    ['2099', 'JPY', 2_099n],
    ['1.234', 'KWD', 1_234n],
    ['1.2', 'KWD', 1_200n],
    ['0.1', 'USD', 10n],
    ['1.15', 'USD', 115n],
    ['4.35', 'USD', 435n],
    ['9999999999999999.99', 'INR', AMOUNT_MINOR_MAX],
    ['999999999999999999', 'JPY', AMOUNT_MINOR_MAX],
    ['999999999999999.999', 'KWD', AMOUNT_MINOR_MAX],
  ])('%s %s', (text, currency, amountMinor) => {
    expect(parseMajorUnits(text, currency)).toEqual({ ok: true, value: { amountMinor, currency } });
  });

  it.each([
    ['1', 'XAU', 'currency_unknown'],
    ['garbage', 'inr', 'currency_unknown'],
    ['', 'INR', 'amount_malformed'],
    ['-1', 'INR', 'amount_malformed'],
    ['+1', 'INR', 'amount_malformed'],
    ['01', 'INR', 'amount_malformed'],
    ['1.', 'INR', 'amount_malformed'],
    ['.5', 'INR', 'amount_malformed'],
    ['1e2', 'INR', 'amount_malformed'],
    ['1,50', 'INR', 'amount_malformed'],
    ['1,00,000', 'INR', 'amount_malformed'],
    [' 1', 'INR', 'amount_malformed'],
    ['1\n', 'INR', 'amount_malformed'],
    ['0x1f', 'INR', 'amount_malformed'],
    ['NaN', 'INR', 'amount_malformed'],
    ['1.234', 'INR', 'amount_too_precise'],
    ['1.000', 'INR', 'amount_too_precise'],
    ['1.0', 'JPY', 'amount_too_precise'],
    ['99999999999999999.999', 'INR', 'amount_too_precise'],
    ['10000000000000000.00', 'INR', 'amount_out_of_range'],
    ['1000000000000000000', 'JPY', 'amount_out_of_range'],
  ])('%j %s is refused as %s', (text, currency, fault) => {
    expect(parseMajorUnits(text, currency)).toEqual({ ok: false, error: fault });
  });

  it('parse(print(amount)) = amount, in every currency', () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, (amountMinor, currency) => {
        const [code, text = ''] = printMoney({ amountMinor, currency }).split(' ');
        expect(code).toBe(currency);
        expect(text.split('.')[1]?.length ?? 0).toBe(currencyExponent(currency));
        expect(parseMajorUnits(text, currency)).toEqual({
          ok: true,
          value: { amountMinor, currency },
        });
      }),
    );
  });

  it('never goes through a float', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: AMOUNT_MINOR_MAX }), (amountMinor) => {
        const digits = amountMinor.toString();
        const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
        const parsed = parseMajorUnits(text, 'INR');
        expect(parsed.ok && parsed.value.amountMinor).toBe(amountMinor);
      }),
    );
  });

  it('prints all digits, and signs that callers may not write', () => {
    expect(printMoney(inr(5n))).toBe('INR 0.05');
    expect(printMoney(inr(-2_099n))).toBe('INR -20.99');
    expect(printMoney(inr(-5n))).toBe('INR -0.05');
    expect(printMoney({ amountMinor: 0n, currency: 'JPY' })).toBe('JPY 0');
    expect(printMoney({ amountMinor: 1n, currency: 'KWD' })).toBe('KWD 0.001');
  });
});

describe('sums and comparisons', () => {
  it('add and compare like the integers they are', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (left, right) => {
        expect(addMoney(inr(left), inr(right))).toEqual(inr(left + right));
        const sign = left === right ? 0 : left < right ? -1 : 1;
        expect(compareMoney(inr(left), inr(right))).toBe(sign);
      }),
    );
  });

  it('the sum of two largest amounts is not rounded', () => {
    const sum = addMoney(inr(AMOUNT_MINOR_MAX), inr(AMOUNT_MINOR_MAX));
    expect(sum.amountMinor).toBe(1_999_999_999_999_999_998n);
  });

  it('two currencies are a broken invariant', () => {
    const usd: Money = { amountMinor: 1n, currency: 'USD' };
    expect(() => addMoney(inr(1n), usd)).toThrow(InvariantError);
    expect(() => compareMoney(inr(1n), usd)).toThrow(InvariantError);
  });
});
