import { addressKind } from './address-policy.js';
import { guardUrl } from './guarded-url.js';

/**
 * Whether a URL that somebody registers may be asked at all, as far as its text says: form, scheme, port, and an
 * address that is written out. Where a host name leads is looked at again before every request.
 */
export function isPeerUrl(text: string, allowLoopbackPeers: boolean): boolean {
  const guarded = guardUrl(text, allowLoopbackPeers);
  if (guarded === null) return false;
  if (!guarded.isLiteral) return true;
  const kind = addressKind(guarded.hostname);
  return kind === 'public' ? !guarded.loopbackOnly : kind === 'loopback' && allowLoopbackPeers;
}
