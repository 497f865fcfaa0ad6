import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import {
  checkRebuild,
  type LedgerWriter,
  readRow,
  type WriterLimits,
} from '../../src/base/ledger/index.js';
import type { TestDatabase } from '../support/database.js';
import { type Fault, FaultyProxy } from './faulty-proxy.js';
import {
  add,
  COUNTERS,
  newTenant,
  opening,
  TOY_PROJECTIONS,
  toyDatabase,
  toyWriter,
} from './toy.js';

let database: TestDatabase;
let observer: pg.Client;
let proxy: FaultyProxy;
let writer: LedgerWriter;
const tenantIds = [newTenant(), newTenant()];

beforeAll(async () => {
  database = await toyDatabase();
  observer = new pg.Client({ connectionString: database.connectionString });
  await observer.connect();
});
afterAll(() => observer.end());
beforeEach(async () => {
  proxy = await FaultyProxy.start(database.connectionString);
});
afterEach(async () => {
  proxy.refusing = false;
  await writer.close();
  await proxy.close();
});

/** One flusher, so that all commands are one batch; a first batch has prepared every statement. */
async function startWriter(limits: Partial<WriterLimits> = {}): Promise<void> {
  ({ writer } = toyWriter(proxy.connectionString, {
    limits: { flushers: 1, retryPauseMs: 5, ...limits },
  }));
  tenantIds.splice(0, 2, newTenant(), newTenant());
  await Promise.all(tenantIds.map((id) => writer.open(opening(id, { sealingKid: 'k1' }))));
  await Promise.all(tenantIds.map((id) => writer.execute(add(id, { amount: 0 }))));
}

/** Two commands of each of two tenants, one batch. */
const batch = () =>
  Promise.all([...tenantIds, ...tenantIds].map((id) => writer.execute(add(id, { amount: 1 }))));

const valuesOf = () =>
  Promise.all(
    tenantIds.map(
      async (tenantId) => (await readRow(database.pool, COUNTERS, { tenantId, key: ['c'] }))?.value,
    ),
  );

/** The whole ledger again: gapless, chained, sealed, and the tables are its fold. */
async function expectWholeLedger(): Promise<void> {
  for (const tenantId of tenantIds) {
    const report = await checkRebuild(observer, tenantId, {
      projections: TOY_PROJECTIONS,
      sealer: writer.sealer,
    });
    expect(report.differences).toEqual([]);
  }
}

