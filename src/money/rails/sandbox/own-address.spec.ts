import { expect, it } from 'vitest';
import { ownAddress } from './own-address.js';
import { isReturnUrl } from './return-url.js';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['::1', 'http://[::1]:8080'],
  ['192.0.2.7', 'http://192.0.2.7:8080'],
])('a server on %s is reached at %s', (address, expected) => {
  expect(ownAddress({ address: () => ({ address, port: 8080, family: 'IPv4' }) })).toBe(expected);
});

it.each([null, '/run/a.socket'])('a server on %s is not reached', (address) => {
  expect(ownAddress({ address: () => address })).toBeNull();
});

it.each([
  'https://shop.example/back?order=1#top',
  'http://localhost:3000/',
  'http://127.0.0.1/',
  'http://[::1]:8080/x',
])('%s may be linked to', (url) => expect(isReturnUrl(url)).toBe(true));

it.each([
  '',
  '/back',
  '//shop.example',
  'http://shop.example/',
  'http://localhost.evil.example/',
  'https://',
  'https://user:password@shop.example/',
  'https://shop.example/ space',
  'https://shop.example/\nx',
  ' https://shop.example/',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  `https://shop.example/${'x'.repeat(2_048)}`,
])('%s may not', (url) => expect(isReturnUrl(url)).toBe(false));
