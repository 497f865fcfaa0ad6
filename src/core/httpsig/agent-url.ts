import { err, ok, type Result } from '../kernel/index.js';
import { LIMITS } from './limits.js';
import { type VerificationSettings } from './settings.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

export const WELL_KNOWN_DIRECTORY = '/.well-known/http-message-signatures-directory';

/** Visible ASCII without quotation marks and backslashes; a host begins at once (a parser would skip more slashes). */
const URL_TEXT = /^https?:\/\/(?!\/)[\x21\x23-\x5b\x5d-\x7e]+$/i;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The URL under which an agent names itself: absolute, https, without user and password. Fault: agent_url_refused.
 * Not checked: whether it may be asked (names, addresses, ports): whoever fetches it judges that.
 */
export function agentUrl(
  text: string,
  { allowLoopbackAgents }: VerificationSettings,
): Result<URL, SignatureFault> {
  const refuse = (why: string): Result<never, SignatureFault> =>
    err(fault('agent_url_refused', `The agent ${quoted(text)} ${why}.`));
  if (text.length > LIMITS.agentUrlCharacters) return refuse('is too long');
  if (!URL_TEXT.test(text) || !URL.canParse(text)) return refuse('is no absolute https URL');
  const url = new URL(text);
  const isHere = allowLoopbackAgents && LOOPBACK.test(url.hostname);
  if (url.protocol !== 'https:' && !isHere) return refuse('is no https URL');
  if (url.username !== '' || url.password !== '') return refuse('holds a user name');
  if (url.hash !== '') url.hash = '';
  return ok(url);
}

const UNRESERVED = /[A-Za-z0-9._~-]/;

/** The identity of an agent (RFC 3986 section 6.2.2): no query, no fragment, an origin without its slash. */
export function agentName({ origin, pathname }: URL): string {
  const path = pathname.replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) => {
    const letter = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(letter) ? letter : `%${hex.toUpperCase()}`;
  });
  return path === '/' ? origin : `${origin}${path}`;
}

export const isOrigin = ({ pathname, search }: URL): boolean => pathname === '/' && search === '';

/** The name that a signature gives an agent who writes himself so; null: no URL of an agent. */
export function agentNameOf(text: string, settings: VerificationSettings): string | null {
  const url = agentUrl(text, settings);
  return url.ok ? agentName(url.value) : null;
}
