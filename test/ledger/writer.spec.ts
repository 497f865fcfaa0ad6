import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { ok } from '../../src/core/kernel/index.js';
import {
  cellsOutsideLock,
  type LedgerWriter,
  moveClock,
  readPage,
  readRow,
} from '../../src/base/ledger/index.js';
import type { TestDatabase } from '../support/database.js';
import {
  add,
  addWithDocument,
  broken,
  contextOf,
  COUNTERS,
  newTenant,
  opening,
  RECEIPTS,
  TABLE_VALUE_MAX,
  type TestLog,
  toyDatabase,
  toyWriter,
  TOTALS,
} from './toy.js';
import { cell } from '../../src/base/ledger/index.js';

let database: TestDatabase;
let writer: LedgerWriter;
let log: TestLog;

beforeAll(async () => {
  database = await toyDatabase();
  ({ writer, log } = toyWriter(database.connectionString));
});
afterAll(() => writer.close());

const openTenant = async (how = {}) => {
  const tenantId = newTenant();
  expect(await writer.open(opening(tenantId, how))).toEqual(ok({ seq: 0 }));
  return tenantId;
};

const counterOf = (tenantId: `tnt_${string}`, counter = 'c') =>
  readRow(database.pool, COUNTERS, { tenantId, key: [counter] });