async function someoneWaitsForAHead(): Promise<void> {
  for (;;) {
    const { rows } = await observer.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}

// Not the BEGIN that says READ COMMITTED; the server answers with the same word.
const COMMIT = /COMMIT\0/;

const cut: Fault = (connection) => connection.cut();
const cutAtAnswer =
  (answer: RegExp): Fault =>
  (connection, message) => {
    connection.cutAtAnswer = answer;
    connection.server.write(message);
  };

describe('a connection that is lost', () => {
  it.each<[string, RegExp, Fault]>([
    ['at BEGIN', /BEGIN/, cut],
    ['while the heads are being locked', /lock_heads/, cut],
    [
      'when the state was loaded and its answer is lost',
      /BEGIN/,
      cutAtAnswer(/lock_heads|clock_ms|tenant_id/),
    ],
    ['before the entries are written', /insert_entries/, cut],
    ['between the entries and the projections', /write_toy_counters/, cut],
    ['before COMMIT arrives (failed)', COMMIT, cut],
    ['after COMMIT was executed (failed but persisted)', COMMIT, cutAtAnswer(COMMIT)],
  ])('%s: every command is answered, and counted once', async (_when, match, fault) => {
    await startWriter();
    proxy.arm(match, fault);
    const results = await batch();
    expect(proxy.isArmed).toBe(false);
    expect(results.map((result) => result.ok && result.value.seq)).toEqual([2, 2, 3, 3]);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it.each([
    ['then commits: the answers of that batch count', true],
    ['then dies: the batch is run again', false],
  ])('at COMMIT, while the server still holds the heads and %s', async (_how, commits) => {
    await startWriter();
    let finish: () => void = () => undefined;
    proxy.arm(COMMIT, (connection, message) => {
      connection.detached = true;
      connection.client.destroy();
      finish = () => {
        if (commits) connection.server.end(message);
        else connection.server.destroy();
      };
    });
    const answered = batch();
    // The writer asks what was kept: it must wait for the old transaction, not look past it.
    await someoneWaitsForAHead();
    finish();
    expect((await answered).map((result) => result.ok && result.value.seq)).toEqual([2, 2, 3, 3]);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it('at the COMMIT of an opening that is executed later: opened once, and told so', async () => {
    await startWriter();
    let finish: () => void = () => undefined;
    proxy.arm(COMMIT, (connection, message) => {
      connection.detached = true;
      connection.client.destroy();
      finish = () => connection.server.end(message);
    });
    const tenantId = newTenant();
    const opened = writer.open(opening(tenantId));
    // Nobody can see, and so nobody can lock, the head that the lost transaction made: it is waited for all the same.
    await someoneWaitsForAHead();
    finish();
    expect(await opened).toEqual({ ok: true, value: { seq: 0 } });
  });

  it('at every COMMIT is not tried again for ever', async () => {
    await startWriter({ commandTimeoutMs: 200 });
    const again: Fault = (connection) => {
      proxy.arm(COMMIT, again);
      connection.cut();
    };
    proxy.arm(COMMIT, again);
    for (const result of await batch())
      expect(result).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    proxy.arm(/never/, cut);
    expect((await batch()).every((result) => result.ok)).toBe(true);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it('by one command every time: the others of its batch are recorded', async () => {
    await startWriter({ commandTimeoutMs: 2_000 });
    const poison = /write_toy_receipts[^]*fatal-receipt/;
    const again: Fault = (connection) => {
      proxy.arm(poison, again);
      connection.cut();
    };
    proxy.arm(poison, again);
    const [tenantId = newTenant()] = tenantIds;
    const innocent = batch();
    const fatal = writer.execute(add(tenantId, { receipt: 'fatal-receipt' }));
    expect(await fatal).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect((await innocent).every((result) => result.ok)).toBe(true);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it('slow: an answer that comes late is an answer', async () => {
    await startWriter();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      proxy.arm(COMMIT, (connection, message) => {
        release = () => connection.server.write(message);
        resolve();
      });
    });
    const answered = batch();
    await held;
    expect(await valuesOf()).toEqual([0, 0]);
    release();
    expect((await answered).every((result) => result.ok)).toBe(true);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it('a silent server is given up, and asked through another connection', async () => {
    ({ writer } = toyWriter(proxy.connectionString, {
      limits: { flushers: 1, retryPauseMs: 5 },
      session: { roundTripTimeoutMs: 500 },
    }));
    tenantIds.splice(0, 2, newTenant(), newTenant());
    await Promise.all(tenantIds.map((id) => writer.open(opening(id))));
    proxy.arm(COMMIT, () => undefined);
    expect((await batch()).every((result) => result.ok)).toBe(true);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it.each([
    ['before anything was written: unavailable', /lock_heads/, 'unavailable'],
    ['at COMMIT: outcome_unknown', COMMIT, 'outcome_unknown'],
  ])('with the database away for longer than we wait, %s', async (_when, match, code) => {
    await startWriter({ commandTimeoutMs: 200, outcomeTimeoutMs: 200 });
    proxy.arm(match, (connection) => {
      proxy.refusing = true;
      connection.cut();
    });
    const results = await batch();
    for (const result of results) {
      expect(result).toMatchObject({ ok: false, error: { code } });
      expect(result.ok || result.error.retryAfterSeconds).toBeGreaterThan(0);
    }
    proxy.refusing = false;
    expect(await valuesOf()).toEqual([0, 0]);
    expect((await batch()).every((result) => result.ok)).toBe(true);
    expect(await valuesOf()).toEqual([2, 2]);
    await expectWholeLedger();
  });

  it('outcome_unknown of a batch that was persisted is found again under its key', async () => {
    await startWriter({ outcomeTimeoutMs: 200 });
    const [tenantId] = tenantIds;
    const idempotency = { scope: 's', key: 'k', requestHash: 'h' };
    const command = add(tenantId ?? newTenant(), { idempotency });
    proxy.arm(COMMIT, (connection, message) => {
      proxy.refusing = true;
      connection.cutAtAnswer = COMMIT;
      connection.server.write(message);
    });
    expect(await writer.execute(command)).toMatchObject({ error: { code: 'outcome_unknown' } });
    proxy.refusing = false;
    expect(await writer.execute(command)).toMatchObject({
      ok: true,
      value: { seq: 2, replayed: true },
    });
    await expectWholeLedger();
  });

  it('with nothing to commit harms nobody', async () => {
    await startWriter();
    proxy.arm(/ROLLBACK/, cut);
    const refused = tenantIds.map((id) => writer.execute(add(id, { amount: 2, limit: 1 })));
    for (const result of await Promise.all(refused))
      expect(result).toMatchObject({ error: { code: 'conflict' } });
    expect((await batch()).every((result) => result.ok)).toBe(true);
  });
});
