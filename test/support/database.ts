import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createPool, type Pool } from '../../src/base/platform/database/pool.js';
import { closeAfterFile } from './closing.js';
import { databaseUrl, FRESH_DATABASE_PREFIX, TEMPLATE_DATABASE } from './database-url.js';

export interface TestDatabase {
  /** Pipelining clients, as in the service. */
  readonly pool: Pool;
  readonly connectionString: string;
}

const POOL_CONNECTIONS_PER_FILE = 8;
let shared: TestDatabase | null = null;

/** The migrated database that all tests share: a test works in tenants of its own. */
export function testDatabase(): TestDatabase {
  if (shared === null) {
    shared = connect(inject('databaseUrl'));
    closeAfterFile(() => (shared = null));
  }
  return shared;
}

/** An empty migrated database of its own, for tests that count or break whole tables. */
export async function freshDatabase(): Promise<TestDatabase> {
  const name = `${FRESH_DATABASE_PREFIX}${randomUUID().replaceAll('-', '')}`;
  const maintenance = new pg.Client({ connectionString: inject('maintenanceUrl') });
  await maintenance.connect();
  try {
    await maintenance.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`);
  } finally {
    await maintenance.end();
  }
  return connect(databaseUrl(inject('maintenanceUrl'), name));
}

function connect(connectionString: string): TestDatabase {
  const pool = createPool({ connectionString, maxConnections: POOL_CONNECTIONS_PER_FILE });
  closeAfterFile(() => pool.end());
  return { pool, connectionString };
}
