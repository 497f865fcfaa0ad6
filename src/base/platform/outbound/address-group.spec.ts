import { expect, it } from 'vitest';
import { addressGroupOf } from './address-group.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:4860:4860:1:2:3:4:5', '2001:4860:4860:1::/64'],
  ['2001:4860:4860:1::', '2001:4860:4860:1::/64'],
  ['2001:4860:4860:2::', '2001:4860:4860:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is counted as %s', (address, group) => expect(addressGroupOf(address)).toBe(group));
