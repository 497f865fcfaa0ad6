import { type Problem, problem, type ProblemCode } from '../../../core/kernel/index.js';
import { isDatabaseAway } from './database-away.js';
import { PATH_PARAMETER_CHARACTERS_MAX } from './limits.js';

type Form = readonly [code: ProblemCode, detail: string, fix: string];

const JSON_FIX = 'Send one JSON value (RFC 8259) as the body.';

/** What Fastify and its parsers refuse by themselves, by their error code. */
const BY_CODE: Readonly<Record<string, Form>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['request_malformed', 'The body is not JSON.', JSON_FIX],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['request_malformed', 'The body is empty.', JSON_FIX],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'request_malformed',
    'The body is not as long as Content-Length says.',
    'Send the Content-Length of the body in bytes.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'payload_too_large',
    'The body is larger than this service reads.',
    'Send less at once.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body is not declared as application/json.',
    'Send Content-Type: application/json.',
  ],
  FST_ERR_BAD_URL: [
    'request_malformed',
    'The path holds a broken percent-encoding.',
    'Percent-encode the path as UTF-8 (RFC 3986).',
  ],
  FST_ERR_MAX_PARAM_LENGTH: [
    'request_malformed',
    `A path parameter is longer than ${PATH_PARAMETER_CHARACTERS_MAX} characters.`,
    'Send the identifier as it was given to you.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request_malformed',
    'The request did not arrive in time.',
    'Send the whole request at once.',
  ],
  HPE_HEADER_OVERFLOW: [
    'request_malformed',
    'The headers are larger than this service reads.',
    'Send fewer or shorter headers.',
  ],
};

const UNREADABLE: Form = [
  'request_malformed',
  'The request is not readable HTTP/1.1.',
  'Send a request that follows RFC 9112.',
];
const TOO_MANY: Form = ['rate_limited', 'Too many requests.', 'Wait, then send fewer requests.'];
const GOING_AWAY: Form = [
  'unavailable',
  'This process is stopping.',
  'Repeat the request; another process answers.',
];
const JSON_POISONED: Form = [
  'request_malformed',
  'The body holds a member named __proto__ or constructor.prototype.',
  'Leave that member out.',
];

const DATABASE_AWAY_PAUSE_SECONDS = 2;
const DATABASE_AWAY = problem(
  'unavailable',
  'The database cannot be reached; nothing was recorded.',
  { fix: 'Repeat the request after the pause.', retryAfterSeconds: DATABASE_AWAY_PAUSE_SECONDS },
);

/**
 * The problem behind an error that is not ours: Fastify's, its parsers', the HTTP parser's, a read that found no
 * database. Null when the error says
 * nothing a caller could act on: then something of ours broke.
 */
export function problemOfForeignError(error: unknown): Problem | null {
  if (typeof error === 'object' && error !== null && isDatabaseAway(error)) return DATABASE_AWAY;
  const form = formOf(error);
  return form === null ? null : problem(form[0], form[1], { fix: form[2] });
}

function formOf(error: unknown): Form | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, statusCode, name } = error as Record<string, unknown>;
  if (typeof code === 'string') {
    const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
    if (known !== undefined) return known;
    if (code.startsWith('HPE_')) return UNREADABLE;
  }
  if (statusCode === 429) return TOO_MANY;
  if (statusCode === 503) return GOING_AWAY;
  if (name === 'SyntaxError' && statusCode === 400) return JSON_POISONED;
  if (statusCode === 400) return UNREADABLE;
  return null;
}
