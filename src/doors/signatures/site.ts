import { normalisedAuthority } from '../../core/httpsig/index.js';
import type { RequestSite } from './request-message.js';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Under which origins a request of a tenant may have been sent. */
export interface OurOrigins {
  /** The tenant's; none for a caller of no tenant. */
  readonly origins: readonly string[];
  /** Of the deployment; null = this machine only, whose loopback names are ours under every port. */
  readonly publicBaseUrl: string | null;
}

/**
 * Where a request was sent, when that is a place of ours: the tenant's origins, the deployment's own, and without one
 * the loopback names (decisions 5.2). Null: it is not; a signature for another place says nothing here.
 */
export function siteOf(host: string, { origins, publicBaseUrl }: OurOrigins): RequestSite | null {
  const known = publicBaseUrl === null ? origins : [...origins, publicBaseUrl];
  for (const origin of known) {
    const scheme = origin.startsWith('https:') ? 'https' : 'http';
    const authority = origin.slice(origin.indexOf('//') + 2);
    if (normalisedAuthority(host, scheme) === authority) return { scheme, authority: host };
  }
  const isLoopback = publicBaseUrl === null && LOOPBACK.test(host.toLowerCase());
  return isLoopback ? { scheme: 'http', authority: host } : null;
}
