import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that one customer is given at least. */
const IPV6_CUSTOMER_BITS = 64;

/**
 * What stands for the customer behind an address wherever callers are counted: the IPv4 address (also when it is written
 * inside an IPv6 one), the /64 of an IPv6 address; a text that is no address stands for itself.
 */
export function addressGroupOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(
    `${address.toString().replace(/%.*$/, '')}/${IPV6_CUSTOMER_BITS}`,
  );
  return `${network.toString()}/${IPV6_CUSTOMER_BITS}`;
}
