import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import pg from 'pg';
import { startEmbedded } from '../../src/base/platform/database/embedded.js';
import { migrate } from '../../src/base/platform/database/migrate.js';
import { readPostmasterFile, stopPostmaster } from '../../src/base/platform/database/postmaster.js';
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

const FOLDER_PREFIX = 'arbiter-test-';

interface Server {
  readonly connectionString: string;
  close(): Promise<void>;
}

/**
 * One PostgreSQL and one trust authority for the whole run, with every migration applied: an embedded one in a temporary folder, or the one that
 * TEST_DATABASE_URL names. Its role has CREATEDB, and `postgres` is a superuser there that needs no password.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
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
  const authorityFolder = temporaryDataFolder(`${FOLDER_PREFIX}${process.pid}-`);
  const authority = await startAuthority({
    environment: authorityEnvironment({ DATABASE_URL: shared, DATA_DIR: authorityFolder }),
    report: (line) => console.error(line),
  });
  // Also to the project that looks afterwards at what was written.
  for (const each of project.vitest.projects)
    each.provide('maintenanceUrl', server.connectionString);
  project.provide('databaseUrl', shared);
  project.provide('authorityUrl', authority.url);
  return async () => {
    await authority.stop();
    rmSync(authorityFolder, { recursive: true, force: true });
    await server.close();
  };
}

async function embeddedServer(): Promise<Server> {
  const folder = temporaryDataFolder(`${FOLDER_PREFIX}${process.pid}-`);
  const server = await startEmbedded({ dataFolder: folder });
  return {
    connectionString: server.connectionString,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

/** A run that was killed leaves its folder and, maybe, its server: the next run takes both away. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const pid = Number(name.slice(FOLDER_PREFIX.length).split('-')[0]);
    if (!Number.isSafeInteger(pid) || existsSync(`/proc/${pid}`)) continue;
    const cluster = join(tmpdir(), name, 'postgres');
    const file = readPostmasterFile(cluster);
    if (file !== null) await stopPostmaster(file.pid, cluster);
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
