import { addressKind } from './address-policy.js';
import { type GuardedUrl, guardUrl } from './guarded-url.js';
import { readWebUrl } from './web-url.js';

/** Longest URL that a stranger's request makes us ask, in characters. */
export const NAMED_URL_CHARACTERS_MAX = 512;
/** Names that lead to no public host, or to one that only our own network knows (RFC 2606, 6761, 6762, 7686, 8375). */
const RESERVED_SUFFIX =
  /(?:^|\.)(?:localhost|local|internal|test|invalid|example|onion|home\.arpa)$/;
const HTTPS_PORT = 443;

/**
 * The canonical form of a URL that a stranger names in a request, so that we ask it at once and for nobody we know: https
 * on port 443, a public host name of two labels or more, no address in any spelling, at most
 * {@link NAMED_URL_CHARACTERS_MAX} characters; a fragment is dropped. Null = it is not asked.
 * Where loopback peers are allowed, also http and any port of `localhost` and of a written-out loopback address.
 * Not checked: where the name leads, which is looked at before every request. Source: facts/signatures.md 5.3 row 2.
 */
export function namedPeerUrlOf(text: string, allowLoopbackPeers: boolean): string | null {
  const read = text.length > NAMED_URL_CHARACTERS_MAX ? null : readWebUrl(text);
  if (read === null || read.href.length > NAMED_URL_CHARACTERS_MAX) return null;
  read.hash = '';
  const guarded = guardUrl(read.href, allowLoopbackPeers);
  if (guarded === null) return null;
  const isNamed = isPublicName(guarded) || (allowLoopbackPeers && isLoopback(guarded));
  return isNamed ? read.href : null;
}

/** The URL parser has turned every spelling of an IPv4 address into four decimals before. */
const isPublicName = ({ url, hostname, isLiteral, port }: GuardedUrl): boolean =>
  url.protocol === 'https:' &&
  port === HTTPS_PORT &&
  !isLiteral &&
  hostname.split('.').length >= 2 &&
  !RESERVED_SUFFIX.test(hostname);

const isLoopback = ({ hostname, isLiteral }: GuardedUrl): boolean =>
  isLiteral ? addressKind(hostname) === 'loopback' : hostname === 'localhost';
