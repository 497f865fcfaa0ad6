import type { DebitFrequency } from './facts.js';

/**
 * The Indian calendar (fixed +05:30, no daylight saving), computed from milliseconds. No Date object, no time zone
 * database: a replay on another machine or in another year finds the same day.
 */
const OFFSET_MS = 19_800_000;
const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Days since 1970-01-01 in India. */
export const indianDay = (atMs: number): number => Math.floor((atMs + OFFSET_MS) / DAY_MS);

const msOfDay = (atMs: number): number => atMs + OFFSET_MS - indianDay(atMs) * DAY_MS;

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Gregorian date of a day number: years start in March, so that the leap day is their last. */
export function calendarDay(dayNumber: number): CalendarDay {
  const shifted = dayNumber + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export function daysInMonth({ year, month }: CalendarDay): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS_OF_MONTH[month - 1] ?? 31);
}

/** 1 = Monday to 7 = Sunday. 1970-01-01 was a Thursday. */
const weekday = (dayNumber: number): number => ((((dayNumber + 3) % 7) + 7) % 7) + 1;

const MONTHS_PER_CYCLE: Partial<Record<DebitFrequency, number>> = {
  monthly: 1,
  bimonthly: 2,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
};

const monthNumber = (atMs: number): number => {
  const { year, month } = calendarDay(indianDay(atMs));
  return year * 12 + month - 1;
};

/**
 * Number of the debit cycle in which an instant lies; equal numbers = same cycle. Cycles longer than a month count
 * from the month of `anchorMs`, fortnights are the 1st to 15th and the rest of a month (as NPCI counts them).
 * Null: the frequency has no cycle.
 */
export function cycleOf(frequency: DebitFrequency, atMs: number, anchorMs: number): number | null {
  switch (frequency) {
    case 'as_presented':
      return null;
    case 'one_time':
      return 0;
    case 'daily':
      return indianDay(atMs);
    case 'weekly':
      return Math.floor((indianDay(atMs) + 3) / 7);
    case 'fortnightly':
      return monthNumber(atMs) * 2 + (calendarDay(indianDay(atMs)).day > 15 ? 1 : 0);
    case 'monthly':
    case 'bimonthly':
    case 'quarterly':
    case 'half_yearly':
    case 'yearly':
      return Math.floor(
        (monthNumber(atMs) - monthNumber(anchorMs)) / (MONTHS_PER_CYCLE[frequency] ?? 1),
      );
  }
}

export interface DebitDay {
  readonly rule: 'on' | 'before' | 'after';
  readonly day: number;
}

/** Does the instant lie on a day the mandate allows? A day the month does not have falls to the month's end. */
export function fallsOnDebitDay(
  { rule, day }: DebitDay,
  frequency: DebitFrequency,
  atMs: number,
): boolean {
  const { observed, last } = dayWithinCycle(frequency, atMs);
  if (observed === null) return true;
  if (day < 1 || day > 31) return false;
  const allowed = Math.min(day, last);
  if (rule === 'on') return observed === allowed;
  return rule === 'before' ? observed <= allowed : observed >= allowed;
}

function dayWithinCycle(
  frequency: DebitFrequency,
  atMs: number,
): { observed: number | null; last: number } {
  const dayNumber = indianDay(atMs);
  if (frequency === 'weekly') return { observed: weekday(dayNumber), last: 7 };
  if (frequency === 'daily' || frequency === 'as_presented' || frequency === 'one_time') {
    return { observed: null, last: 0 };
  }
  const date = calendarDay(dayNumber);
  if (frequency !== 'fortnightly') return { observed: date.day, last: daysInMonth(date) };
  return date.day <= 15
    ? { observed: date.day, last: 15 }
    : { observed: date.day - 15, last: daysInMonth(date) - 15 };
}

/** The instant itself when it lies in an open window, else the start of the next one. Windows are minutes, half-open. */
export function nextOpeningMs(
  openMinutes: readonly (readonly [number, number])[],
  atMs: number,
): number {
  const minuteOfDay = msOfDay(atMs) / MINUTE_MS;
  const midnightMs = indianDay(atMs) * DAY_MS - OFFSET_MS;
  for (const [startMinute, endMinute] of openMinutes) {
    if (minuteOfDay < startMinute) return midnightMs + startMinute * MINUTE_MS;
    if (minuteOfDay < endMinute) return atMs;
  }
  return midnightMs + DAY_MS + (openMinutes[0]?.[0] ?? 0) * MINUTE_MS;
}
