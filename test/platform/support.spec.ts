import { expect, test } from 'vitest';
import { freshDatabase, testDatabase } from '../support/database.js';

test('a fresh database is migrated, empty and apart from the shared one', async () => {
  const fresh = await freshDatabase();
  const { rows } = await fresh.pool.query<{ name: string }>('SELECT current_database() AS name');
  const { rows: shared } = await testDatabase().pool.query<{ name: string }>(
    'SELECT current_database() AS name',
  );
  expect(rows[0]?.name).toMatch(/^fresh_/);
  expect(shared[0]?.name).toBe('arbiter_test');
});
