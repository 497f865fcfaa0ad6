import { describe, expect, it } from 'vitest';
import { LIST_CAPACITY, listNumberOf, listUriOf } from './list-uri.js';
import { placeOf } from './spread.js';

describe('places of a list', () => {
  it('hands out every place of a list exactly once', () => {
    const places = new Uint8Array(LIST_CAPACITY);
    for (let count = 0; count < LIST_CAPACITY; count += 1) {
      const place = placeOf('a secret', count);
      places[place] = (places[place] ?? 0) + 1;
    }
    expect(places.every((times) => times === 1)).toBe(true);
  });

  it('orders them by the secret alone, and not in a row', () => {
    const first = (spread: string) =>
      Array.from({ length: 16 }, (_, count) => placeOf(spread, count));
    expect(first('a')).toEqual(first('a'));
    expect(first('a')).not.toEqual(first('b'));
    expect(first('a').some((place, index, all) => place === (all[index - 1] ?? -9) + 1)).toBe(
      false,
    );
  });
});

describe('the uri of a list', () => {
  const origin = 'https://a.authority.internal';

  it('is read back as its number', () => {
    expect(listNumberOf(origin, 'tnt_1', listUriOf(origin, 'tnt_1', 12))).toBe(12);
  });

  it.each([
    'https://b.authority.internal/status/tnt_1/1',
    `${origin}/status/tnt_2/1`,
    `${origin}/status/tnt_1/0`,
    `${origin}/status/tnt_1/01`,
    `${origin}/status/tnt_1/1/`,
    `${origin}/status/tnt_1/1?x`,
    `${origin}/status/tnt_1/`,
    'urn:arbiter:status-list:tnt_1:1',
  ])('%s is none of ours', (uri) => {
    expect(listNumberOf(origin, 'tnt_1', uri)).toBe(null);
  });
});
