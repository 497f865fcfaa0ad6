import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from './embedded.js';
import { checkServer, createPool, type Pool } from './pool.js';

/** The one database of this process. */
export interface Database {
  readonly pool: Pool;
  readonly connectionString: string;
  /** Resolves, with a line for the operator, when the embedded database was deleted; a given one is never gone. */
  readonly gone: Promise<string>;
  /** Waits for queries in flight (at most POOL_DRAIN_TIMEOUT_MS), then lets go of the server. */
  close(): Promise<void>;
}

export interface DatabaseSettings {
  /** A PostgreSQL of the operator's; null = the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** As of {@link createPool}. */
  readonly answerTimeoutMs?: number | null;
}

export const POOL_DRAIN_TIMEOUT_MS = 10_000;

/** Opens the given or the embedded PostgreSQL. Throws StartRefused, one line; nothing is left running then. */
export async function openDatabase(
  settings: DatabaseSettings,
  report: (line: string) => void = () => undefined,
): Promise<Database> {
  const server =
    settings.databaseUrl === null
      ? await startEmbedded({ dataFolder: settings.dataDir, report })
      : null;
  const connectionString = server?.connectionString ?? settings.databaseUrl ?? '';
  const { answerTimeoutMs } = settings;
  const pool = createPool({
    ...{ connectionString, report },
    ...(answerTimeoutMs === undefined ? {} : { answerTimeoutMs }),
  });
  const close = async (): Promise<void> => {
    await Promise.race([pool.end(), sleep(POOL_DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    await server?.close();
  };
  try {
    await checkServer(pool, connectionString);
  } catch (error) {
    await close();
    throw error;
  }
  const gone = server?.gone ?? new Promise<string>(() => undefined);
  return { pool, connectionString, gone, close };
}
