import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import type { Queryable } from '../database/queryable.js';
import type { HealthCheck } from './health.js';

/** The database answers a query. */
export const databaseCheck = (database: Queryable): HealthCheck => ({
  name: 'database',
  check: async () => {
    await database.query('SELECT 1');
    return { healthy: true };
  },
});

/** Every migration of this program has run in the database. Later ones of a newer program do no harm. */
export function migrationsCheck(database: Queryable, folder: string): HealthCheck {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => parse(file).name);
  return {
    name: 'migrations',
    check: async () => {
      const { rows } = await database.query<{ name: string }>('SELECT name FROM schema_migrations');
      const applied = new Set(rows.map(({ name }) => name));
      const missing = names.filter((name) => !applied.has(name));
      return missing.length === 0
        ? { healthy: true }
        : { healthy: false, detail: `not applied: ${missing.join(', ')}` };
    },
  };
}
