import { linesOf } from './fields.js';
import { type HttpRequestMessage } from './message.js';
import { LIMITS } from './limits.js';
import { fault, type SignatureFault } from './vocabulary.js';

/** Path and query of a raw target in origin form; nothing is decoded, resolved or added. */
export function splitTarget(target: string): {
  readonly path: string;
  readonly query: string | null;
} {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: null }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const TARGET = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Whether a request has one meaning for everybody who reads it: its target in origin form, visible ASCII without `#`, and
 * not more than one Host line (facts/signatures.md 1.6). Fault: target_form_refused.
 */
export function targetFault({ target, headers }: HttpRequestMessage): SignatureFault | null {
  if (target.length > LIMITS.targetCharacters)
    return fault('target_form_refused', 'The request target is too long.');
  if (!TARGET.test(target))
    return fault(
      'target_form_refused',
      'The request target is not a path of visible ASCII characters without "#" (an absolute URL is refused).',
    );
  const hosts = linesOf(headers, 'host').length;
  return hosts > 1 ? fault('target_form_refused', `The request has ${hosts} Host lines.`) : null;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { https: ':443', http: ':80' };
const AUTHORITY = /^(?:[a-z0-9._~!$&'()*+,;=%-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * The authority as RFC 9421 section 2.2.3 writes it: lower case, without the port that is the default of the scheme.
 * Null: there is none, or it is no host with an optional port.
 */
export function normalisedAuthority(authority: string, scheme: string): string | null {
  if (authority.length > LIMITS.authorityCharacters) return null;
  const lower = authority.toLowerCase();
  if (!AUTHORITY.test(lower)) return null;
  const port = DEFAULT_PORTS[scheme.toLowerCase()];
  return port !== undefined && lower.endsWith(port) ? lower.slice(0, -port.length) : lower;
}
