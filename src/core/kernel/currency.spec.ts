import currencyCodes from 'currency-codes';
import { describe, expect, it } from 'vitest';
import { describeWithOracle } from '../../../test/support/oracles.js';
import { CURRENCY_CODES, currencyExponent, InvariantError, isCurrencyCode } from './index.js';

interface IsoRow {
  readonly code: string;
  readonly exponent: number | null;
  readonly kind: string;
}

describeWithOracle<{
  codes: readonly IsoRow[];
  recentlyWithdrawn: readonly { code: string }[];
}>('payments/iso4217-exponents.json', 'our table against ISO 4217, row by row', (iso) => {
  it.each(iso.codes.map((row) => [row.code, row] as const))('%s', (code, { exponent, kind }) => {
    const isForOrders = kind === 'currency' && exponent !== null;
    expect(isCurrencyCode(code)).toBe(isForOrders);
    if (isForOrders) expect(currencyExponent(code)).toBe(exponent);
  });

  it('holds nothing else, least of all what was withdrawn', () => {
    const listed = new Set(iso.codes.map((row) => row.code));
    expect(CURRENCY_CODES.filter((code) => !listed.has(code))).toEqual([]);
    expect(iso.recentlyWithdrawn.filter(({ code }) => isCurrencyCode(code))).toEqual([]);
  });
});

describe('our table against the package currency-codes (its list is of 2024-06-25)', () => {
  const theirs = new Map(currencyCodes.data.map((row) => [row.code, row.digits]));

  it('differs by the codes that came and went since, and by what cannot be paid with', () => {
    expect(CURRENCY_CODES.filter((code) => !theirs.has(code))).toEqual(['XCG']);
    const onlyThere = [...theirs.keys()].filter((code) => !isCurrencyCode(code)).sort();
    expect(onlyThere).toEqual([
      ...['ANG', 'BGN', 'BOV', 'CHE', 'CHW', 'CLF', 'COU', 'CUC', 'MXV', 'USN', 'UYI', 'UYW'],
      ...[
        'XAG',
        'XAU',
        'XBA',
        'XBB',
        'XBC',
        'XBD',
        'XDR',
        'XPD',
        'XPT',
        'XSU',
        'XTS',
        'XUA',
        'XXX',
      ],
    ]);
  });

  it('agrees on every exponent', () => {
    const differing = CURRENCY_CODES.filter(
      (code) => theirs.has(code) && theirs.get(code) !== currencyExponent(code),
    );
    expect(differing).toEqual([]);
  });
});

describe('codes', () => {
  it('are three capital letters of the table and nothing near them', () => {
    for (const text of ['inr', 'Inr', ' INR', 'INR ', 'INR\n', 'IN', 'INRR', '', 'constructor']) {
      expect(isCurrencyCode(text)).toBe(false);
    }
  });

  it('are sorted, each once', () => {
    expect(CURRENCY_CODES).toEqual([...new Set(CURRENCY_CODES)].sort());
  });

  it('without a row have no exponent', () => {
    expect(() => currencyExponent('XAU')).toThrow(InvariantError);
  });

  it('do not follow Intl, which gives the forint no digits', () => {
    const intl = new Intl.NumberFormat('en', { style: 'currency', currency: 'HUF' });
    expect(intl.resolvedOptions().maximumFractionDigits).not.toBe(currencyExponent('HUF'));
  });
});
