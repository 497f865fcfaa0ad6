import type { HttpRequest } from '../../base/platform/index.js';
import type { HttpRequestMessage } from '../../core/httpsig/index.js';

/** Where the client believes to have sent its request. */
export interface RequestSite {
  readonly scheme: 'http' | 'https';
  /** Host as the client sent it: the Host header, or what a trusted proxy forwarded. */
  readonly authority: string;
}

/** The request as it came over the wire: raw target, header lines in their order, the exact bytes of the body. */
export function requestMessage(request: HttpRequest, site: RequestSite): HttpRequestMessage {
  const { method = '', url = '', rawHeaders } = request.raw;
  return {
    kind: 'request',
    method,
    scheme: site.scheme,
    authority: site.authority,
    target: url,
    headers: pairsOf(rawHeaders),
    body: request.rawBody,
  };
}

/** Node lists names and values in turn. */
function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return pairs;
}
