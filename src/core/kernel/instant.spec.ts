import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatInstant,
  INSTANT_MS_MAX,
  INSTANT_MS_MIN,
  InvariantError,
  isInstantMs,
  parseInstant,
  utcDay,
} from './index.js';

const anyInstant = fc.integer({ min: INSTANT_MS_MIN, max: INSTANT_MS_MAX });

describe('reading RFC 3339', () => {
  it.each([
    ['2026-11-30T14:11:00Z', '2026-11-30T14:11:00.000Z'],
    ['2026-11-30T14:11:00.1Z', '2026-11-30T14:11:00.100Z'],
    ['2026-11-30T14:11:00.12Z', '2026-11-30T14:11:00.120Z'],
    ['2026-11-30T14:11:00.123Z', '2026-11-30T14:11:00.123Z'],
    ['2026-11-30T14:11:00+00:00', '2026-11-30T14:11:00.000Z'],
    ['2026-11-30T14:11:00-00:00', '2026-11-30T14:11:00.000Z'],
    ['2026-11-30T14:11:00+05:30', '2026-11-30T08:41:00.000Z'],
    ['2026-11-30T14:11:00-05:30', '2026-11-30T19:41:00.000Z'],
    ['2026-12-01T00:00:00+05:30', '2026-11-30T18:30:00.000Z'],
    ['2026-11-30T14:11:00+23:59', '2026-11-29T14:12:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ])('%s', (text, printed) => {
    const atMs = parseInstant(text);
    expect(atMs === null ? null : formatInstant(atMs)).toBe(printed);
  });

  it.each([
    // Not on the calendar or the clock.
    ...['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2100-02-29T00:00:00Z'],
    ...['2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z'],
    ...['2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-01T24:00:00Z'],
    ...['2026-01-01T23:60:00Z', '2026-01-01T25:00:00Z'],
    // Leap seconds have no millisecond of their own.
    ...['2016-12-31T23:59:60Z', '2016-12-31T23:59:61Z', '2017-01-01T05:29:60+05:30'],
    // Offsets that no place has.
    ...['2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+05:60', '2026-01-01T00:00:00+0530'],
    ...['2026-01-01T00:00:00+05', '2026-01-01T00:00:00 05:30', '2026-01-01T00:00:00+5:30'],
    // Other spellings.
    ...['2026-01-01', '2026-01-01T00:00Z', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z'],
    ...['2026-01-01t00:00:00z', '20260101T000000Z', '2026-1-1T00:00:00Z', '26-01-01T00:00:00Z'],
    ...['2026-01-01T00:00:00.Z', '2026-01-01T00:00:00.1234Z', '2026-01-01T00:00:00,5Z'],
    ...['+002026-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '12026-01-01T00:00:00Z'],
    ...['2026-01-01T00:00:00ZZ', ' 2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z ', '1767225600'],
    ...['2026-01-01T00:00:00Z\n', '٢٠٢٦-01-01T00:00:00Z', '', 'now'],
    // Inside the range only before the offset is applied.
    ...['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
  ])('%j is no instant', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('reads back what it prints', () => {
    fc.assert(
      fc.property(anyInstant, (atMs) => {
        const text = formatInstant(atMs);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(parseInstant(text)).toBe(atMs);
      }),
    );
  });

  it('an offset names the same instant', () => {
    const offset = fc.record({
      sign: fc.constantFrom('+', '-'),
      hour: fc.nat({ max: 23 }),
      minute: fc.nat({ max: 59 }),
    });
    fc.assert(
      fc.property(anyInstant, offset, (atMs, { sign, hour, minute }) => {
        const offsetMs = (hour * 60 + minute) * 60_000 * (sign === '-' ? -1 : 1);
        fc.pre(isInstantMs(atMs + offsetMs));
        const two = (digits: number): string => String(digits).padStart(2, '0');
        const local = formatInstant(atMs + offsetMs).replace('Z', '');
        expect(parseInstant(`${local}${sign}${two(hour)}:${two(minute)}`)).toBe(atMs);
      }),
    );
  });
});

describe('instants', () => {
  it('are safe integers within years 0000 to 9999', () => {
    expect([INSTANT_MS_MIN, 0, INSTANT_MS_MAX].map(isInstantMs)).toEqual([true, true, true]);
    const bad = [INSTANT_MS_MIN - 1, INSTANT_MS_MAX + 1, 0.5, NaN, Infinity, '0', null, 0n];
    for (const value of bad) expect(isInstantMs(value)).toBe(false);
    expect(() => formatInstant(INSTANT_MS_MAX + 1)).toThrow(InvariantError);
    expect(() => formatInstant(0.5)).toThrow(InvariantError);
  });

  it('lie on a UTC day that turns at midnight, whatever the local zone', () => {
    const midnight = Date.UTC(2026, 10, 30);
    expect(utcDay(midnight - 1)).toBe('2026-11-29');
    expect(utcDay(midnight)).toBe('2026-11-30');
    expect(utcDay(midnight + 86_399_999)).toBe('2026-11-30');
    expect(utcDay(-1)).toBe('1969-12-31');
  });
});
