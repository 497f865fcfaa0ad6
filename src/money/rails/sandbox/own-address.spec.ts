import { expect, it } from 'vitest';
import { ownAddress } from './own-address.js';

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
