import { addressKind } from './address-policy.js';
import { type GuardedUrl, guardUrl } from './guarded-url.js';
import { readWebUrl } from './web-url.js';

/**
 * The canonical form of a URL that somebody registers to be asked; null = it may not be asked, as far as its text says:
 * form, scheme, port, a fragment (nobody is sent one), and an address that is written out. Where a host name leads is
 * looked at again before every request.
 */
export function peerUrlOf(text: string, allowLoopbackPeers: boolean): string | null {
  const href = text.includes('#') ? undefined : readWebUrl(text)?.href;
  const guarded = href === undefined ? null : guardUrl(href, allowLoopbackPeers);
  if (guarded === null) return null;
  return mayBeAsked(guarded, allowLoopbackPeers) ? guarded.url.href : null;
}

function mayBeAsked(
  { hostname, isLiteral, loopbackOnly }: GuardedUrl,
  allowLoopbackPeers: boolean,
): boolean {
  if (!isLiteral) return true;
  const kind = addressKind(hostname);
  return kind === 'public' ? !loopbackOnly : kind === 'loopback' && allowLoopbackPeers;
}
