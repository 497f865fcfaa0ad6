import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atIst } from '../../../../test/support/rbi-purchases.js';
import { INSTANT_MS_MAX, INSTANT_MS_MIN } from '../../kernel/index.js';
import { DEBIT_FREQUENCIES } from './facts.js';
import {
  calendarDay,
  cycleOf,
  DAY_MS,
  daysInMonth,
  fallsOnDebitDay,
  indianDay,
  nextOpeningMs,
} from './indian-time.js';

/** All instants that both calendars can spell after the shift to India. */
const instant = fc.integer({ min: INSTANT_MS_MIN, max: INSTANT_MS_MAX - DAY_MS });

describe('the Indian calendar by arithmetic', () => {
  it('agrees with Date on year, month, day and length of month', () => {
    fc.assert(
      fc.property(instant, (atMs) => {
        const shifted = new Date(atMs + 19_800_000);
        const date = calendarDay(indianDay(atMs));
        expect(date).toEqual({
          year: shifted.getUTCFullYear(),
          month: shifted.getUTCMonth() + 1,
          day: shifted.getUTCDate(),
        });
        const monthEnd = new Date(0);
        monthEnd.setUTCFullYear(date.year, date.month, 0);
        expect(daysInMonth(date)).toBe(monthEnd.getUTCDate());
      }),
      { numRuns: 2_000 },
    );
  });

  it('the day turns at 18:30 UTC', () => {
    const midnight = Date.UTC(2026, 10, 30, 18, 30);
    expect(calendarDay(indianDay(midnight - 1)).day).toBe(30);
    expect(calendarDay(indianDay(midnight))).toEqual({ year: 2026, month: 12, day: 1 });
  });
});

describe('cycles', () => {
  const anchor = atIst('2026-02-10T00:00:00');
  const same = (frequency: (typeof DEBIT_FREQUENCIES)[number], left: string, right: string) =>
    cycleOf(frequency, atIst(`${left}T12:00:00`), anchor) ===
    cycleOf(frequency, atIst(`${right}T12:00:00`), anchor);

  it.each([
    ['daily', '2026-11-30', '2026-11-30', '2026-12-01'],
    ['weekly', '2026-11-30', '2026-12-06', '2026-12-07'],
    ['fortnightly', '2026-11-16', '2026-11-30', '2026-11-15'],
    ['monthly', '2026-11-01', '2026-11-30', '2026-12-01'],
    ['bimonthly', '2026-10-01', '2026-11-30', '2026-12-01'],
    ['quarterly', '2026-08-01', '2026-10-31', '2026-11-01'],
    ['half_yearly', '2026-08-01', '2027-01-31', '2027-02-01'],
    ['yearly', '2026-02-01', '2027-01-31', '2027-02-01'],
    ['one_time', '2026-02-01', '2030-01-31', null],
  ] as const)('%s', (frequency, first, last, other) => {
    expect(same(frequency, first, last)).toBe(true);
    if (other !== null) expect(same(frequency, first, other)).toBe(false);
  });

  it('the next cycle has the next number', () => {
    const next = (frequency: (typeof DEBIT_FREQUENCIES)[number], left: string, right: string) =>
      (cycleOf(frequency, atIst(`${right}T12:00:00`), anchor) ?? 0) -
      (cycleOf(frequency, atIst(`${left}T12:00:00`), anchor) ?? 0);
    expect(next('fortnightly', '2026-11-15', '2026-11-16')).toBe(1);
    expect(next('fortnightly', '2026-11-30', '2026-12-01')).toBe(1);
    expect(next('monthly', '2026-12-31', '2027-01-01')).toBe(1);
    expect(next('quarterly', '2027-01-31', '2027-02-01')).toBe(1);
  });

  it('as presented has none', () => {
    expect(cycleOf('as_presented', anchor, anchor)).toBeNull();
  });

  it('never run backwards', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DEBIT_FREQUENCIES),
        instant,
        fc.nat({ max: 400 * DAY_MS }),
        (frequency, atMs, laterMs) => {
          fc.pre(atMs + laterMs <= INSTANT_MS_MAX - DAY_MS);
          const cycle = cycleOf(frequency, atMs, anchor);
          const later = cycleOf(frequency, atMs + laterMs, anchor);
          expect(cycle === null || later === null || cycle <= later).toBe(true);
        },
      ),
    );
  });
});

describe('debit days', () => {
  const on = (day: string, rule: 'on' | 'before' | 'after', number: number) =>
    fallsOnDebitDay({ rule, day: number }, 'monthly', atIst(`${day}T12:00:00`));

  it('on, before and after a day include that day', () => {
    expect(['2026-11-14', '2026-11-15', '2026-11-16'].map((day) => on(day, 'on', 15))).toEqual([
      false,
      true,
      false,
    ]);
    expect(['2026-11-14', '2026-11-15', '2026-11-16'].map((day) => on(day, 'before', 15))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['2026-11-14', '2026-11-15', '2026-11-16'].map((day) => on(day, 'after', 15))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('weeks count from Monday, fortnights from the 1st and the 16th', () => {
    const weekly = (day: string, number: number) =>
      fallsOnDebitDay({ rule: 'on', day: number }, 'weekly', atIst(`${day}T12:00:00`));
    expect(weekly('2026-11-30', 1)).toBe(true);
    expect(weekly('2026-12-06', 7)).toBe(true);
    const fortnightly = (day: string, number: number) =>
      fallsOnDebitDay({ rule: 'on', day: number }, 'fortnightly', atIst(`${day}T12:00:00`));
    expect(fortnightly('2026-11-15', 15)).toBe(true);
    expect(fortnightly('2026-11-16', 1)).toBe(true);
    expect(fortnightly('2027-02-28', 15)).toBe(true);
  });

  it('a day that no month has permits nothing; a frequency without days permits any', () => {
    expect(on('2026-11-15', 'after', 0)).toBe(false);
    expect(on('2026-11-15', 'before', 32)).toBe(false);
    for (const frequency of ['daily', 'as_presented', 'one_time'] as const) {
      expect(fallsOnDebitDay({ rule: 'on', day: 1 }, frequency, anchorOf())).toBe(true);
    }
  });
});

const anchorOf = (): number => atIst('2026-11-15T12:00:00');

describe('windows', () => {
  it('the next opening is open, never earlier, and nothing between is open', () => {
    const open = [
      [0, 600],
      [780, 1020],
      [1290, 1440],
    ] as const;
    fc.assert(
      fc.property(instant, (atMs) => {
        const openingMs = nextOpeningMs(open, atMs);
        expect(openingMs).toBeGreaterThanOrEqual(atMs);
        expect(nextOpeningMs(open, openingMs)).toBe(openingMs);
        if (openingMs > atMs) expect(nextOpeningMs(open, openingMs - 1)).toBe(openingMs);
      }),
    );
  });

  it('a day without a window until midnight opens on the next', () => {
    const atMs = atIst('2026-11-30T23:00:00');
    expect(nextOpeningMs([[60, 120]], atMs)).toBe(atIst('2026-12-01T01:00:00'));
  });
});
