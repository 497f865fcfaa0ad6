import type { Queryable } from '../platform/index.js';

/** The name that was drawn first, whichever of two processes drew it; `draft` if it was none yet. */
export async function keepLogName(database: Queryable, draft: string): Promise<string> {
  await database.query('INSERT INTO ledger_log_name (name) VALUES ($1) ON CONFLICT DO NOTHING', [
    draft,
  ]);
  const { rows } = await database.query<{ name: string }>('SELECT name FROM ledger_log_name');
  return rows[0]?.name ?? draft;
}
