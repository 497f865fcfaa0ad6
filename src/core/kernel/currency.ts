import { invariant } from './invariant.js';

/**
 * ISO 4217 list one as of 2026-01-01 (amendment 180): the codes of kind "currency" with their minor-unit exponents.
 * Funds, metals, bond units, test codes and codes without an exponent cannot be used to pay and are left out.
 * Written out on purpose: `Intl` is not ISO (it gives HUF no digits), and npm lists lag behind.
 */
const CODES_BY_EXPONENT = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF ' +
    'CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD ' +
    'HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA ' +
    'MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN ' +
    'QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP ' +
    'TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

/** Three capital letters of the table above; every door checks with {@link isCurrencyCode} before it uses the name. */
export type CurrencyCode = string;

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(exponent)]),
  ),
);

export const CURRENCY_CODES: readonly string[] = [...exponents.keys()].sort();

export const isCurrencyCode = (text: string): boolean => exponents.has(text);

/** Decimal digits of the minor unit: INR 2, JPY 0, KWD 3. */
export function currencyExponent(currency: CurrencyCode): number {
  const exponent = exponents.get(currency);
  invariant(exponent !== undefined, 'a currency code comes from the table');
  return exponent;
}
