import { describe, expect, it } from 'vitest';
import { readCandidate } from './candidate.js';

const INR = { currency: 'INR', order_max_minor: '500000', daily_max_minor: '5000000' };
const ABSENT = { currency: 'INR', order_max_minor: '200000', items_max: 5 };
const GOOD = { currencies: [INR], items_max: 10, not_present: ABSENT };

describe('candidate limits', () => {
  it('are the body of PUT limits', () => {
    expect(readCandidate(JSON.stringify(GOOD))).toEqual({
      ok: true,
      value: {
        currencies: [{ currency: 'INR', orderMaxMinor: 500_000n, dailyMaxMinor: 5_000_000n }],
        itemsMax: 10,
        notPresent: { currency: 'INR', orderMaxMinor: 200_000n, dailyMaxMinor: null, itemsMax: 5 },
      },
    });
  });

  it.each<[string, unknown, string]>([
    ['no object', [], ''],
    ['an unknown member', { ...GOOD, version: 3 }, '/version'],
    ['no currencies', { items_max: 10 }, '/currencies'],
    ['an empty list', { ...GOOD, currencies: [] }, '/currencies'],
    [
      'no such currency',
      { ...GOOD, currencies: [{ ...INR, currency: 'XXX' }] },
      '/currencies/0/currency',
    ],
    [
      'an amount as a number',
      { ...GOOD, currencies: [{ ...INR, order_max_minor: 5 }] },
      '/currencies/0/order_max_minor',
    ],
    [
      'a daily maximum below',
      { ...GOOD, currencies: [{ ...INR, daily_max_minor: '1' }] },
      '/currencies/0/daily_max_minor',
    ],
    ['the same currency twice', { ...GOOD, currencies: [INR, INR] }, '/currencies/1/currency'],
    ['no items', { ...GOOD, items_max: '10' }, '/items_max'],
    ['too many items', { ...GOOD, items_max: 10_001 }, '/items_max'],
    ['an unknown member of it', { ...GOOD, not_present: { ...ABSENT, x: 1 } }, '/not_present/x'],
    [
      'more for absent buyers',
      { ...GOOD, not_present: { ...ABSENT, items_max: 11 } },
      '/not_present/items_max',
    ],
  ])('%s: field and fix are named', (_name, document, field) => {
    const read = readCandidate(JSON.stringify(document));
    expect(read.ok ? null : [read.error.code, read.error.field]).toEqual([
      'validation_failed',
      field,
    ]);
    expect(read.ok ? '' : read.error.fix).not.toBe('');
  });

  it('no strict JSON is none', () => {
    expect(readCandidate('{"items_max":1,"items_max":2}')).toMatchObject({ ok: false });
  });
});
