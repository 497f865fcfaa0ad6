import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLimits, ITEMS_MAX_MAX, type LimitsDraft } from './limits-draft.js';

const away = { currency: 'INR', orderMaxMinor: 50n, itemsMax: 5, dailyMaxMinor: 200n };
const good: LimitsDraft = {
  currencies: [
    { currency: 'INR', orderMaxMinor: 100n, dailyMaxMinor: 400n },
    { currency: 'JPY', orderMaxMinor: 10n, dailyMaxMinor: null },
  ],
  itemsMax: 10,
  notPresent: away,
};
const inr = (orderMaxMinor: bigint, dailyMaxMinor: bigint | null): LimitsDraft => ({
  ...good,
  currencies: [{ currency: 'INR', orderMaxMinor, dailyMaxMinor }],
  notPresent: null,
});
const withAway = (change: Partial<NonNullable<LimitsDraft['notPresent']>>): LimitsDraft => ({
  ...good,
  notPresent: { ...away, ...change },
});

describe('limits', () => {
  it.each<[string, LimitsDraft]>([
    ['as given', good],
    ['without not-present limits', { ...good, notPresent: null }],
    ['a daily maximum equal to the order maximum', inr(100n, 100n)],
    ['no daily maximum', inr(1n, null)],
    ['the most items', { ...good, itemsMax: ITEMS_MAX_MAX }],
    ['the smallest amount', inr(1n, 1n)],
    [
      'away equal to normal (G3)',
      withAway({ orderMaxMinor: 100n, itemsMax: 10, dailyMaxMinor: 400n }),
    ],
    ['away without a daily maximum', withAway({ dailyMaxMinor: null })],
    [
      'away with a daily maximum where the normal one is open',
      withAway({ currency: 'JPY', orderMaxMinor: 10n, dailyMaxMinor: 999n }),
    ],
  ])('accepts %s', (_name, limits) => {
    expect(checkLimits(limits)).toEqual({ ok: true, value: limits });
  });

  it.each<[string, LimitsDraft, string]>([
    ['no currency', { ...good, currencies: [], notPresent: null }, '/currencies'],
    [
      'a currency twice',
      { ...good, currencies: [...good.currencies, ...good.currencies] },
      '/currencies/2/currency',
    ],
    ['an order maximum of nothing', inr(0n, null), '/currencies/0/order_max_minor'],
    ['an amount of 19 digits', inr(10n ** 18n, null), '/currencies/0/order_max_minor'],
    ['a daily maximum below the order maximum', inr(100n, 99n), '/currencies/0/daily_max_minor'],
    ['no items', { ...good, itemsMax: 0 }, '/items_max'],
    ['one item too many', { ...good, itemsMax: ITEMS_MAX_MAX + 1 }, '/items_max'],
    ['away in a currency without limits', withAway({ currency: 'EUR' }), '/not_present/currency'],
    ['away with nothing', withAway({ orderMaxMinor: 0n }), '/not_present/order_max_minor'],
    [
      'away above the order maximum',
      withAway({ orderMaxMinor: 101n }),
      '/not_present/order_max_minor',
    ],
    ['away above the items', withAway({ itemsMax: 11 }), '/not_present/items_max'],
    [
      'away above the daily maximum',
      withAway({ dailyMaxMinor: 401n }),
      '/not_present/daily_max_minor',
    ],
    [
      'away in another currency by the limits of that currency',
      withAway({ currency: 'JPY', orderMaxMinor: 11n }),
      '/not_present/order_max_minor',
    ],
    [
      'away daily below away order',
      withAway({ dailyMaxMinor: 49n }),
      '/not_present/daily_max_minor',
    ],
  ])('refuses %s and names the field', (_name, limits, field) => {
    const checked = checkLimits(limits);
    expect(checked).toMatchObject({ ok: false, error: { code: 'validation_failed', field } });
  });

  it('never lets away exceed normal, for any accepted limits', () => {
    const amount = fc.bigInt({ min: 0n, max: 20n });
    const daily = fc.option(amount);
    const draft = fc.record({
      currencies: fc.array(
        fc.record({
          currency: fc.constantFrom('INR', 'JPY'),
          orderMaxMinor: amount,
          dailyMaxMinor: daily,
        }),
        { maxLength: 3 },
      ),
      itemsMax: fc.integer({ min: 0, max: 4 }),
      notPresent: fc.record({
        currency: fc.constantFrom('INR', 'JPY', 'EUR'),
        orderMaxMinor: amount,
        itemsMax: fc.integer({ min: 0, max: 4 }),
        dailyMaxMinor: daily,
      }),
    });
    fc.assert(
      fc.property(draft, (limits) => {
        if (!checkLimits(limits).ok) return;
        const normal = limits.currencies.filter(
          ({ currency }) => currency === limits.notPresent.currency,
        );
        expect(normal).toHaveLength(1);
        expect(limits.notPresent.orderMaxMinor <= (normal[0]?.orderMaxMinor ?? 0n)).toBe(true);
        expect(limits.notPresent.itemsMax).toBeLessThanOrEqual(limits.itemsMax);
      }),
      { numRuns: 2_000 },
    );
  });
});
