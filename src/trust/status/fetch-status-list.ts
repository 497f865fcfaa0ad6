import { err, ok, type Result } from '../../core/kernel/index.js';
import {
  STATUS_LIST_MEDIA_TYPE,
  STATUS_LIST_TOKEN_LENGTH_MAX,
  type StatusListFault,
} from '../../core/proofs/index.js';
import {
  answerLifeMs,
  type OutboundClient,
  type OutboundOutcome,
} from '../../base/platform/index.js';

/** Time for one fetch, everything included. Milliseconds. */
export const LIST_FETCH_MS_MAX = 2_500;

/** What the list's server answered; `token` null = the copy that was named is still the one. */
export interface FetchedList {
  readonly token: string | null;
  readonly etag: string | null;
  /** How long HTTP lets the answer live from the request on, in milliseconds (decisions 4.2): it only ever shortens what the list allows; null = it says nothing. */
  readonly lifeMs: number | null;
}

export interface ListRequest {
  readonly uri: string;
  /** Of a copy that may be confirmed instead of sent again. */
  readonly etag: string | null;
  readonly deadlineMs: number;
}

/**
 * Fetches a signed list. Faults, in order:
 * status_uri_refused (an address that is never asked), status_unavailable, status_timeout, status_redirect,
 * status_too_large, status_http (neither 200 nor an expected 304), status_content_type (another type, or encoded).
 * Not checked: anything inside.
 */
export async function fetchStatusList(
  outbound: OutboundClient,
  { uri, etag, deadlineMs }: ListRequest,
): Promise<Result<FetchedList, StatusListFault>> {
  const outcome = await outbound.fetch({
    url: uri,
    headers: {
      accept: STATUS_LIST_MEDIA_TYPE,
      ...(etag === null ? {} : { 'if-none-match': etag }),
    },
    deadlineMs,
    bodyBytesMax: STATUS_LIST_TOKEN_LENGTH_MAX,
  });
  if (outcome.kind !== 'ok') return err(FAULT_OF_ENDING[outcome.kind]);
  const { status, headers, body } = outcome;
  const lifeMs = answerLifeMs(headers);
  if (status === 304 && etag !== null) return ok({ token: null, etag, lifeMs });
  if (status !== 200) return err('status_http');
  if (!isSignedList(headers)) return err('status_content_type');
  return ok({ token: body.toString('latin1'), etag: headers['etag'] ?? null, lifeMs });
}

const FAULT_OF_ENDING: Readonly<Record<Exclude<OutboundOutcome['kind'], 'ok'>, StatusListFault>> = {
  refused_url: 'status_uri_refused',
  refused_address: 'status_uri_refused',
  dns_failed: 'status_unavailable',
  connect_failed: 'status_unavailable',
  tls_failed: 'status_unavailable',
  timeout: 'status_timeout',
  too_large: 'status_too_large',
  redirect: 'status_redirect',
};

/** The media type alone or with parameters, and bytes as they are: the client asked for no encoding. */
function isSignedList(headers: Readonly<Record<string, string>>): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  return (
    type.trim().toLowerCase() === STATUS_LIST_MEDIA_TYPE &&
    encoding.trim().toLowerCase() === 'identity'
  );
}
