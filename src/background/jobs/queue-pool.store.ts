import {
  assertSchemaCompatibility,
  DEFAULT_SCHEMA,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import pg from 'pg';

/** Schema of the queue's own tables, in the database of the ledger: the library looks for them there. */
export const QUEUE_SCHEMA = DEFAULT_SCHEMA;
/** One listens, one takes ticks, one renews and schedules beside them. */
const CONNECTIONS_MAX = 4;
const CONNECTION_TIMEOUT_MS = 5_000;

/** A connection that is lost while nobody listens to it is lost, and no exception: the library closes some that way. */
class QuietClient extends pg.Client {
  override emit(event: string | symbol, ...details: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    // The declared events of the class are narrower than what is emitted.
    return (super.emit as (name: string | symbol, ...rest: unknown[]) => boolean).call(
      this,
      event,
      ...details,
    );
  }
}

/**
 * A pool of its own for the queue, whose names stand in {@link QUEUE_SCHEMA}. Makes the queue's tables, or brings them
 * up to date; where they are, no right to make any is needed. Rejects when the database refuses.
 */
export async function openQueuePool(connectionString: string): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString,
    Client: QuietClient,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'commerce-arbiter jobs',
  });
  // The library tells of what breaks; a connection that is lost while idle is replaced at the next use.
  pool.on('error', () => undefined);
  try {
    const client = await pool.connect();
    try {
      if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) await runMigrations(client);
    } finally {
      client.release();
    }
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function versionOf(client: pg.PoolClient): Promise<number> {
  try {
    return await assertSchemaCompatibility(client);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
