import { expect, it } from 'vitest';
import { Remembered } from './remembered.js';

it('keeps so many texts, the newest', () => {
  const remembered = new Remembered<number>({ texts: 2, characters: 10 });
  expect(['a', 'b', 'c'].map((text, index) => remembered.keep(text, index))).toEqual([0, 1, 2]);
  expect(['a', 'b', 'c'].map((text) => remembered.get(text))).toEqual([undefined, 1, 2]);
});

it('keeps no long text, and returns its value', () => {
  const remembered = new Remembered<number>({ texts: 2, characters: 3 });
  expect([remembered.keep('abc', 1), remembered.keep('abcd', 2)]).toEqual([1, 2]);
  expect([remembered.get('abc'), remembered.get('abcd')]).toEqual([1, undefined]);
});
