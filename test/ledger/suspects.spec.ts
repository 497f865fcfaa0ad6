import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerWriter } from '../../src/base/ledger/index.js';
import type { TenantId } from '../../src/core/kernel/index.js';
import type { TestDatabase } from '../support/database.js';
import {
  add,
  broken,
  newTenant,
  opening,
  toyDatabase,
  toyWriter,
  type ToyWriterOptions,
} from './toy.js';

let database: TestDatabase;
let writer: LedgerWriter;
let healthy: TenantId[];
let suspect: TenantId;

beforeAll(async () => {
  database = await toyDatabase();
});
afterEach(() => writer.close());

/** One flusher: what is asked at once would be one batch. */
async function startWriter(options: ToyWriterOptions = {}): Promise<void> {
  const limits = { flushers: 1, retryPauseMs: 5, ...options.limits };
  ({ writer } = toyWriter(database.connectionString, { ...options, limits }));
  [suspect, ...healthy] = [newTenant(), newTenant(), newTenant(), newTenant(), newTenant()];
  for (const id of [suspect, ...healthy]) await writer.open(opening(id));
}

const transactionsOf = async (tenantIds: readonly TenantId[], seq: number) => {
  const { rows } = await database.pool.query<{ tx_id: string }>(
    'SELECT DISTINCT tx_id::text FROM entries WHERE tenant_id = ANY($1) AND seq = $2',
    [tenantIds, seq],
  );
  return rows.length;
};

describe('a tenant whose command broke a batch', () => {
  it('breaks no second one: the others share theirs', async () => {
    await startWriter();
    const round = () => [
      writer.execute(broken(suspect)),
      ...healthy.map((id) => writer.execute(add(id))),
    ];
    for (const seq of [1, 2]) {
      const [failed, ...others] = await Promise.all(round());
      expect(failed).toMatchObject({ ok: false, error: { code: 'internal' } });
      expect(others.every((result) => result.ok)).toBe(true);
      const transactions = await transactionsOf(healthy, seq);
      if (seq === 1) expect(transactions).toBeGreaterThan(1);
      else expect(transactions).toBe(1);
    }
  });

  it('is served all the same, and shares batches again after a while', async () => {
    await startWriter({ limits: { quarantineMs: 0 } });
    await writer.execute(broken(suspect));
    const everybody = [suspect, ...healthy];
    const results = await Promise.all(everybody.map((id) => writer.execute(add(id))));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(await transactionsOf(everybody, 1)).toBe(1);
  });
});

describe('a tenant whose head somebody else holds', () => {
  it('waits alone: the others of its batch are recorded meanwhile, and later ones share no batch with it', async () => {
    await startWriter({ session: { lockTimeoutMs: 100 }, limits: { commandTimeoutMs: 60_000 } });
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM heads WHERE tenant_id = $1 FOR UPDATE', [suspect]);
      const held = writer.execute(add(suspect));
      const others = await Promise.all(healthy.map((id) => writer.execute(add(id))));
      expect(others.every((result) => result.ok)).toBe(true);
      await holder.query('COMMIT');
      expect(await held).toMatchObject({ ok: true, value: { seq: 1 } });
      await Promise.all([suspect, ...healthy].map((id) => writer.execute(add(id))));
      expect(await transactionsOf(healthy, 2)).toBe(1);
      expect(await transactionsOf([suspect, ...healthy], 2)).toBe(2);
    } finally {
      holder.release();
    }
  });

  it('is told unavailable when that takes too long, and nothing of it is recorded', async () => {
    await startWriter({ session: { lockTimeoutMs: 50 }, limits: { commandTimeoutMs: 100 } });
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM heads WHERE tenant_id = $1 FOR UPDATE', [suspect]);
      expect(await writer.execute(add(suspect))).toMatchObject({ error: { code: 'unavailable' } });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await transactionsOf([suspect], 1)).toBe(0);
  });
});

describe('a flood', () => {
  it('of some tenants leaves room for one that comes later', async () => {
    await startWriter({ limits: { queueCommandsMax: 40, queueCommandsPerTenantMax: 40 } });
    const [calm = suspect, ...flooding] = healthy;
    const flood = flooding.flatMap((id) => Array.from({ length: 100 }, () => id));
    const flooded = Promise.all(flood.map((id) => writer.execute(add(id))));
    expect((await writer.execute(add(calm))).ok).toBe(true);
    const refused = (await flooded).filter((result) => !result.ok);
    expect(refused.length).toBeGreaterThan(200);
  });
});
