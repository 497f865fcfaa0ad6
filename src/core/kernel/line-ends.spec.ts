import { expect, it } from 'vitest';
import { lineEnds } from './line-ends.js';

it.each([
  [
    ['a\n', 'b\n', 'c'],
    [1, 2, 3],
  ],
  [
    ['a\r', 'b\r', 'c'],
    [1, 2, 3],
  ],
  [
    ['a\r\n', '"b\r\nb"\r\n', 'c'],
    [1, 3, 4],
  ],
  [
    ['a\n', '\n\nb\n', 'c\n\n'],
    [1, 4, 5],
  ],
  [[''], [1]],
])('%j ends on lines %j', (pieces, ends) => {
  expect(lineEnds(pieces)).toEqual(ends);
});
