import { type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  contentDigest,
  type HeaderLine,
  type HttpRequestMessage,
  parseComponent,
  TAP_BROWSE_TAG,
  TAP_PAY_TAG,
  WEB_BOT_AUTH_TAG,
} from '../core/httpsig/index.js';
import { signMessage } from './sign-message.js';
import { SigningError } from './signing-error.js';
import { signingKeyOf } from './signing-key.js';

export type SigningProfile = 'tap-browse' | 'tap-pay' | 'web-bot-auth';

const TAGS: Readonly<Record<SigningProfile, string>> = {
  'tap-browse': TAP_BROWSE_TAG,
  'tap-pay': TAP_PAY_TAG,
  'web-bot-auth': WEB_BOT_AUTH_TAG,
};

export interface RequestToSign {
  /** GET when left out; case as sent. */
  readonly method?: string;
  /** Absolute. What is signed is what the URL standard makes of it, which is what `fetch` sends. */
  readonly url: string | URL;
  /** The raw request target, for a client that sends another spelling of path and query than `url` has. */
  readonly target?: string;
  /** Headers that are sent and may be covered. */
  readonly headers?: Iterable<HeaderLine> | Readonly<Record<string, string>>;
  /** The very bytes that are sent (a string: as UTF-8), before any content coding is removed. */
  readonly body?: string | Uint8Array | null;
}

export interface SigningOptions {
  readonly profile: SigningProfile;
  /** Private: a JWK or a KeyObject. */
  readonly key: JsonWebKey | KeyObject;
  /** Where the public key is found: an https origin with a key directory, or the URL of a key set. Web Bot Auth only. */
  readonly agentUrl?: string;
  /** `string` writes Signature-Agent as the drafts before October 2025 did. */
  readonly agentForm?: 'dictionary' | 'string';
  /** The thumbprint of the key when left out; Web Bot Auth takes nothing else. */
  readonly keyId?: string;
  /** Random when left out; null: none (Web Bot Auth only). Use one once. */
  readonly nonce?: string | null;
  /** Epoch milliseconds; the clock of this machine when left out. */
  readonly nowMs?: number;
  /** From `created` to `expires`; 240 when left out, at most 480 for TAP. */
  readonly windowSeconds?: number;
  /** `sig1` when left out. */
  readonly label?: string;
  /** Identifiers to cover instead of the full coverage that is the default. */
  readonly components?: readonly string[];
}

const WINDOW_SECONDS = 240;
const TAP_WINDOW_SECONDS_MAX = 480;
const NONCE_BYTES = 64;

/** The headers to add to a request, and the base that was signed. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly base: string;
}

/**
 * Signs a request for a service that follows RFC 9421 with Visa TAP or Web Bot Auth: full coverage, that is `@method`,
 * `@authority`, `@path`, `@query` with a query, `content-type` and `content-digest` with a body, and the agent's member of
 * Signature-Agent. Sign each attempt anew: a nonce is taken once.
 * Throws a SigningError for a key, a URL, a component or options that cannot be signed with.
 */
export async function signRequest(
  request: RequestToSign,
  options: SigningOptions,
): Promise<Readonly<Record<string, string>>> {
  return (await signRequestWithBase(request, options)).headers;
}

/** {@link signRequest} with the base beside the headers, to compare with the one of a verifier. */
export async function signRequestWithBase(
  request: RequestToSign,
  options: SigningOptions,
): Promise<SignedRequest> {
  const { profile, label = 'sig1' } = options;
  const key = signingKeyOf(options.key);
  const message = messageOf(request);
  const added = addedHeaders(message, options, label);
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const kept = message.headers.filter(([name]) => !names.has(name.toLowerCase()));
  const complete = { ...message, headers: [...kept, ...Object.entries(added)] };
  const components = options.components ?? fullCoverage(complete, options, label);
  const made = await signMessage(complete, {
    label,
    components,
    parameters: {
      ...times(options),
      keyid: options.keyId ?? key.thumbprint,
      alg: key.algorithm,
      ...nonceOf(options),
      tag: TAGS[profile],
    },
    sign: key.sign,
  });
  const { signatureInput, signature, base } = made;
  return { headers: { ...added, 'Signature-Input': signatureInput, Signature: signature }, base };
}

function messageOf(request: RequestToSign): HttpRequestMessage {
  const { method = 'GET', headers = [], body = null } = request;
  const text = String(request.url);
  if (!URL.canParse(text)) throw new SigningError('The URL is not absolute.');
  const { protocol, host, pathname, search } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new SigningError('The URL is neither https nor http.');
  return {
    kind: 'request',
    method,
    scheme: protocol.slice(0, -1),
    authority: host,
    target: request.target ?? `${pathname}${search}`,
    headers: Symbol.iterator in headers ? [...headers] : Object.entries(headers),
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  };
}

function addedHeaders(
  { headers, body }: HttpRequestMessage,
  { profile, agentUrl, agentForm }: SigningOptions,
  label: string,
): Record<string, string> {
  const added: Record<string, string> = {};
  const hasDigest = headers.some(([name]) => name.toLowerCase() === 'content-digest');
  if (body !== null && body.length > 0 && !hasDigest) added['Content-Digest'] = contentDigest(body);
  if (profile !== 'web-bot-auth') return added;
  if (agentUrl === undefined)
    throw new SigningError('Web Bot Auth needs agentUrl: where the public key is published.');
  if (!/^https?:\/\/[\x21\x23-\x5b\x5d-\x7e]+$/.test(agentUrl))
    throw new SigningError('agentUrl is no absolute URL of visible ASCII characters.');
  added['Signature-Agent'] = agentForm === 'string' ? `"${agentUrl}"` : `${label}="${agentUrl}"`;
  return added;
}

function fullCoverage(
  { target, headers, body }: HttpRequestMessage,
  { profile, agentForm }: SigningOptions,
  label: string,
): readonly string[] {
  const components = ['@method', '@authority', '@path'];
  if (target.includes('?')) components.push('@query');
  if (body !== null && body.length > 0) {
    if (headers.some(([name]) => name.toLowerCase() === 'content-type'))
      components.push('content-type');
    components.push('content-digest');
  }
  if (profile === 'web-bot-auth')
    components.push(agentForm === 'string' ? 'signature-agent' : agentMember(label));
  return components;
}

function agentMember(label: string): string {
  const text = `"signature-agent";key="${label}"`;
  if (!parseComponent(text).ok) throw new SigningError('The label cannot name a member.');
  return text;
}

function times({ profile, nowMs = Date.now(), windowSeconds = WINDOW_SECONDS }: SigningOptions) {
  if (profile !== 'web-bot-auth' && windowSeconds > TAP_WINDOW_SECONDS_MAX)
    throw new SigningError(`TAP allows ${TAP_WINDOW_SECONDS_MAX} seconds from created to expires.`);
  const created = Math.floor(nowMs / 1_000);
  return { created, expires: created + windowSeconds };
}

function nonceOf({ profile, nonce }: SigningOptions): { readonly nonce?: string } {
  if (nonce === null) {
    if (profile === 'web-bot-auth') return {};
    throw new SigningError('TAP needs a nonce.');
  }
  return { nonce: nonce ?? randomBytes(NONCE_BYTES).toString('base64') };
}
