import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { addressKind } from './address-policy.js';
import { type GuardedUrl, guardUrl, OUTBOUND_URL_CHARACTERS_MAX } from './guarded-url.js';
import { KeptConnections, type MappedOrigin } from './mapped-origin.js';

/** Time for everything: resolving, connecting, headers, body. Milliseconds. */
export const OUTBOUND_DEADLINE_MS = 2_500;
/** Largest response body kept, in bytes. */
export const OUTBOUND_BODY_BYTES_MAX = 64 * 1024;
/** Largest response headers read, in bytes. */
export const OUTBOUND_HEADER_BYTES_MAX = 16 * 1024;
/** Addresses of one host that are looked at; a host with more is refused. */
export const OUTBOUND_ADDRESSES_MAX = 16;

export interface OutboundRequest {
  readonly url: string;
  /** GET when left out. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** {@link OUTBOUND_DEADLINE_MS} when left out. */
  readonly deadlineMs?: number;
  /** Until the connection stands, once the addresses are known; the deadline alone when left out. */
  readonly connectMs?: number;
  /** Until the response headers are there, once the addresses are known; the deadline alone when left out. */
  readonly headersMs?: number;
  /** {@link OUTBOUND_BODY_BYTES_MAX} when left out. */
  readonly bodyBytesMax?: number;
  /** A longer body is cut there instead of refused: for whoever only wants the status. */
  readonly cutsBody?: boolean;
}

/** Every way in which a fetch ends. Only `ok` says anything about the peer's answer, whatever its status. */
export type OutboundOutcome =
  | {
      readonly kind: 'ok';
      readonly status: number;
      /** Names in lower case; repeated headers joined by a comma. */
      readonly headers: Readonly<Record<string, string>>;
      /** As sent: never decompressed. */
      readonly body: Buffer;
      /** When the request began, on the real clock: ages counted from it are never too short. */
      readonly fetchedAtMs: number;
    }
  | {
      readonly kind:
        | 'refused_url'
        | 'refused_address'
        | 'dns_failed'
        | 'connect_failed'
        | 'timeout'
        | 'too_large'
        | 'redirect'
        | 'tls_failed';
    };

export interface OutboundOptions {
  /** Lets peers live on loopback, over http and on any port there. Never with a public URL (decisions 5.3). */
  readonly allowLoopbackPeers: boolean;
  readonly nowMs: () => number;
  /** Addresses of a host; the system's resolver when left out. Rejects when there are none. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Certificates (PEM) trusted beside those that Node brings. */
  readonly trustedCertificates?: readonly string[];
  /** The one origin whose place the operator chose; null or left out = none. */
  readonly mapped?: MappedOrigin | null;
}

export interface OutboundClient {
  fetch(request: OutboundRequest): Promise<OutboundOutcome>;
}

export const OUTBOUND = Symbol('OutboundClient');

/**
 * Fetches URLs that others chose, without being led into our own network. The host is resolved once, every address it
 * has must be public unicast, and the connection goes to those addresses only: a second, different DNS answer is never
 * asked for. Redirects are not followed, bodies are bounded while they stream and not decompressed, and one deadline
 * covers everything. Never throws: each ending is one of {@link OutboundOutcome}.
 * A URL of the mapped origin goes to the address that the operator gave for it, whatever that is: the only exemption.
 * Not checked: the content, its signature, its freshness.
 */
export function createOutboundClient(options: OutboundOptions): OutboundClient {
  const { mapped = null } = options;
  if (mapped === null) return { fetch: (request) => fetchGuarded(request, options) };
  const kept = new KeptConnections(mapped, {
    maxHeaderSize: OUTBOUND_HEADER_BYTES_MAX,
    connect: trustOf(options),
  });
  return {
    fetch: (request) =>
      isOf(mapped, request.url)
        ? fetchMapped(request, { kept, options })
        : fetchGuarded(request, options),
  };
}

const isOf = ({ origin }: MappedOrigin, url: string): boolean =>
  url.length <= OUTBOUND_URL_CHARACTERS_MAX && url.startsWith(`${origin}/`);

async function fetchMapped(
  request: OutboundRequest,
  { kept, options }: { kept: KeptConnections; options: OutboundOptions },
): Promise<OutboundOutcome> {
  const fetchedAtMs = options.nowMs();
  const client = kept.current();
  if (client === null) return { kind: 'connect_failed' };
  const deadline = startDeadline(request.deadlineMs ?? OUTBOUND_DEADLINE_MS);
  const { signal } = deadline;
  try {
    const parts = { client, url: new URL(request.url), fetchedAtMs, signal };
    const outcome = await exchange(request, parts);
    // A kept connection that the other side closed at this moment says nothing about the place; reading twice changes nothing.
    const isWorthRepeating =
      outcome.kind === 'connect_failed' && (request.method ?? 'GET') === 'GET';
    return isWorthRepeating ? await exchange(request, parts) : outcome;
  } finally {
    deadline.clear();
  }
}

