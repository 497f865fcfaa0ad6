/** The same server, another database. */
export function databaseUrl(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.toString();
}

/** The migrated database nobody connects to, so that others can be copied from it. */
export const TEMPLATE_DATABASE = 'arbiter_template';

/** The database that all tests share. */
export const SHARED_DATABASE = 'arbiter_test';

/** How the names of databases of one test begin. */
export const FRESH_DATABASE_PREFIX = 'fresh_';
