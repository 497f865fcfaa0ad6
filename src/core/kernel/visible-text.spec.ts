import { expect, it } from 'vitest';
import { isVisibleText } from './visible-text.js';

it.each(['', 'Two cups of tea', 'चाय का प्याला', 'क्‍ष', 'שלום', '🍵 100 %'])(
  '%j is visible',
  (text) => expect(isVisibleText(text)).toBe(true),
);

it.each([
  'a\nb',
  'a\tb',
  'a\u0000b',
  'a\u001bb',
  'a\u007fb',
  'a\u0085b',
  'a\u2028b',
  'a\u202eb',
  'a\u202ab',
  'a\u2066b',
  'a\u200fb',
  'a\u061cb',
])('%j is not', (text) => expect(isVisibleText(text)).toBe(false));
