import { readWebUrl } from './web-url.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The canonical form of a page that a person may be sent to: https, or http to this machine; visible ASCII only. Null =
 * refused. What it answers, it answers again when asked about it.
 */
export function pageUrlOf(text: string): string | null {
  const url = /^[\x21-\x7e]+$/.test(text) ? readWebUrl(text) : null;
  if (url === null) return null;
  return url.protocol === 'https:' || LOOPBACK_HOSTS.includes(url.hostname) ? url.href : null;
}
