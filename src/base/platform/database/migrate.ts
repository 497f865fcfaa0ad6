import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { PACKAGE_ROOT } from '../package-root.js';
import { messageOf, StartRefused } from '../start-refused.js';
import { CONNECTION_TIMEOUT_MS } from './pool.js';
import { foreignTables, MIGRATIONS_TABLE, missingRights, type Rights, rightsOf } from './rights.js';

/** What fails is thrown, and the thrown message is the operator's line; the runner's own narration is not for logs. */
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface MigratedDatabase {
  readonly connectionString: string;
  /** Schemas that the service makes after the migrations: what it needs for them is asked for in the same line. */
  readonly schemasToMake?: readonly string[];
  /** Where the tables are made, and the schema itself when it is not there; left out = `public`. */
  readonly schema?: string;
}

/**
 * Runs the migrations that this database has not seen, all in one transaction: after a failure nothing of them is
 * there. Of several processes at once one migrates, the others wait for its lock and find nothing left to do.
 * Throws StartRefused with one line that names the failure.
 *
 * @param files a folder, or the paths of single files: a program that shares some of another's
 * @returns names of the migrations that ran now
 */
export async function migrate(
  database: MigratedDatabase,
  files: string | readonly string[] = join(PACKAGE_ROOT, 'migrations'),
): Promise<readonly string[]> {
  const { schema, schemasToMake = [] } = database;
  // A connection of its own, without the pool's statement timeout: a migration may take long, and so may the wait.
  const client = new pg.Client({
    connectionString: database.connectionString,
    application_name: 'commerce-arbiter migrations',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  let rights: Rights | null = null;
  try {
    await client.connect();
    const making = [...schemasToMake, ...(schema === undefined ? [] : [schema])];
    rights = await rightsOf(client, making, schema);
    const missing = missingRights(rights);
    if (missing !== null) throw new StartRefused(`${FAILED}: ${missing}`);
    const ran = await runner({
      dbClient: client,
      ...(typeof files === 'string' ? { dir: files } : { dir: [...files], useGlob: true }),
      ...(schema === undefined ? {} : { schema, createSchema: true, migrationsSchema: schema }),
      direction: 'up',
      migrationsTable: MIGRATIONS_TABLE,
      singleTransaction: true,
      advisoryLockMode: 'wait',
      checkOrder: true,
      logger: SILENT,
    });
    return ran.map(({ name }) => name);
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(`${FAILED}: ${explain(error, rights)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

const FAILED = 'The database cannot be migrated';

/** The runner writes whole stacks into its messages, and keeps no code: only the words before the stack are looked at. */
function explain(error: unknown, rights: Rights | null): string {
  const text = messageOf(error instanceof Error ? error.message.split(/\n\s+at /)[0] : error);
  if (rights === null) return text;
  if (text.includes(`permission denied for schema ${rights.tables}`))
    return missingRights({ ...rights, owner: null }) ?? text;
  return /must be owner of|permission denied for (?:table|sequence)/.test(text)
    ? foreignTables(rights)
    : text;
}
