import pg from 'pg';
import { codeOf, messageOf } from '../start-refused.js';
import { SUPERUSER } from './cluster.js';
import { SOCKET_PORT } from './socket-folder.js';

/** Key of the advisory lock (database `postgres`, so it can meet no lock of the application). */
const USERS_LOCK = 0x41_52_42_49;
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * One connection a process holds for as long as it uses the server. It carries a shared lock: "I use this server".
 * INVARIANT: whoever stops the server holds that lock exclusively, so a server in use is never stopped, the last
 * process out stops it (whichever started it), and nobody can join a server that is about to be stopped.
 */
export interface Keeper {
  readonly client: pg.Client;
  readonly lost: Promise<void>;
}

export type Attachment =
  | { readonly kind: 'attached'; readonly keeper: Keeper }
  /** It lives but takes nobody right now: starting, recovering, full, overloaded, or being stopped. */
  | { readonly kind: 'busy'; readonly reason: string }
  /** Nobody answers at its socket. */
  | { readonly kind: 'silent'; readonly reason: string };

/** Tries once to use the server at `socketFolder` that should serve `clusterFolder`. */
export async function attach(socketFolder: string, clusterFolder: string): Promise<Attachment> {
  const client = new pg.Client({
    host: socketFolder,
    port: SOCKET_PORT,
    user: SUPERUSER,
    database: 'postgres',
    ssl: false,
    options: '',
    application_name: 'commerce-arbiter keeper',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string; admitted: boolean }>(
      "SELECT current_setting('data_directory') AS folder, pg_try_advisory_lock_shared($1) AS admitted",
      [USERS_LOCK],
    );
    if (rows[0]?.folder === clusterFolder && rows[0].admitted)
      return { kind: 'attached', keeper: { client, lost } };
    await client.end();
    return rows[0]?.admitted === false
      ? { kind: 'busy', reason: 'another process is stopping the server' }
      : {
          kind: 'silent',
          reason: `the socket belongs to a server of ${rows[0]?.folder ?? 'another folder'}`,
        };
  } catch (error) {
    client.end().catch(() => undefined);
    return judge(error);
  }
}

/** Only a missing or closed socket proves that nobody listens; a slow answer may come from a server in use. */
function judge(error: unknown): Attachment {
  const nobody = ['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '');
  return { kind: nobody ? 'silent' : 'busy', reason: messageOf(error) };
}

/** Gives up the shared lock; true when this was the last user, who now holds the lock alone and must stop the server. */
export async function leave(keeper: Keeper): Promise<boolean> {
  const { rows } = await keeper.client.query<{ last: boolean }>(
    'SELECT pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) AS last',
    [USERS_LOCK],
  );
  return rows[0]?.last === true;
}
