import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdempotencyClaim, type LedgerWriter, readRow } from '../../src/base/ledger/index.js';
import type { TestDatabase } from '../support/database.js';
import { add, COUNTERS, newTenant, opening, toyDatabase, toyWriter } from './toy.js';

let database: TestDatabase;
let one: LedgerWriter;
let two: LedgerWriter;

beforeAll(async () => {
  database = await toyDatabase();
  one = toyWriter(database.connectionString).writer;
  two = toyWriter(database.connectionString).writer;
});
afterAll(() => Promise.all([one.close(), two.close()]));

const openTenant = async () => {
  const tenantId = newTenant();
  await one.open(opening(tenantId));
  return tenantId;
};
const claim = (key: string, requestHash = 'hash'): IdempotencyClaim => ({
  scope: 'agent POST /v1/toys',
  key,
  requestHash,
});
const valueOf = async (tenantId: `tnt_${string}`) =>
  (await readRow(database.pool, COUNTERS, { tenantId, key: ['c'] }))?.value;

describe('an idempotency key', () => {
  it('answers the first answer again, from the entries', async () => {
    const tenantId = await openTenant();
    const first = await one.execute(add(tenantId, { amount: 5, idempotency: claim('k') }));
    const again = await one.execute(add(tenantId, { amount: 5, idempotency: claim('k') }));
    expect(first).toMatchObject({ ok: true, value: { replayed: false, seq: 1 } });
    expect(again).toEqual({
      ok: true,
      value: { ...(first.ok ? first.value : {}), replayed: true },
    });
    expect(await valueOf(tenantId)).toBe(5);
  });

  it('of another request is a conflict', async () => {
    const tenantId = await openTenant();
    await one.execute(add(tenantId, { idempotency: claim('k') }));
    expect(await one.execute(add(tenantId, { idempotency: claim('k', 'other') }))).toMatchObject({
      error: { code: 'idempotency_conflict' },
    });
    expect(await valueOf(tenantId)).toBe(1);
  });

  it('of an earlier version, which kept the plain hash, is answered as well', async () => {
    const tenantId = await openTenant();
    const first = await one.execute(add(tenantId, { idempotency: claim('k') }));
    const { rows } = await database.pool.query<{ request_hash: string }>(
      'SELECT request_hash FROM idempotency_keys WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows[0]?.request_hash).toMatch(/^[0-9a-f]{64}$/);
    await database.pool.query(
      `UPDATE idempotency_keys SET request_hash = 'hash' WHERE tenant_id = $1`,
      [tenantId],
    );
    const again = await one.execute(add(tenantId, { idempotency: claim('k') }));
    expect(again).toMatchObject({
      value: { seq: first.ok ? first.value.seq : null, replayed: true },
    });
  });

  it('in flight in this process is told to wait a second', async () => {
    const tenantId = await openTenant();
    const [first, second] = await Promise.all(
      ['hash', 'other'].map((hash) =>
        one.execute(add(tenantId, { idempotency: claim('k', hash) })),
      ),
    );
    expect(first?.ok).toBe(true);
    expect(second).toMatchObject({
      error: { code: 'idempotency_in_flight', retryAfterSeconds: 1 },
    });
  });

  it('across two writers is written once: the duplicate waits on the head and repeats', async () => {
    const tenantId = await openTenant();
    for (let round = 0; round < 20; round += 1) {
      const key = randomUUID();
      const results = await Promise.all(
        [one, two].map((writer) => writer.execute(add(tenantId, { idempotency: claim(key) }))),
      );
      const answers = results.flatMap((result) => (result.ok ? [result.value] : []));
      expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
      expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1);
    }
    expect(await valueOf(tenantId)).toBe(20);
  });

  it('of a command that ended in a problem is free', async () => {
    const tenantId = await openTenant();
    const idempotency = claim('k');
    expect(await one.execute(add(tenantId, { amount: 9, limit: 5, idempotency }))).toMatchObject({
      error: { code: 'conflict' },
    });
    expect(
      await one.execute(add(tenantId, { amount: 4, idempotency: claim('k', 'other') })),
    ).toMatchObject({
      ok: true,
      value: { replayed: false },
    });
  });

  it('belongs to its scope and tenant', async () => {
    const [first, second] = [await openTenant(), await openTenant()];
    await one.execute(add(first, { idempotency: claim('k') }));
    const others = [
      add(second, { idempotency: claim('k', 'other') }),
      add(first, { idempotency: { ...claim('k', 'other'), scope: 'agent POST /v1/others' } }),
    ];
    for (const command of others) {
      expect(await one.execute(command)).toMatchObject({ ok: true, value: { replayed: false } });
    }
  });

  it('is stored as digests only', async () => {
    const tenantId = await openTenant();
    await one.execute(add(tenantId, { idempotency: claim('a very recognisable key') }));
    const { rows } = await database.pool.query<{ text: string }>(
      'SELECT i::text AS text FROM idempotency_keys AS i WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toMatch(/recognisable|toys/);
  });

  it('repeats and new commands share a batch', async () => {
    const tenantId = await openTenant();
    await one.execute(add(tenantId, { amount: 5, idempotency: claim('k') }));
    const results = await Promise.all([
      one.execute(add(tenantId)),
      one.execute(add(tenantId, { amount: 5, idempotency: claim('k') })),
      one.execute(add(tenantId)),
    ]);
    expect(results.map((result) => result.ok && result.value.seq)).toEqual([2, 1, 3]);
    expect(await valueOf(tenantId)).toBe(7);
  });
});
