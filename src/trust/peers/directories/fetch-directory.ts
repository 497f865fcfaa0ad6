import { err, ok, type Result } from '../../../core/kernel/index.js';
import {
  answerLifeMs,
  type OutboundClient,
  type OutboundOutcome,
  SERVICE_VERSION,
} from '../../../base/platform/index.js';
import type { DirectoryPlace } from './directory-place.js';
import { type KeyDocumentFault, readKeyDocument } from './key-set.js';

/** Bounds of one fetch, in milliseconds and bytes (facts/signatures.md 5.3 row 4). */
export interface FetchLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly totalMs: number;
  readonly bodyBytesMax: number;
}
export const FETCH_LIMITS: FetchLimits = {
  connectMs: 1_000,
  headersMs: 1_500,
  totalMs: 2_500,
  bodyBytesMax: 64 * 1_024,
};

const DIRECTORY_MEDIA_TYPE = 'application/http-message-signatures-directory+json';
const ACCEPT = `${DIRECTORY_MEDIA_TYPE}, application/jwk-set+json;q=0.9, application/json;q=0.8`;
const JSON_MEDIA_TYPE = /^(?:application\/json|[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json)$/;

/** Every way in which asking a directory fails. */
export type DirectoryFault =
  | Exclude<OutboundOutcome['kind'], 'ok'>
  | 'http_status'
  | 'away'
  | 'content_type'
  | 'encoded'
  | KeyDocumentFault;

/** The directory could not be asked, which says nothing about what it publishes. */
const SAYS_NOTHING: ReadonlySet<DirectoryFault> = new Set([
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'timeout',
  'refused_address',
  'away',
]);
export const saysNothing = (fault: DirectoryFault): boolean => SAYS_NOTHING.has(fault);

export interface DirectoryAnswer {
  /** Null: the copy that was named is still the one. */
  readonly jwks: readonly unknown[] | null;
  readonly etag: string | null;
  /** How long HTTP lets it live from the request on, in milliseconds; null = it says nothing. */
  readonly lifeMs: number | null;
  readonly isExactMediaType: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface DirectoryRequest {
  readonly place: DirectoryPlace;
  /** Of a copy that may be confirmed instead of sent again. */
  readonly etag: string | null;
  readonly limits: FetchLimits;
}

/**
 * Asks a directory or profile once. Faults, in order: the endings of the outbound client, away (5xx, 408, 429),
 * http_status (neither 200 nor an expected 304), encoded (a content coding that nobody asked for; nothing is inflated),
 * content_type, malformed, too_many_keys. Not checked: any key, and the answer's own signature.
 */
export async function fetchDirectory(
  outbound: OutboundClient,
  { place, etag, limits }: DirectoryRequest,
): Promise<Result<DirectoryAnswer, DirectoryFault>> {
  const outcome = await outbound.fetch({
    url: place.href,
    headers: {
      accept: ACCEPT,
      'user-agent': `commerce-arbiter/${SERVICE_VERSION}`,
      ...(etag === null ? {} : { 'if-none-match': etag }),
    },
    connectMs: limits.connectMs,
    headersMs: limits.headersMs,
    deadlineMs: limits.totalMs,
    bodyBytesMax: limits.bodyBytesMax,
  });
  if (outcome.kind !== 'ok') return err(outcome.kind);
  const { status, headers, body } = outcome;
  const lifeMs = answerLifeMs(headers);
  const mediaType = mediaTypeOf(headers);
  const answer = { lifeMs, headers, body, isExactMediaType: mediaType === DIRECTORY_MEDIA_TYPE };
  if (status === 304 && etag !== null) return ok({ ...answer, jwks: null, etag });
  if (status >= 500 || status === 429 || status === 408) return err('away');
  if (status !== 200) return err('http_status');
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    return err('encoded');
  if (!JSON_MEDIA_TYPE.test(mediaType)) return err('content_type');
  const jwks = readKeyDocument(body, place.list);
  return jwks.ok ? ok({ ...answer, jwks: jwks.value, etag: etagOf(headers) }) : jwks;
}

/** What cannot be sent back as it is names no copy. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/;
const etagOf = ({ etag }: Readonly<Record<string, string>>): string | null =>
  etag !== undefined && ETAG.test(etag) ? etag : null;

const mediaTypeOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
