import pg from 'pg';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';

export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;

export const POOL_MAX_CONNECTIONS = 16;
export const CONNECTION_TIMEOUT_MS = 5_000;
export const STATEMENT_TIMEOUT_MS = 30_000;
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
/**
 * How long an answer is waited for here. The server ends what takes too long before that; this is for a network that falls
 * silent, over which no word of the server comes.
 */
export const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/** Texts that one process prepares on each of its connections. */
const PREPARED_TEXTS_MAX = 500;
/** The oldest server the tests know: 15 brought the public schema that only the database's owner may create in. */
export const POSTGRES_MINIMUM_MAJOR = 15;

export interface PoolOptions {
  readonly connectionString: string;
  readonly maxConnections?: number;
  /** {@link ANSWER_TIMEOUT_MS} when left out; null = as long as it takes, for whoever takes the server's limit away, too. */
  readonly answerTimeoutMs?: number | null;
  /** Receives one line when an idle connection is lost; the pool opens another at the next use. */
  readonly report?: (line: string) => void;
}

/**
 * A pool whose clients pipeline: several queries sent on one client without awaiting each other travel in one round
 * trip and are answered in order. Each is a message of its own: an error in a transaction makes the queries behind it
 * fail with 25P02, it does not hold them back. No COPY, no cursors. `int8` and `numeric` arrive as strings.
 */
export function createPool(options: PoolOptions): Pool {
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? POOL_MAX_CONNECTIONS,
    pipeline: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // The driver fails the query and, as it pipelines, ends the connection: nothing else is asked on it.
    query_timeout: answerTimeoutMs ?? 0,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'commerce-arbiter',
  });
  pool.on('error', (error) =>
    options.report?.(`A database connection was lost: ${messageOf(error)}`),
  );
  // INVARIANT: a connection that is lost while somebody holds it fails what is asked on it, and never ends the process: the
  // pool itself listens only while a connection is idle.
  pool.on('connect', (client) => client.on('error', () => undefined));
  prepareStatements(pool);
  return pool;
}

type QueryFunction = (query: unknown, values?: readonly unknown[]) => unknown;

/**
 * Makes every parameterised text of `pool.query` a prepared statement, so that each connection parses and plans it
 * once (seen: a quarter more decisions per second). Our texts are constants of the stores, so there are few; were there
 * more than {@link PREPARED_TEXTS_MAX}, the rest would stay unprepared.
 */
function prepareStatements(pool: pg.Pool): void {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!names.has(text) && names.size < PREPARED_TEXTS_MAX) names.set(text, `pool_${names.size}`);
    return names.get(text);
  };
  const plain = pool.query.bind(pool) as QueryFunction;
  const prepared: QueryFunction = (query, values) => {
    if (typeof query !== 'string' || values === undefined) return plain(query, values);
    return plain({ name: nameOf(query), text: query, values });
  };
  pool.query = prepared as pg.Pool['query'];
}

/** Connects once and looks at the server; throws StartRefused with one line when it cannot be used. */
export async function checkServer(pool: Pool, connectionString: string): Promise<void> {
  const where = withoutPassword(connectionString);
  let rows: { version: string; encoding: string }[];
  try {
    ({ rows } = await pool.query<{ version: string; encoding: string }>(
      "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
    ));
  } catch (error) {
    throw new StartRefused(explain(error, where));
  }
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major < POSTGRES_MINIMUM_MAJOR) {
    throw new StartRefused(
      `DATABASE_URL ${where} is PostgreSQL ${major}: this service needs ${POSTGRES_MINIMUM_MAJOR} or newer.`,
    );
  }
  if (rows[0]?.encoding !== 'UTF8') {
    throw new StartRefused(
      `DATABASE_URL ${where} stores text as ${rows[0]?.encoding ?? 'unknown'}: create the database with ENCODING 'UTF8'.`,
    );
  }
}

/** The address with the password struck out; a string that is no address is not repeated at all. */
export function withoutPassword(connectionString: string): string {
  try {
    const url = new URL(connectionString);
    if (!/^postgres(ql)?:$/.test(url.protocol)) return '(not shown: it is no PostgreSQL address)';
    if (url.password !== '') url.password = '***';
    if (url.searchParams.has('password')) url.searchParams.set('password', '***');
    return url.toString();
  } catch {
    return '(not shown: it is no PostgreSQL address)';
  }
}

const REFUSES = 'refuses the connection: start PostgreSQL there, or correct host and port';
const UNREACHABLE = 'cannot be reached over the network: correct the host, or the route to it';
const NOT_FOUND = 'names a host that cannot be found: correct the host';
const NOT_LET_IN = 'does not let us in: correct user and password, or what pg_hba.conf allows';
/** By code, and where the driver gives none, by its words. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: REFUSES,
  ENOENT: REFUSES,
  ENETUNREACH: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENOTFOUND: NOT_FOUND,
  EAI_AGAIN: NOT_FOUND,
  '28P01': NOT_LET_IN,
  '28000': NOT_LET_IN,
  '3D000': 'names a database that does not exist: create it (CREATE DATABASE), or correct the name',
  '53300': 'has no free connection: raise max_connections, or end other clients',
  'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string':
    'names no password, and the server asks for one: write user:password@host',
  'The server does not support SSL connections':
    'asks for TLS (sslmode), and the server has none: switch it on there, or take sslmode out',
};

function explain(error: unknown, where: string): string {
  const code = codeOf(error) ?? innerCodeOf(error) ?? '';
  const explanation =
    EXPLANATIONS[code] ??
    EXPLANATIONS[messageOf(error)] ??
    `cannot be used (${messageOf(error) || code || 'no answer'}): correct it, or leave it out for the embedded PostgreSQL`;
  return `DATABASE_URL ${where} ${explanation}.`;
}

/** Node joins the failures of a host's several addresses in one AggregateError. */
function innerCodeOf(error: unknown): string | null {
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}
