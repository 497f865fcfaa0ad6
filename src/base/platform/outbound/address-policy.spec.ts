import { describe, expect, it } from 'vitest';
import { addressKind } from './address-policy.js';

describe('addressKind', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450::1',
    '2600::',
  ])('%s is public', (address) => expect(addressKind(address)).toBe('public'));

  it.each(['127.0.0.1', '127.255.255.255', '::1'])('%s is loopback', (address) =>
    expect(addressKind(address)).toBe('loopback'),
  );

  it.each([
    // private, shared, link-local with the metadata address, this network
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '0.1.2.3',
    // protocol assignments, documentation, benchmarking, 6to4 relay, multicast, reserved, broadcast
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '192.88.99.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    // IPv6: unspecified, link-local, unique local, site-local, multicast, discard
    '::',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64, local NAT64, 6to4, Teredo, ISATAP-like link-local
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001::7f00:1',
    'fe80::5efe:7f00:1',
    // documentation, ORCHID, benchmarking, segment routing
    '2001:db8::1',
    '2001:10::1',
    '2001:20::1',
    '2001:2::1',
    '3fff::1',
    '5f00::1',
    // zones and other spellings
    'fe80::1%eth0',
    '::1%lo',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.1',
    '1.1',
    '',
    'localhost',
    '1.1.1.1 ',
  ])('%j is refused', (address) => expect(addressKind(address)).toBe('refused'));
});
