import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  IDEMPOTENCY_KEPT_MS,
  IDEMPOTENCY_SWEEP_ROWS_MAX,
  type LedgerWriter,
  sweepIdempotency,
} from '../../src/base/ledger/index.js';
import type { TestDatabase } from '../support/database.js';
import { add, newTenant, opening, toyDatabase, toyWriter } from './toy.js';

let database: TestDatabase;
let writer: LedgerWriter;
const tenantId = newTenant();

beforeAll(async () => {
  database = await toyDatabase();
  ({ writer } = toyWriter(database.connectionString));
  await writer.open(opening(tenantId));
});
afterAll(() => writer.close());

/** An addition under a key, asked by an agent unless it is a step of the program itself. */
const ask = (key: string, role: 'agent' | 'system' = 'agent') =>
  writer.execute({
    ...add(tenantId, { idempotency: { scope: 's', key, requestHash: 'h' } }),
    actor: { role, id: 'a' },
  });

const makeOlder = (ageMs: number, where = 'true') =>
  database.pool.query(
    `UPDATE idempotency_keys SET created_at = clock_timestamp() - $1 * interval '1 millisecond' WHERE ${where}`,
    [ageMs],
  );

const recordCount = async () => {
  const { rows } = await database.pool.query<{ count: string }>(
    'SELECT count(*) FROM idempotency_keys',
  );
  return Number(rows[0]?.count);
};

const wasReplayed = async (key: string, role?: 'system') => {
  const result = await ask(key, role);
  return result.ok && result.value.replayed;
};

describe('idempotency records', () => {
  it('are swept after a day, not before; then the key is free', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await ask(old);
    await makeOlder(IDEMPOTENCY_KEPT_MS + 1);
    await ask(young);
    await makeOlder(IDEMPOTENCY_KEPT_MS - 60_000, `created_at > now() - interval '1 hour'`);
    expect(await wasReplayed(old)).toBe(true);
    expect(await sweepIdempotency(database.pool)).toBe(1);
    expect(await wasReplayed(young)).toBe(true);
    expect(await wasReplayed(old)).toBe(false);
  });

  it('of steps of the program itself stay: a later start finds what an earlier one did', async () => {
    const step = randomUUID();
    await ask(step, 'system');
    await makeOlder(365 * IDEMPOTENCY_KEPT_MS);
    await sweepIdempotency(database.pool);
    expect(await recordCount()).toBe(1);
    expect(await wasReplayed(step, 'system')).toBe(true);
  });

  it('go in bounded portions, the oldest first, beside a writer and another sweeper', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, index) => ask(`portion-${index}`)));
    await makeOlder(2 * IDEMPOTENCY_KEPT_MS, 'NOT kept');
    const oldest = randomUUID();
    await ask(oldest);
    await makeOlder(3 * IDEMPOTENCY_KEPT_MS, `created_at > now() - interval '1 hour' AND NOT kept`);
    expect(await sweepIdempotency(database.pool, 1)).toBe(1);
    expect(await wasReplayed(oldest)).toBe(false);
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM heads WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
    const swept = await Promise.all([
      sweepIdempotency(database.pool, 4),
      sweepIdempotency(database.pool, 4),
    ]);
    await holder.query('ROLLBACK');
    holder.release();
    const [first = 0, second = 0] = swept;
    expect(first + second).toBeLessThanOrEqual(8);
    expect(first + second).toBeGreaterThanOrEqual(4);
    expect(await sweepIdempotency(database.pool)).toBe(10 - first - second);
  });

  it.each([0, -1, 1.5, IDEMPOTENCY_SWEEP_ROWS_MAX + 1])('%d is no portion', async (limit) => {
    await expect(sweepIdempotency(database.pool, limit)).rejects.toThrow('a sweep deletes 1 to');
  });
});
