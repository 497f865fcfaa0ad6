import { Socket } from 'node:net';
import pg from 'pg';

/** One SQL statement; a `name` makes it a prepared statement of the connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export const BEGIN: Statement = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
export const COMMIT: Statement = { text: 'COMMIT' };
export const ROLLBACK: Statement = { text: 'ROLLBACK' };
/**
 * Writes nothing that stays and needs everything a batch needs: the right to write heads, a database that is not
 * read-only, and, by a message without meaning in the write-ahead log, a COMMIT that has to be made durable.
 */
export const TRIAL_WRITES: readonly Statement[] = [
  { text: 'UPDATE heads SET last_seq = last_seq WHERE false' },
  { text: `SELECT pg_logical_emit_message(true, 'commerce-arbiter', 'trial')` },
];

export interface StatementResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number;
  readonly command: string;
}

/**
 * How a round trip ended. `answered`: every statement did what it says. `refused`: the database refused a statement
 * and the connection lives, so the transaction is aborted. `lost`: the connection died or stayed silent too long, so
 * whether the statements were executed is not known.
 */
export type Exchange =
  | { readonly kind: 'answered'; readonly results: readonly StatementResult[] }
  | { readonly kind: 'refused'; readonly error: DatabaseFault }
  | { readonly kind: 'lost'; readonly error: Error };

/** What the database said, with its SQLSTATE. */
export interface DatabaseFault {
  readonly sqlState: string;
  readonly message: string;
  readonly constraint: string | null;
}

/** Opens one connection of the writer's own. Rejects when the database cannot be reached. */
export type OpenSession = () => Promise<Session>;

export interface SessionLimits {
  readonly connectTimeoutMs: number;
  /** A round trip that takes longer is given up, and its connection with it. */
  readonly roundTripTimeoutMs: number;
  /** Longest wait for a head. */
  readonly lockTimeoutMs: number;
  /** How long a transaction whose process fell silent keeps its heads: shorter than anybody waits for them. */
  readonly silenceTimeoutMs: number;
}

export const SESSION_LIMITS: SessionLimits = {
  connectTimeoutMs: 5_000,
  roundTripTimeoutMs: 30_000,
  lockTimeoutMs: 10_000,
  silenceTimeoutMs: 5_000,
};

/** Sessions for the database that `config` names, as the driver understands it. */
export const sessionOpener =
  (config: pg.ClientConfig, limits: SessionLimits = SESSION_LIMITS): OpenSession =>
  () =>
    Session.open(config, limits);

/** One connection that sends several statements in one round trip. Used by one flusher at a time. */
export class Session {
  private constructor(
    private readonly client: pg.Client,
    private readonly socket: Socket,
    private readonly limits: SessionLimits,
  ) {}

  static async open(config: pg.ClientConfig, limits: SessionLimits): Promise<Session> {
    const socket = new Socket();
    socket.setNoDelay(true);
    const client = new pg.Client({
      ...config,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: limits.connectTimeoutMs,
      stream: () => socket,
    });
    // A connection that dies between round trips says so to the next exchange.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      socket.destroy();
      throw error;
    }
    const session = new Session(client, socket, limits);
    const prepared = await session.exchange(settings(limits));
    if (prepared.kind !== 'answered') {
      session.destroy();
      throw new Error(`the ledger's connection could not be set up: ${prepared.error.message}`);
    }
    return session;
  }

  /** Sends all statements at once and waits for all answers. */
  async exchange(statements: readonly Statement[]): Promise<Exchange> {
    const watchdog = setTimeout(() => this.destroy(), this.limits.roundTripTimeoutMs);
    this.socket.cork();
    const sent = statements.map((statement) => this.client.query(queryOf(statement)));
    this.socket.uncork();
    const settled = await Promise.allSettled(sent);
    clearTimeout(watchdog);
    const failures = settled.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as Error] : [],
    );
    const lost = failures.find((failure) => !isRefusal(failure));
    if (lost !== undefined) {
      this.destroy();
      return { kind: 'lost', error: lost };
    }
    const [first] = failures;
    if (first !== undefined) return { kind: 'refused', error: faultOf(first as pg.DatabaseError) };
    return {
      kind: 'answered',
      results: settled.map((one) =>
        resultOf((one as PromiseFulfilledResult<pg.QueryResult>).value),
      ),
    };
  }

  get alive(): boolean {
    return !this.socket.destroyed;
  }

  /** Cuts the connection. The server rolls back what was not committed. */
  destroy(): void {
    this.socket.destroy();
  }

  async close(): Promise<void> {
    if (this.alive) await this.client.end();
  }
}

/** What the writer relies on, whatever the server's defaults are. The planner is held to index look-ups by key. */
const settings = (limits: SessionLimits): readonly Statement[] => [
  { text: 'SET synchronous_commit = on' },
  { text: `SET lock_timeout = ${limits.lockTimeoutMs}` },
  { text: `SET statement_timeout = ${limits.roundTripTimeoutMs}` },
  { text: `SET idle_in_transaction_session_timeout = ${limits.silenceTimeoutMs}` },
  { text: 'SET enable_seqscan = off' },
  { text: 'SET enable_hashjoin = off' },
  { text: 'SET enable_mergejoin = off' },
];

const queryOf = ({ name, text, values }: Statement): pg.QueryConfig => ({
  text,
  ...(name === undefined ? {} : { name }),
  ...(values === undefined ? {} : { values: [...values] }),
});

const resultOf = (result: pg.QueryResult): StatementResult => ({
  rows: result.rows as StatementResult['rows'],
  rowCount: result.rowCount ?? 0,
  command: result.command,
});

// Shutting down, crashed, not yet up, idle too long, connection trouble, internal trouble: the connection ends with these.
const ENDS_CONNECTION = /^(?:57P0|08|25P03|XX)/;

/**
 * An answer of a server that goes on serving this connection. When in doubt it is not one: a lost connection makes the
 * writer ask the database what it kept, which is always right.
 */
const isRefusal = (failure: Error): boolean =>
  failure instanceof pg.DatabaseError &&
  failure.severity !== 'FATAL' &&
  failure.severity !== 'PANIC' &&
  !ENDS_CONNECTION.test(failure.code ?? 'XX000');

const faultOf = (error: pg.DatabaseError): DatabaseFault => ({
  sqlState: error.code ?? 'XX000',
  message: error.message,
  constraint: error.constraint ?? null,
});