async function fetchGuarded(
  request: OutboundRequest,
  options: OutboundOptions,
): Promise<OutboundOutcome> {
  const fetchedAtMs = options.nowMs();
  const guarded = guardUrl(request.url, options.allowLoopbackPeers);
  if (guarded === null) return { kind: 'refused_url' };
  const deadline = startDeadline(request.deadlineMs ?? OUTBOUND_DEADLINE_MS);
  try {
    const addresses = await Promise.race([addressesOf(guarded, options), deadline.passed]);
    if (addresses === 'timeout') return { kind: 'timeout' };
    if (addresses === 'dns_failed') return { kind: 'dns_failed' };
    if (!mayBeAsked(addresses, guarded, options)) return { kind: 'refused_address' };
    const client = clientOf(guarded, addresses, { ...options, connectMs: request.connectMs });
    const { signal } = deadline;
    try {
      return await exchange(request, { client, url: guarded.url, fetchedAtMs, signal });
    } finally {
      // Ends the connection at once, whatever of the body is still on its way.
      await client.destroy();
    }
  } finally {
    deadline.clear();
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly passed: Promise<'timeout'>;
  clear(): void;
}

function startDeadline(deadlineMs: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), deadlineMs);
  const passed = new Promise<'timeout'>((resolve) =>
    controller.signal.addEventListener('abort', () => resolve('timeout'), { once: true }),
  );
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) };
}

async function addressesOf(
  { hostname, isLiteral }: GuardedUrl,
  options: OutboundOptions,
): Promise<readonly string[] | 'dns_failed'> {
  if (isLiteral) return [hostname];
  try {
    const addresses = await (options.resolve ?? resolveBySystem)(hostname);
    return addresses.length === 0 ? 'dns_failed' : addresses;
  } catch {
    return 'dns_failed';
  }
}

async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

/** One address that leads elsewhere refuses them all: a host that is half public is an attack, not a peer. */
function mayBeAsked(
  addresses: readonly string[],
  { loopbackOnly }: GuardedUrl,
  { allowLoopbackPeers }: OutboundOptions,
): boolean {
  if (addresses.length > OUTBOUND_ADDRESSES_MAX) return false;
  const kinds = new Set(addresses.map(addressKind));
  if (kinds.size !== 1) return false;
  return kinds.has('public') ? !loopbackOnly : kinds.has('loopback') && allowLoopbackPeers;
}

interface Exchange {
  readonly client: Dispatcher;
  readonly url: URL;
  readonly fetchedAtMs: number;
  readonly signal: AbortSignal;
}

async function exchange(
  request: OutboundRequest,
  { client, url, signal: deadline, fetchedAtMs }: Exchange,
): Promise<OutboundOutcome> {
  const headersDeadline = request.headersMs === undefined ? null : startDeadline(request.headersMs);
  const signal = AbortSignal.any(
    headersDeadline === null ? [deadline] : [deadline, headersDeadline.signal],
  );
  try {
    const { statusCode, headers, body } = await client.request({
      path: `${url.pathname}${url.search}`,
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...request.headers },
      body: request.body ?? null,
      signal,
    });
    headersDeadline?.clear();
    // 304 answers a conditional request; every other 3xx sends us to a place that nobody checked.
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) return { kind: 'redirect' };
    const bytesMax = request.bodyBytesMax ?? OUTBOUND_BODY_BYTES_MAX;
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax && request.cutsBody === true) break;
      if (bytes > bytesMax) return { kind: 'too_large' };
      chunks.push(chunk);
    }
    return {
      kind: 'ok',
      status: statusCode,
      headers: joined(headers),
      body: Buffer.concat(chunks),
      fetchedAtMs,
    };
  } catch (error) {
    return { kind: signal.aborted ? 'timeout' : outcomeOfError(error) };
  } finally {
    headersDeadline?.clear();
  }
}

/** A client of its own for every fetch: a connection kept for later would outlive the check of its address. */
function clientOf(
  { url }: GuardedUrl,
  addresses: readonly string[],
  options: OutboundOptions & { readonly connectMs: number | undefined },
): Client {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const toPinned: LookupFunction = (_hostname, _options, done) => done(null, pinned);
  return new Client(url.origin, {
    maxHeaderSize: OUTBOUND_HEADER_BYTES_MAX,
    connect: {
      lookup: toPinned,
      autoSelectFamily: true,
      ...trustOf(options),
      ...(options.connectMs === undefined ? {} : { timeout: options.connectMs }),
    },
  });
}

const trustOf = ({ trustedCertificates }: OutboundOptions) =>
  trustedCertificates === undefined ? {} : { ca: [...rootCertificates, ...trustedCertificates] };

function joined(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

const TLS_ERROR =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|EPROTO$)/;
const SIZE_ERRORS: readonly string[] = ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'];

function outcomeOfError(error: unknown): 'tls_failed' | 'too_large' | 'timeout' | 'connect_failed' {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code !== 'string') return 'connect_failed';
  if (SIZE_ERRORS.includes(code)) return 'too_large';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  return TLS_ERROR.test(code) ? 'tls_failed' : 'connect_failed';
}
