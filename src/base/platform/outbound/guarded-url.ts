import { isIP } from 'node:net';

/** Longest URL fetched, in characters. */
export const OUTBOUND_URL_CHARACTERS_MAX = 2_048;
/** Ports of a peer. On loopback, where tests and embedded parties live, any port. */
export const OUTBOUND_PORTS: readonly number[] = [443, 8443];

const PORT_OF_SCHEME = { 'https:': 443, 'http:': 80 } as const;

/** A URL that may be asked, once its addresses were checked. */
export interface GuardedUrl {
  readonly url: URL;
  /** Host to resolve, without brackets. */
  readonly hostname: string;
  /** The host is an address already; it is checked and not resolved. */
  readonly isLiteral: boolean;
  readonly port: number;
  /** Plain http, or a port that only loopback peers may have: every address has to be loopback. */
  readonly loopbackOnly: boolean;
}

/**
 * Reads a URL that somebody else chose. Null = refused: not https (http only where loopback peers are allowed),
 * credentials inside, a port out of policy, a host with a trailing dot, or too long.
 * Not checked here: where the host's addresses lead.
 */
export function guardUrl(text: string, allowLoopbackPeers: boolean): GuardedUrl | null {
  if (text.length > OUTBOUND_URL_CHARACTERS_MAX || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '') return null;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (hostname === '' || hostname.endsWith('.')) return null;
  const port = url.port === '' ? PORT_OF_SCHEME[protocol] : Number(url.port);
  const loopbackOnly = protocol === 'http:' || !OUTBOUND_PORTS.includes(port);
  if (loopbackOnly && !allowLoopbackPeers) return null;
  return { url, hostname, isLiteral: isIP(hostname) !== 0, port, loopbackOnly };
}
