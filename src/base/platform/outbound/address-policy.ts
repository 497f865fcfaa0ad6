import ipaddr from 'ipaddr.js';

export type AddressKind = 'public' | 'loopback' | 'refused';

/**
 * Blocks inside 2000::/3 that lead elsewhere than the public internet or into IPv4 by translation: IETF protocol
 * assignments with Teredo and ORCHID (RFC 2928), documentation (RFC 3849, RFC 9637), 6to4 (RFC 3056), AS112 (RFC 7534).
 */
const IPV6_REFUSED_BLOCKS = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map((block) => ipaddr.IPv6.parseCIDR(block));
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV6_LOOPBACK = ipaddr.IPv6.parseCIDR('::1/128');
const IPV4_LOOPBACK = ipaddr.IPv4.parseCIDR('127.0.0.0/8');

/**
 * Where an address leads. `public` = globally routable unicast (IANA special-purpose registries, RFC 6890). Everything
 * that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo) is refused, whatever it embeds: no public service is
 * reached that way, and a translator would turn it into a private one. So are zones (`fe80::1%eth0`) and any spelling
 * that is not the plain dotted or colon form.
 */
export function addressKind(text: string): AddressKind {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    if (address.match(IPV4_LOOPBACK)) return 'loopback';
    return address.range() === 'unicast' ? 'public' : 'refused';
  }
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return 'refused';
  const address = ipaddr.IPv6.parse(text);
  if (address.match(IPV6_LOOPBACK)) return 'loopback';
  const isPublic =
    address.match(IPV6_GLOBAL_UNICAST) &&
    address.range() === 'unicast' &&
    !IPV6_REFUSED_BLOCKS.some((block) => address.match(block));
  return isPublic ? 'public' : 'refused';
}
