import { invariant } from './invariant.js';

/** Milliseconds since 1970-01-01T00:00:00Z, a safe integer. Inside the house every instant has this form. */
export type InstantMs = number;

/** 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z: what RFC 3339 can spell. */
export const INSTANT_MS_MIN = -62_167_219_200_000;
export const INSTANT_MS_MAX = 253_402_300_799_999;

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

export const isInstantMs = (value: unknown): value is InstantMs =>
  Number.isSafeInteger(value) &&
  (value as number) >= INSTANT_MS_MIN &&
  (value as number) <= INSTANT_MS_MAX;

/** Prints the one form used on the wire and in canonical bytes: RFC 3339, UTC, three fraction digits (decisions 1.5). */
export function formatInstant(atMs: InstantMs): string {
  invariant(
    isInstantMs(atMs),
    'an instant is a safe integer of milliseconds within years 0000 to 9999',
  );
  return new Date(atMs).toISOString();
}

/**
 * Reads RFC 3339 as callers write it: `Z` or a numeric offset, at most three fraction digits.
 * Returns null for anything else, impossible dates and leap seconds included.
 */
export function parseInstant(text: string): InstantMs | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
  const localMs = Date.parse(local);
  // Date.parse rolls some impossible dates over (2026-02-30); printing the result again finds them.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== local) return null;
  const offset = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null;
  const atMs = localMs - (sign === '-' ? -offset : offset) * 60_000;
  return isInstantMs(atMs) ? atMs : null;
}

/** The UTC calendar day of an instant, `YYYY-MM-DD`; the merchant's daily maximum counts by it (mission M18). */
export const utcDay = (atMs: InstantMs): string => formatInstant(atMs).slice(0, 10);
