import type { AddressInfo } from 'node:net';

/** A server as far as this looks at it: bound or not yet. */
export interface BoundServer {
  address(): AddressInfo | string | null;
}

/** Every address of this machine, as a listening server names them. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Where this process itself listens, found out from the server, so that any free port will do; null while it does not
 * listen. The sandbox sends its webhooks there and nowhere else.
 */
export function ownAddress(server: BoundServer): string | null {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') return null;
  const host = ANY[bound.address] ?? bound.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}
