import type { TestProject } from 'vitest/node';
import pg from 'pg';
import {
  removeAbandonedTestFolders,
  removeTestFolder,
  TEST_FOLDER_PREFIX,
} from '../../scripts/lib/test-folder.mjs';
import { startEmbedded } from '../../src/base/platform/database/embedded.js';
import { migrate } from '../../src/base/platform/database/migrate.js';
import { migrateAuthority, startAuthority } from '../../src/trust-authority/start.js';
import { authorityEnvironment } from './authority-settings.js';
import { temporaryDataFolder } from './data-folder.js';
import {
  databaseUrl,
  FRESH_DATABASE_PREFIX,
  SHARED_DATABASE,
  TEMPLATE_DATABASE,
} from './database-url.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database all tests share, each in tenants of its own. */
    databaseUrl: string;
    /** Where `freshDatabase` may issue CREATE DATABASE. */
    maintenanceUrl: string;
    /** Where the trust authority of the whole run is reached. */
    authorityUrl: string;
  }
}

interface Server {
  readonly connectionString: string;
  close(): Promise<void>;
}

/**
 * One PostgreSQL and one trust authority for the whole run, with every migration applied: an embedded one in a temporary folder, or the one that
 * TEST_DATABASE_URL names. Its role has CREATEDB, and `postgres` is a superuser there that needs no password.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeAbandonedTestFolders();
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await embeddedServer() : givenServer(given);
  try {
    return await provideAll(project, server);
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function provideAll(project: TestProject, server: Server): Promise<() => Promise<void>> {
  await withMaintenance(server, async (maintenance) => {
    await dropTestDatabases(maintenance);
    await maintenance.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
    const template = databaseUrl(server.connectionString, TEMPLATE_DATABASE);
    await migrate({ connectionString: template });
    await migrateAuthority(template);
    await maintenance.query(`CREATE DATABASE ${SHARED_DATABASE} TEMPLATE ${TEMPLATE_DATABASE}`);
  });

  const shared = databaseUrl(server.connectionString, SHARED_DATABASE);
  const authorityFolder = runFolder();
  const authority = await startAuthority({
    environment: authorityEnvironment({ DATABASE_URL: shared, DATA_DIR: authorityFolder.path }),
    report: (line) => console.error(line),
  });
  // Also to the project that looks afterwards at what was written.
  for (const each of project.vitest.projects)
    each.provide('maintenanceUrl', server.connectionString);
  project.provide('databaseUrl', shared);
  project.provide('authorityUrl', authority.url);
  return async () => {
    await authority.stop();
    authorityFolder.remove();
    await server.close();
  };
}

async function embeddedServer(): Promise<Server> {
  const folder = runFolder();
  const server = await startEmbedded({ dataFolder: folder.path });
  return {
    connectionString: server.connectionString,
    close: async () => {
      await server.close();
      folder.remove();
    },
  };
}

/** A folder that goes with this process, and PostgreSQL in it too: vitest exits at a signal, and asks nobody before. */
function runFolder(): { readonly path: string; readonly remove: () => void } {
  const path = temporaryDataFolder(`${TEST_FOLDER_PREFIX}${process.pid}-`);
  const remove = (): void => {
    process.off('exit', remove);
    removeTestFolder(path);
  };
  process.on('exit', remove);
  return { path, remove };
}

const givenServer = (connectionString: string): Server => ({
  connectionString,
  close: () => withMaintenance({ connectionString }, dropTestDatabases),
});

async function withMaintenance(
  { connectionString }: Pick<Server, 'connectionString'>,
  work: (maintenance: pg.Client) => Promise<void>,
): Promise<void> {
  const maintenance = new pg.Client({ connectionString });
  await maintenance.connect();
  try {
    await work(maintenance);
  } finally {
    await maintenance.end();
  }
}

/** What tests made on this server, now or in a run that was killed. */
async function dropTestDatabases(maintenance: pg.Client): Promise<void> {
  const { rows } = await maintenance.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE datname = ANY($1) OR datname ~ $2',
    [[TEMPLATE_DATABASE, SHARED_DATABASE], `^${FRESH_DATABASE_PREFIX}[0-9a-f]{32}$`],
  );
  for (const { datname } of rows) await maintenance.query(`DROP DATABASE ${datname} WITH (FORCE)`);
}
