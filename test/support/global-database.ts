import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import pg from 'pg';
import { startEmbedded } from '../../src/base/platform/database/embedded.js';
import { migrate } from '../../src/base/platform/database/migrate.js';
import { readPostmasterFile, stopPostmaster } from '../../src/base/platform/database/postmaster.js';
import { temporaryDataFolder } from './data-folder.js';
import { databaseUrl, TEMPLATE_DATABASE } from './database-url.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database all tests share, each in tenants of its own. */
    databaseUrl: string;
    /** Where `freshDatabase` may issue CREATE DATABASE. */
    maintenanceUrl: string;
  }
}

const SHARED_DATABASE = 'arbiter_test';
const FOLDER_PREFIX = 'arbiter-test-';

/** One embedded PostgreSQL for the whole run, in a temporary folder, with every migration applied. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const folder = temporaryDataFolder(`${FOLDER_PREFIX}${process.pid}-`);
  const server = await startEmbedded({ dataFolder: folder });
  const maintenance = new pg.Client({ connectionString: server.connectionString });
  await maintenance.connect();
  await maintenance.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await migrate({ connectionString: databaseUrl(server.connectionString, TEMPLATE_DATABASE) });
  await maintenance.query(`CREATE DATABASE ${SHARED_DATABASE} TEMPLATE ${TEMPLATE_DATABASE}`);
  await maintenance.end();

  project.provide('maintenanceUrl', server.connectionString);
  project.provide('databaseUrl', databaseUrl(server.connectionString, SHARED_DATABASE));
  return async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
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
