import type { CanonicalValue } from './canonical.js';

/**
 * The closed list of errors: the request could not be answered. A refusal is not an error.
 * `retry` says whether the same request may end differently: never, after a pause, or after the caller changed it.
 */
export const PROBLEMS = {
  request_malformed: { status: 400, retry: 'after_change', title: 'The request could not be read' },
  validation_failed: {
    status: 400,
    retry: 'after_change',
    title: 'A field of the request is wrong',
  },
  idempotency_key_required: {
    status: 400,
    retry: 'after_change',
    title: 'This route needs an Idempotency-Key header',
  },
  unauthenticated: { status: 401, retry: 'after_change', title: 'No valid API key was presented' },
  signature_missing: {
    status: 401,
    retry: 'after_change',
    title: 'This route answers signed requests only',
  },
  signature_invalid: {
    status: 401,
    retry: 'after_change',
    title: 'The signature of the request is not good',
  },
  key_not_found: {
    status: 401,
    retry: 'after_change',
    title: 'No key was found for the signature of the request',
  },
  digest_mismatch: {
    status: 401,
    retry: 'after_change',
    title: 'The signed digest is not that of the body',
  },
  algorithm_unsupported: {
    status: 401,
    retry: 'after_change',
    title: 'The signature is of an algorithm that is not taken here',
  },
  arbiter_refused: {
    status: 403,
    retry: 'after_change',
    title: 'The commerce arbiter refused',
  },
  forbidden: { status: 403, retry: 'never', title: 'This role may not call this route' },
  not_found: { status: 404, retry: 'after_change', title: 'There is nothing with this name here' },
  method_not_allowed: {
    status: 405,
    retry: 'after_change',
    title: 'This route does not know this method',
  },
  conflict: {
    status: 409,
    retry: 'after_change',
    title: 'The request contradicts what is already recorded',
  },
  idempotency_conflict: {
    status: 409,
    retry: 'after_change',
    title: 'This Idempotency-Key was used with another request',
  },
  idempotency_in_flight: {
    status: 409,
    retry: 'after_pause',
    title: 'The first request with this Idempotency-Key is still running',
  },
  payload_too_large: {
    status: 413,
    retry: 'after_change',
    title: 'The body is larger than this route reads',
  },
  unsupported_media_type: {
    status: 415,
    retry: 'after_change',
    title: 'The body is of a type this route does not read',
  },
  misdirected_request: {
    status: 421,
    retry: 'never',
    title: 'No tenant answers under this host name',
  },
  unverifiable: {
    status: 422,
    retry: 'after_change',
    title: 'The signed object could not be verified',
  },
  rate_limited: { status: 429, retry: 'after_pause', title: 'Too many requests' },
  internal: {
    status: 500,
    retry: 'after_pause',
    title: 'Something of ours broke; nothing was recorded',
  },
  unavailable: {
    status: 503,
    retry: 'after_pause',
    title: 'The answer could not be made durable now',
  },
  signature_undecided: {
    status: 503,
    retry: 'after_pause',
    title: 'The signature of the request could not be judged now',
  },
  outcome_unknown: {
    status: 503,
    retry: 'after_pause',
    title: 'The connection broke while the answer was being recorded',
  },
} as const satisfies Readonly<
  Record<string, { status: number; retry: 'never' | 'after_pause' | 'after_change'; title: string }>
>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What a route that may be enforced answers to a request that is not proved; their contracts list them all. */
export const SIGNATURE_PROBLEMS = [
  'signature_missing',
  'signature_invalid',
  'key_not_found',
  'digest_mismatch',
  'algorithm_unsupported',
  'signature_undecided',
] as const satisfies readonly ProblemCode[];

/**
 * One error, ready to be printed as problem+json (RFC 9457).
 * `field` is a JSON pointer into the body (`/cart/lines/0/quantity`), `?name` for a query parameter or `:name` for a
 * header; null when the request as a whole is meant. `fix` tells the caller what to change. Never holds secrets.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly fix: string;
  readonly field: string | null;
  readonly retryAfterSeconds?: number;
  /** The members of a refusal, printed at the top level beside these (decisions 3.13); only of `arbiter_refused`. */
  readonly refusal?: Readonly<Record<string, CanonicalValue>>;
}

export const problem = (
  code: ProblemCode,
  detail: string,
  {
    fix,
    field = null,
    retryAfterSeconds,
  }: { fix: string; field?: string | null; retryAfterSeconds?: number },
): Problem => ({
  code,
  detail,
  fix,
  field,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
