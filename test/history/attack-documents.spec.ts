import { describe, expect, it } from 'vitest';
import { JSON_VALUES_MAX, parseStrictJson } from '../../src/core/kernel/index.js';

const listOf = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;

describe('a document that is mostly commas', () => {
  it('is refused before its values take many times its own memory', () => {
    expect(parseStrictJson(listOf(JSON_VALUES_MAX))).toMatchObject({
      ok: false,
      error: { message: 'expected fewer values' },
    });
  });

  it('is read as long as a line could hold as many', () => {
    expect(parseStrictJson(listOf(JSON_VALUES_MAX - 1)).ok).toBe(true);
  });
});
