import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { queueOpener } from '../../src/background/jobs/queue.js';
import { Ticker } from '../../src/background/jobs/ticker.js';
import { declaredTables, DueWorks, withoutRepeats } from '../../src/base/ledger/index.js';
import { SUPERUSER } from '../../src/base/platform/database/cluster.js';
import { migrate } from '../../src/base/platform/index.js';
import { until } from '../endurance/service-process.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { freshDatabase } from '../support/database.js';

const running: Ticker[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((ticker) => ticker.stop()));
});

/** Counts its calls; a test may wait for one, hold it, or let it fail. */
function sweeping() {
  const waiting = new Set<() => void>();
  const state = { calls: 0, atOnce: 0, atOnceMax: 0, hold: Promise.resolve(), fails: false };
  const sweep = async (): Promise<void> => {
    state.calls += 1;
    state.atOnce += 1;
    state.atOnceMax = Math.max(state.atOnceMax, state.atOnce);
    for (const look of waiting) look();
    await state.hold;
    state.atOnce -= 1;
    if (state.fails) throw new Error('a room broke');
  };
  const calls = (count: number): Promise<void> => {
    const goal = state.calls + count;
    return new Promise((resolve) => {
      const look = () => {
        if (state.calls < goal) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  };
  return { state, sweep, calls };
}

function ticking(connectionString: string, sweep: () => Promise<unknown>) {
  const logged: unknown[] = [];
  const emitted = { count: 0, opens: 0 };
  const openQueue = queueOpener({ kind: 'postgres', connectionString });
  const ticker = new Ticker({
    openQueue: (events) => {
      emitted.opens += 1;
      return openQueue({
        ...events,
        onError: (error) => {
          emitted.count += 1;
          events.onError(error);
        },
      });
    },
    sweep,
    log: withoutRepeats({ error: (...line) => logged.push(line) }, Date.now),
    monotonicMs: () => performance.now(),
  });
  running.push(ticker);
  return { ticker, logged, emitted };
}

/** Ends every connection to this database but its own. */
async function cutConnections(connectionString: string): Promise<void> {
  const url = new URL(connectionString);
  url.username = SUPERUSER;
  const superuser = new pg.Client({ connectionString: url.toString() });
  await superuser.connect();
  try {
    await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  } finally {
    await superuser.end();
  }
}

describe('the tick', () => {
  it('comes about once a second, and never again after a stop', async () => {
    const { connectionString } = await freshDatabase();
    const { state, sweep, calls } = sweeping();
    const { ticker, logged } = ticking(connectionString, sweep);
    await ticker.start();
    await calls(1);
    const sinceMs = performance.now();
    await calls(3);
    const perTickMs = (performance.now() - sinceMs) / 3;
    expect(perTickMs).toBeGreaterThan(500);
    expect(perTickMs).toBeLessThan(2_000);
    await ticker.stop();
    const { calls: before } = state;
    const other = sweeping();
    const successor = ticking(connectionString, other.sweep);
    await successor.ticker.start();
    await other.calls(2);
    expect(state.calls).toBe(before);
    expect(logged).toEqual([]);
    expect(ticker.health()).toEqual({ healthy: true });
  });

  it('falls to one of two processes, and to the other when the first one ends', async () => {
    const { connectionString } = await freshDatabase();
    const [one, two] = [sweeping(), sweeping()];
    const tickers = [one, two].map(({ sweep }) => ticking(connectionString, sweep).ticker);
    await Promise.all(tickers.map((ticker) => ticker.start()));
    const sinceMs = performance.now();
    while (one.state.calls + two.state.calls < 6) await Promise.race([one.calls(1), two.calls(1)]);
    expect(performance.now() - sinceMs).toBeGreaterThan(3_500);
    await tickers[0]?.stop();
    await two.calls(2);
  });

  it('waits for the one before it, and a stop waits for the one under way', async () => {
    const { connectionString } = await freshDatabase();
    const { state, sweep, calls } = sweeping();
    const { ticker } = ticking(connectionString, sweep);
    let release = (): void => undefined;
    state.hold = new Promise((resolve) => (release = resolve));
    await ticker.start();
    await calls(1);
    let isStopped = false;
    const stopped = ticker.stop().then(() => (isStopped = true));
    // Long enough for two more ticks.
    const other = sweeping();
    const beside = ticking(connectionString, other.sweep);
    await beside.ticker.start();
    await other.calls(2);
    expect(isStopped).toBe(false);
    expect(state).toMatchObject({ calls: 1, atOnceMax: 1 });
    release();
    await stopped;
    expect(state).toMatchObject({ calls: 1, atOnce: 0 });
  });

  it('goes on after a sweep that broke', async () => {
    const { connectionString } = await freshDatabase();
    const { state, sweep, calls } = sweeping();
    const { ticker, logged } = ticking(connectionString, sweep);
    state.fails = true;
    await ticker.start();
    await calls(3);
    expect(logged).toEqual([['A tick failed', { error: 'a room broke' }]]);
  });

  it('lets other rooms work when one fails, and does not tell so each second', async () => {
    const { connectionString } = await freshDatabase();
    const logged: unknown[] = [];
    const works = new DueWorks(withoutRepeats({ error: (line) => logged.push(line) }, Date.now));
    const { sweep, calls } = sweeping();
    works.register({ name: 'a.broken', sweepDue: () => Promise.reject(new Error('no')) });
    works.register({ name: 'b.whole', sweepDue: () => sweep().then(() => 0) });
    const { ticker } = ticking(connectionString, () => works.sweep(null));
    await ticker.start();
    await calls(3);
    expect(logged).toHaveLength(1);
  });

  it('comes back when every connection was cut, without a storm of errors', async () => {
    const { connectionString } = await freshDatabase();
    const { sweep, calls } = sweeping();
    const { ticker, emitted, logged } = ticking(connectionString, sweep);
    await ticker.start();
    await calls(1);
    for (let round = 0; round < 3; round += 1) {
      await cutConnections(connectionString);
      await calls(1);
    }
    await calls(2);
    expect(ticker.health()).toEqual({ healthy: true });
    expect(emitted.count).toBeLessThan(100);
    expect(logged.length).toBeLessThan(10);
  });

  it('rests while the database is away, and says so', async () => {
    const { connectionString } = await freshDatabase();
    const proxy = await FaultyProxy.start(connectionString);
    try {
      const { sweep, calls } = sweeping();
      const { ticker, emitted } = ticking(proxy.connectionString, sweep);
      await ticker.start();
      await calls(1);
      proxy.refusing = true;
      await cutConnections(connectionString);
      // The second pause is over then; a storm would come in the first.
      await until(() => emitted.opens >= 3);
      expect(ticker.health()).toMatchObject({ healthy: false });
      expect(emitted.count).toBeLessThan(100);
      proxy.refusing = false;
      await calls(2);
      expect(ticker.health()).toEqual({ healthy: true });
      await ticker.stop();
    } finally {
      await proxy.close();
    }
  });

  it('comes back when its tables were lost', async () => {
    const { connectionString, pool } = await freshDatabase();
    const { sweep, calls } = sweeping();
    const { ticker, emitted } = ticking(connectionString, sweep);
    await ticker.start();
    await calls(1);
    await pool.query('ALTER SCHEMA bullmq RENAME TO lost');
    await calls(2);
    expect(emitted.count).toBeLessThan(200);
  });
});

describe('the tables of the queue', () => {
  it('stand in a schema of their own, and are no tables of the house', async () => {
    const { connectionString, pool } = await freshDatabase();
    const before = await declaredTables(pool);
    const { sweep, calls } = sweeping();
    const { ticker } = ticking(connectionString, sweep);
    await ticker.start();
    await calls(1);
    await ticker.stop();
    const { rows } = await pool.query<{ count: string }>(
      `SELECT count(*) FROM pg_tables WHERE schemaname = 'bullmq'`,
    );
    expect(Number(rows[0]?.count)).toBeGreaterThan(5);
    expect(await declaredTables(pool)).toEqual(before);
    expect(await migrate({ connectionString })).toEqual([]);
  });

  it('do not grow with the ticks', async () => {
    const { connectionString, pool } = await freshDatabase();
    const { sweep, calls } = sweeping();
    const { ticker } = ticking(connectionString, sweep);
    await ticker.start();
    await calls(5);
    await ticker.stop();
    const { rows } = await pool.query<{ count: string }>(`SELECT count(*) FROM bullmq.job`);
    expect(Number(rows[0]?.count)).toBeLessThan(4);
  });
});
