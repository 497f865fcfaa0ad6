import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { PACKAGE_ROOT } from '../package-root.js';
import { messageOf, StartRefused } from '../start-refused.js';
import { CONNECTION_TIMEOUT_MS } from './pool.js';

/** What fails is thrown, and the thrown message is the operator's line; the runner's own narration is not for logs. */
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs the migrations that this database has not seen, all in one transaction: after a failure nothing of them is
 * there. Of several processes at once one migrates, the others wait for its lock and find nothing left to do.
 * Throws StartRefused with one line that names the failure.
 *
 * @returns names of the migrations that ran now
 */
export async function migrate(
  database: { readonly connectionString: string },
  folder = join(PACKAGE_ROOT, 'migrations'),
): Promise<readonly string[]> {
  // A connection of its own, without the pool's statement timeout: a migration may take long, and so may the wait.
  const client = new pg.Client({
    connectionString: database.connectionString,
    application_name: 'commerce-arbiter migrations',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  try {
    await client.connect();
    const ran = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      singleTransaction: true,
      advisoryLockMode: 'wait',
      checkOrder: true,
      logger: SILENT,
    });
    return ran.map(({ name }) => name);
  } catch (error) {
    throw new StartRefused(`The database cannot be migrated: ${explain(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The runner writes whole stacks into its messages, and keeps no code: only the words before the stack are looked at. */
function explain(error: unknown): string {
  const text = messageOf(error instanceof Error ? error.message.split(/\n\s+at /)[0] : error);
  const [, schema] = /permission denied for schema (\S+)/.exec(text) ?? [];
  return schema === undefined
    ? text
    : `the user of DATABASE_URL may not create tables in the schema ${schema}: make it the owner of the database ` +
        `(ALTER DATABASE ... OWNER TO ...), or GRANT CREATE ON SCHEMA ${schema} to it.`;
}
