import { err, ok, Remembered, type Result } from '../kernel/index.js';
import { LIMITS } from './limits.js';
import { type VerificationSettings } from './settings.js';
import { fault, quoted, type SignatureFault } from './vocabulary.js';

export const WELL_KNOWN_DIRECTORY = '/.well-known/http-message-signatures-directory';

/** The URL under which an agent names itself. */
export interface AgentUrl {
  /** Without fragment. */
  readonly href: string;
  readonly origin: string;
  /** The identity of an agent (RFC 3986 section 6.2.2): no query, no fragment, an origin without its slash. */
  readonly name: string;
  readonly isOrigin: boolean;
  /** It is that of a key directory. */
  readonly isWellKnown: boolean;
}

/** Visible ASCII without quotation marks and backslashes; a host begins at once (a parser would skip more slashes). */
const URL_TEXT = /^https?:\/\/(?!\/)[\x21\x23-\x5b\x5d-\x7e]+$/i;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** An agent writes the same URL in every request. */
const remembered = new Remembered<AgentUrl>({ texts: 1_000, characters: 256 });

/**
 * Reads the URL of an agent: absolute, https, without user and password. Fault: agent_url_refused.
 * Not checked: whether it may be asked (names, addresses, ports): whoever fetches it judges that.
 */
export function agentUrl(
  text: string,
  { allowLoopbackAgents }: VerificationSettings,
): Result<AgentUrl, SignatureFault> {
  const known = remembered.get(`${allowLoopbackAgents} ${text}`);
  if (known !== undefined) return ok(known);
  const refuse = (why: string): Result<never, SignatureFault> =>
    err(fault('agent_url_refused', `The agent ${quoted(text)} ${why}.`));
  if (text.length > LIMITS.agentUrlCharacters) return refuse('is too long');
  if (!URL_TEXT.test(text) || !URL.canParse(text)) return refuse('is no absolute https URL');
  const url = new URL(text);
  const isHere = allowLoopbackAgents && LOOPBACK.test(url.hostname);
  if (url.protocol !== 'https:' && !isHere) return refuse('is no https URL');
  if (url.username !== '' || url.password !== '') return refuse('holds a user name');
  url.hash = '';
  return ok(remembered.keep(`${allowLoopbackAgents} ${text}`, read(url)));
}

const read = (url: URL): AgentUrl => ({
  href: url.href,
  origin: url.origin,
  name: nameOf(url),
  isOrigin: url.pathname === '/' && url.search === '',
  isWellKnown: url.pathname === WELL_KNOWN_DIRECTORY && url.search === '',
});

const UNRESERVED = /[A-Za-z0-9._~-]/;

function nameOf({ origin, pathname }: URL): string {
  const path = pathname.replace(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) => {
    const letter = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(letter) ? letter : `%${hex.toUpperCase()}`;
  });
  return path === '/' ? origin : `${origin}${path}`;
}

/** The name that a signature gives an agent who writes himself so; null: no URL of an agent. */
export function agentNameOf(text: string, settings: VerificationSettings): string | null {
  const url = agentUrl(text, settings);
  return url.ok ? url.value.name : null;
}
