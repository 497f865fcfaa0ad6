import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTEMPTS_MAX, retryDelayMs } from './retry.js';

const delays = (jitter: number) =>
  Array.from({ length: ATTEMPTS_MAX - 1 }, (_, index) => retryDelayMs(index + 1, jitter) ?? NaN);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('retryDelayMs', () => {
  it('begins with seconds, grows to hours and ends after about a day', () => {
    const middle = delays(0.5);
    expect(middle.slice(0, 4)).toEqual([10_000, 30_000, 90_000, 270_000]);
    expect(middle.at(-1)).toBe(8 * 3_600_000);
    expect(sum(middle) / 3_600_000).toBeCloseTo(25, 0);
    expect(retryDelayMs(ATTEMPTS_MAX, 0.5)).toBeNull();
    expect(retryDelayMs(ATTEMPTS_MAX + 1, 0.5)).toBeNull();
  });

  it('is spread by a fifth, and lies between 20 and 31 hours in all', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (jitter) => {
        const middle = delays(0.5);
        delays(jitter).forEach((delay, index) => {
          const expected = middle[index] ?? NaN;
          expect(delay).toBeGreaterThanOrEqual(Math.floor(expected * 0.8));
          expect(delay).toBeLessThanOrEqual(Math.ceil(expected * 1.2));
        });
        const hours = sum(delays(jitter)) / 3_600_000;
        expect(hours).toBeGreaterThan(20);
        expect(hours).toBeLessThan(31);
      }),
    );
  });
});
