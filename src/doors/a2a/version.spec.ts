import { describe, expect, it } from 'vitest';
import { versionOf } from './version.js';

describe('the version a request speaks', () => {
  it.each([
    [undefined, undefined, '0.3'],
    ['', undefined, '0.3'],
    ['1.0', undefined, '1.0'],
    ['1.0.1', undefined, '1.0'],
    [' 0.3.0 ', undefined, '0.3'],
    [undefined, '1.0', '1.0'],
    ['', '1.0', '1.0'],
    ['0.3', '1.0', '0.3'],
    ['2.0', undefined, null],
    ['1.1', undefined, null],
    ['1', undefined, null],
    ['1.0, 1.0', undefined, null],
    ['v1.0', undefined, null],
    [undefined, ['1.0', '1.0'], null],
    [undefined, 'x'.repeat(4_000), null],
  ] as const)('header %j and query %j: %s', (header, query, version) =>
    expect(versionOf(header, query)).toBe(version),
  );
});