const seqsOf = async (tenantId: string) => {
  const { rows } = await database.pool.query<{ seq: string; at_ms: string; tx_id: string }>(
    'SELECT seq, at_ms, tx_id::text FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return rows.map((row) => ({ seq: Number(row.seq), atMs: Number(row.at_ms), txId: row.tx_id }));
};

describe('the writer', () => {
  it('opens a tenant once, and knows no other', async () => {
    const tenantId = await openTenant();
    expect(await writer.open(opening(tenantId))).toMatchObject({ error: { code: 'conflict' } });
    expect(await writer.execute(add(newTenant()))).toMatchObject({ error: { code: 'not_found' } });
  });

  it('refuses an opening that is not one, and an entry 0 that comes late', async () => {
    const tenantId = newTenant();
    expect(await writer.open(add(tenantId))).toMatchObject({ error: { code: 'internal' } });
    const { rows } = await database.pool.query('SELECT 1 FROM heads WHERE tenant_id = $1', [
      tenantId,
    ]);
    expect(rows).toEqual([]);
    const opened = await openTenant();
    expect(await writer.execute(opening(opened))).toMatchObject({ error: { code: 'internal' } });
  });

  it('each command of a batch sees what its predecessors left', async () => {
    const tenantId = await openTenant();
    const results = await Promise.all(
      Array.from({ length: 40 }, () => writer.execute(add(tenantId, { amount: 3, limit: 60 }))),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(20);
    expect(
      results.slice(20).every((result) => !result.ok && result.error.code === 'conflict'),
    ).toBe(true);
    expect(await counterOf(tenantId)).toEqual({ counter: 'c', value: 60, additions: 20 });
    expect(await readRow(database.pool, TOTALS, { tenantId, key: ['all'] })).toEqual({
      name: 'all',
      value: 60,
    });
  });

  it('one batch serves every tenant that waits', async () => {
    const tenantIds = await Promise.all(Array.from({ length: 30 }, () => openTenant()));
    await Promise.all(
      tenantIds.flatMap((id) => [add(id), add(id), add(id)].map((one) => writer.execute(one))),
    );
    const runs = await Promise.all(tenantIds.map(seqsOf));
    for (const run of runs) expect(run.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    const transactions = new Set(runs.flatMap((run) => run.slice(1).map(({ txId }) => txId)));
    expect(transactions.size).toBeLessThanOrEqual(3);
  });

  it.each([
    ['throws', () => broken],
    [
      'breaks a constraint',
      () => (id: `tnt_${string}`) => add(id, { counter: 'x', amount: TABLE_VALUE_MAX + 1 }),
    ],
    ['creates a row twice', () => (id: `tnt_${string}`) => add(id, { receipt: 'same' })],
  ])('only the guilty command fails when one of many %s', async (_how, guilty) => {
    const tenantIds = await Promise.all([openTenant(), openTenant(), openTenant()]);
    for (const id of tenantIds) await writer.execute(add(id, { receipt: 'same', amount: 0 }));
    const before = log.lines.length;
    const [, guiltyTenant] = tenantIds;
    const innocent = tenantIds.flatMap((id) =>
      Array.from({ length: 5 }, () => writer.execute(add(id))),
    );
    const failed = writer.execute(guilty()(guiltyTenant ?? tenantIds[0]));
    const late = tenantIds.map((id) => writer.execute(add(id)));
    expect(await failed).toMatchObject({ ok: false, error: { code: 'internal' } });
    const results = await Promise.all([...innocent, ...late]);
    expect(results.every((result) => result.ok)).toBe(true);
    for (const id of tenantIds) expect(await counterOf(id)).toMatchObject({ value: 6 });
    expect(log.lines.slice(before)).toHaveLength(1);
    expect(log.lines.at(-1)?.details).toMatchObject({ tenant_id: guiltyTenant });
  });

  it('a command sees only the cells that it names', async () => {
    const tenantId = await openTenant();
    const curious = { ...add(tenantId), reads: [cell(COUNTERS, 'another')] };
    expect(await writer.execute(curious)).toMatchObject({ error: { code: 'internal' } });
    expect(log.lines.at(-1)?.details['error']).toContain('names in reads');
  });

  it('a command without events is answered and leaves nothing', async () => {
    const tenantId = await openTenant();
    const idle = { ...add(tenantId), decide: () => ok({ events: [] }) };
    expect(await writer.execute(idle)).toMatchObject({ ok: true, value: { seq: -1 } });
    expect(await seqsOf(tenantId)).toHaveLength(1);
  });

  it('writes documents beside the entry, once per digest', async () => {
    const tenantId = await openTenant();
    const first = await writer.execute(addWithDocument(tenantId, 'the same text'));
    expect(await writer.execute(addWithDocument(tenantId, 'the same text'))).toEqual(first);
    const { rows } = await database.pool.query<{ sha256: string; bytes: Buffer }>(
      'SELECT sha256, bytes FROM documents WHERE tenant_id = $1',
      [tenantId],
    );
    expect(rows.map((row) => [row.sha256, row.bytes.toString()])).toEqual([
      [first.ok ? first.value : '', 'the same text'],
    ]);
  });

  it('reads rows outside commands by key, by filter and in pages', async () => {
    const tenantId = await openTenant();
    for (const receipt of ['b', 'a', 'd', 'c', 'e'])
      await writer.execute(add(tenantId, { receipt, counter: receipt < 'd' ? 'low' : 'high' }));
    const receipts = async (order: 'key' | 'entry', descending: boolean, where = {}) => {
      const found: string[] = [];
      let after: readonly (string | number)[] | null = null;
      do {
        const page: Awaited<
          ReturnType<typeof readPage<{ receipt: string; counter: string; amount: bigint }>>
        > = await readPage(database.pool, RECEIPTS, {
          tenantId,
          order,
          descending,
          after,
          where,
          limit: 2,
        });
        found.push(...page.rows.map(({ receipt }) => receipt));
        after = page.next;
      } while (after !== null);
      return found.join('');
    };
    expect(await receipts('key', false)).toBe('abcde');
    expect(await receipts('entry', false)).toBe('badce');
    expect(await receipts('entry', true)).toBe('ecdab');
    expect(await receipts('key', true, { counter: 'low' })).toBe('cba');
  });

  it('shows a simulation the same cells and moment, and writes nothing', async () => {
    const tenantId = await openTenant({ idSeed: 'seed', testClockAtMs: 5_000 });
    await writer.execute(add(tenantId, { amount: 9 }));
    const glance = await cellsOutsideLock(database.pool, tenantId, [cell(COUNTERS, 'c')]);
    expect(glance?.view.get(COUNTERS, ['c'])).toMatchObject({ value: 9 });
    expect(glance?.moment).toMatchObject({
      atMs: 5_000,
      nextSeq: 2,
      idSeed: 'seed',
      world: 'test',
    });
    expect(await cellsOutsideLock(database.pool, newTenant(), [])).toBeNull();
    expect(await seqsOf(tenantId)).toHaveLength(2);
  });

  it('seeded tenants get the same entry ids again', async () => {
    const ids = async () => {
      const tenantId = await openTenant({ idSeed: 'seed', testClockAtMs: 5_000 });
      await writer.execute(add(tenantId));
      const { rows } = await database.pool.query<{ entry_id: string }>(
        'SELECT entry_id FROM entries WHERE tenant_id = $1 ORDER BY seq',
        [tenantId],
      );
      return rows;
    };
    expect(await ids()).toEqual(await ids());
  });
});

describe('the queue', () => {
  it('refuses what is too much with a pause to wait, and answers everything else', async () => {
    const { writer: narrow } = toyWriter(database.connectionString, {
      limits: { queueCommandsMax: 10, queueCommandsPerTenantMax: 6 },
    });
    const [one, two] = [await openTenant(), await openTenant()];
    const results = await Promise.all(
      [...Array.from({ length: 8 }, () => one), ...Array.from({ length: 8 }, () => two)].map((id) =>
        narrow.execute(add(id)),
      ),
    );
    // Nobody has more waiting than there is room left: a flood of one tenant leaves room for the next.
    expect(results.map((result) => (result.ok ? '+' : '-')).join('')).toBe('+++++---+++-----');
    const refused = results.find((result) => !result.ok);
    expect(refused).toMatchObject({ error: { code: 'unavailable', retryAfterSeconds: 1 } });
    await narrow.close();
  });

  it('close answers what was accepted and refuses what comes later', async () => {
    const { writer: leaving } = toyWriter(database.connectionString);
    const tenantId = await openTenant();
    const accepted = Array.from({ length: 300 }, () => leaving.execute(add(tenantId)));
    const closed = leaving.close();
    expect(await leaving.execute(add(tenantId))).toMatchObject({ error: { code: 'unavailable' } });
    await closed;
    expect((await Promise.all(accepted)).every((result) => result.ok)).toBe(true);
    expect(await counterOf(tenantId)).toMatchObject({ value: 300 });
  });
});

describe('the clock', () => {
  it('is read after the wait for the head (ADR 0002)', async () => {
    const tenantId = await openTenant();
    const holder = await database.pool.connect();
    const clock = async () => {
      const { rows } = await holder.query<{ ms: string }>('SELECT arbiter_clock_ms() AS ms');
      return Number(rows[0]?.ms);
    };
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM heads WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
    const waiting = writer.execute(add(tenantId));
    for (;;) {
      const { rows } = await holder.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`,
      );
      if (rows.length > 0) break;
    }
    const waitedAtMs = await clock();
    while ((await clock()) < waitedAtMs + 20);
    const releasedAtMs = await clock();
    await holder.query('COMMIT');
    holder.release();
    const result = await waiting;
    expect(result.ok && result.value.atMs).toBeGreaterThanOrEqual(releasedAtMs);
  });

  it('a database clock that goes back never makes a smaller instant', async () => {
    const schema = `clock_${randomUUID().replaceAll('-', '')}`;
    const set = (ms: number) =>
      database.pool.query(
        `CREATE OR REPLACE FUNCTION ${schema}.arbiter_clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ${ms}::bigint'`,
      );
    await database.pool.query(`CREATE SCHEMA ${schema}`);
    await set(50_000);
    const { writer: odd } = toyWriter(database.connectionString, {
      searchPath: `${schema},public`,
    });
    const tenantId = newTenant();
    await odd.open(opening(tenantId));
    await odd.execute(add(tenantId));
    await set(20_000);
    await odd.execute(add(tenantId));
    await set(50_001);
    await odd.execute(add(tenantId));
    expect((await seqsOf(tenantId)).map(({ atMs }) => atMs)).toEqual([
      50_000, 50_000, 50_000, 50_001,
    ]);
    await odd.close();
  });

  it('a test clock stands still, moves forward only, and never in a live tenant', async () => {
    const tenantId = await openTenant({ testClockAtMs: 1_000 });
    await writer.execute(add(tenantId));
    const [moved, after] = await Promise.all([
      writer.execute(moveClock(contextOf(tenantId), 90_000)),
      writer.execute(add(tenantId)),
    ]);
    expect(moved).toEqual(ok({ fromMs: 1_000, toMs: 90_000 }));
    expect(after).toMatchObject({ ok: true, value: { atMs: 90_000 } });
    expect((await seqsOf(tenantId)).map(({ atMs }) => atMs)).toEqual([1_000, 1_000, 1_000, 90_000]);
    expect(await writer.execute(moveClock(contextOf(tenantId), 89_999))).toMatchObject({
      error: { code: 'validation_failed' },
    });
    const live = await openTenant({ world: 'live' });
    expect(await writer.execute(moveClock(contextOf(live), 4_000_000_000_000))).toMatchObject({
      error: { code: 'forbidden' },
    });
  });
});
