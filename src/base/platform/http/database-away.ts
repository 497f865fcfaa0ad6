/** Going away, crashed or not yet up, no connection, out of connections, cancelled for taking too long (PostgreSQL appendix A). */
const PASSING_SQL_STATE = /^(?:57P0[1-5]|57014|08[0-9A-Z]{3}|53[0-9A-Z]{3}|25P03|25006)$/;

/** Of the socket to the database; `ENOENT` is a unix socket that is not there yet. */
const PASSING_SOCKET_ERROR: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What the driver says without a code when its connection went away. A test loses a database and finds each of them. */
const PASSING_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * Whether an error that a read threw says that the database cannot be used now, and not that something of ours broke.
 * Commands do not come here: the writer answers them itself, and knows what was recorded.
 */
export function isDatabaseAway(error: object): boolean {
  const { code, syscall, severity, message } = error as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && typeof severity === 'string') return PASSING_SQL_STATE.test(code);
  if (typeof code === 'string' && typeof syscall === 'string')
    return PASSING_SOCKET_ERROR.has(code) && /^(?:connect|read|write)$/.test(syscall);
  return typeof message === 'string' && PASSING_WORDS.test(message);
}
