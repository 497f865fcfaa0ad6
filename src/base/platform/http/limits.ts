/** Bounds of what one request may be. Each is checked before the work it protects begins. */

/** Largest body read, in bytes. A cart of 100 lines with its signed objects stays below half of it. */
export const BODY_BYTES_MAX = 256 * 1024;
/** Deepest nesting of arrays and objects in a JSON body: nothing we read comes near it, and a stack must not decide. */
export const JSON_DEPTH_MAX = 32;
/** Most members and elements of a JSON body, all levels together. */
export const JSON_VALUES_MAX = 20_000;
/** Longest request target (path and query), in characters. */
export const URL_CHARACTERS_MAX = 4_096;
/** Longest value of one path parameter, in characters: the longest slug of a product fits. */
export const PATH_PARAMETER_CHARACTERS_MAX = 513;
/** Most query parameters of one request. */
export const QUERY_PARAMETERS_MAX = 50;
/** Most header lines of one request. */
export const HEADER_LINES_MAX = 100;
/** Largest request line and headers together, in bytes. Room for RFC 9421 signatures and a few tokens. */
export const HEADER_BYTES_MAX = 32 * 1024;
/** Most wrong fields named in one validation problem. */
export const FIELD_ERRORS_MAX = 20;
/** Longest name of a wrong field that is repeated in a problem, in characters. */
export const FIELD_CHARACTERS_MAX = 200;
/** Longest Idempotency-Key, in visible ASCII characters. */
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
/** Longest API key looked at; ours are far shorter. */
export const API_KEY_CHARACTERS_MAX = 256;
/** Time in which a request must have arrived whole, in milliseconds. */
export const REQUEST_ARRIVAL_MS_MAX = 30_000;
/** Pause told to a caller whose problem names none, in seconds. */
export const RETRY_AFTER_SECONDS_DEFAULT = 1;
/** Width of the rate limit's window, in seconds. */
export const RATE_WINDOW_SECONDS = 60;
/** Callers remembered by one process's rate limiter; the least recently seen is forgotten. */
export const RATE_CALLERS_REMEMBERED = 20_000;
/** One answered request in so many is logged, beside every failed one. */
export const LOG_SAMPLE_EVERY = 100;
