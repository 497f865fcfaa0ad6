import { expect, it } from 'vitest';
import { pageUrlOf } from './page-url.js';

it.each([
  ['https://shop.example/back?order=1#top', 'https://shop.example/back?order=1#top'],
  ['HTTPS://SHOP.example', 'https://shop.example/'],
  ['https://shop.example:443/a/../b', 'https://shop.example/b'],
  ['https://shop.example/@me', 'https://shop.example/@me'],
  ['http://localhost:3000/', 'http://localhost:3000/'],
  ['http://127.0.0.1/', 'http://127.0.0.1/'],
  ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
])('%s may be linked to as %s, and stays so', (text, href) => {
  expect(pageUrlOf(text)).toBe(href);
  expect(pageUrlOf(href)).toBe(href);
});

it.each([
  '',
  '/back',
  '//shop.example',
  'http://shop.example/',
  'http://localhost.evil.example/',
  'https://',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'http:localhost/',
  'https:\\\\shop.example',
  'https://shop.example\\@evil.example/',
  'https://user:password@shop.example/',
  'https://@shop.example/',
  'https://shöp.example/',
  'https://shop.example/ space',
  'https://shop.example/\nx',
  ' https://shop.example/',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  `https://shop.example/${'x'.repeat(2_048)}`,
  // Each of these becomes three characters in the canonical form.
  `https://shop.example/${'"'.repeat(1_000)}`,
])('%s may not', (text) => expect(pageUrlOf(text)).toBeNull());
