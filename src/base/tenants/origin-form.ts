import {
  err,
  ok,
  problem,
  type Problem,
  type Result,
  type World,
} from '../../core/kernel/index.js';

const HOST_CHARACTERS_MAX = 255;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/;
const LOOPBACK_HOSTNAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads an origin as browsers spell it: `https://shop.example`, a port only if it is not the scheme's own.
 * http is for loopback names, and those are for tenants of the test world in a deployment without a public URL: a
 * loopback origin would answer whoever forges a Host header.
 * Problems (validation_failed), in order: not an origin, not in its plain spelling, loopback not allowed, not https.
 */
export function parseOrigin(
  text: string,
  { world, loopbackAllowed }: { world: World; loopbackAllowed: boolean },
): Result<string, Problem> {
  if (!URL.canParse(text)) return err(fault('This is not an origin.'));
  const url = new URL(text);
  if (url.origin === 'null' || url.host.length > HOST_CHARACTERS_MAX || !HOST.test(url.host)) {
    return err(fault('This is not an origin.'));
  }
  if (text !== url.origin)
    return err(fault(`An origin is spelled ${url.origin}, with nothing after it.`));
  if (LOOPBACK_HOSTNAMES.has(url.hostname)) {
    return loopbackAllowed && world === 'test'
      ? ok(url.origin)
      : err(fault('Loopback names are for test tenants of a deployment without a public URL.'));
  }
  return url.protocol === 'https:' ? ok(url.origin) : err(fault('An origin of a shop is https.'));
}

/** What a Host header names, in the spelling of {@link parseOrigin}; null when it cannot be a host. */
export function parseHost(header: string): { host: string; loopback: string | null } | null {
  // Some clients name the scheme's own port; an origin never does.
  const host = header.toLowerCase().replace(/:(?:443|80)$/, '');
  if (host.length > HOST_CHARACTERS_MAX || !HOST.test(host)) return null;
  const hostname = host.replace(/:\d{1,5}$/, '');
  return { host, loopback: LOOPBACK_HOSTNAMES.has(hostname) ? hostname : null };
}

const fault = (detail: string): Problem =>
  problem('validation_failed', detail, {
    fix: 'Send scheme and host as in https://shop.example, without path, query or trailing slash.',
    field: '/origin',
  });
