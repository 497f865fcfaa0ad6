import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TenantId } from '../../src/core/kernel/index.js';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { compiledSources } from '../support/compiled.js';
import { freshDatabase } from '../support/database.js';
import {
  createTestTenant,
  TEST_MASTER_SECRET,
  type TestTenant,
  valueOf,
} from '../support/tenants.js';
import { fillLedger } from './exporting.js';
import { linksOf } from './house.js';
import { type FailureHouse, openFailureHouse } from './support/failure-house.js';
import { judgeLog } from './support/judge-log.js';

/** What is no single write going wrong: clocks, two writers, torn batches. Each ends with the whole log verified. */

let connectionString: string;
let judge: FailureHouse;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  ({ connectionString } = await freshDatabase());
  judge = house();
  closeAfterFile(() => judge.close());
  opened.length = 0;
});
afterEach(async () => {
  for (let open = opened.pop(); open !== undefined; open = opened.pop()) await open.close();
});

/** One more process, with everything of its own but the database. */
function house(
  options: Partial<Parameters<typeof openFailureHouse>[0]> & { logName?: string | null } = {},
): FailureHouse {
  const one = openFailureHouse({ connectionString, authority: testAuthority(), ...options });
  opened.push(one);
  return one;
}

async function sealedTenant(): Promise<TestTenant> {
  const tenant = await createTestTenant(judge.house, { sealing: true });
  valueOf(await judge.house.signingKeys.signer(tenant.tenantId, 'checkpoint'));
  return tenant;
}

const sealedCount = async ({ tenantId }: TestTenant): Promise<number> =>
  (await linksOf(judge.pool, tenantId)).filter((link) => link !== null).length;

/** Verified from outside, with the entry of the export that this takes. */
async function expectVerified(
  tenant: TestTenant,
  { kids = ['k1'], isWitnessed = false }: { kids?: readonly string[]; isWitnessed?: boolean } = {},
): Promise<void> {
  const sealed = (await sealedCount(tenant)) + 1;
  await judgeLog(judge, tenant, { sealed, kids, isWitnessed });
}

const addAgent = (one: FailureHouse, tenant: TestTenant) =>
  one.house.rooms.agents.create(tenant.context(), 'an agent');

const instantsOf = async (tenantId: TenantId): Promise<readonly number[]> => {
  const { rows } = await judge.pool.query<{ at_ms: string }>(
    'SELECT at_ms FROM entries WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return rows.map((row) => Number(row.at_ms));
};

describe('a clock that goes back', () => {
  it('of the database: instants repeat, and nothing of the history notices', async () => {
    const schema = 'clock_that_goes_back';
    const setClock = (sql: string) =>
      judge.pool.query(
        `CREATE OR REPLACE FUNCTION ${schema}.arbiter_clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS '${sql}'`,
      );
    await judge.pool.query(`CREATE SCHEMA ${schema}`);
    await setClock('SELECT public.arbiter_clock_ms()');
    const url = new URL(connectionString);
    url.searchParams.set('options', `-c search_path=${schema},public`);
    const moved = house({ connectionString: url.toString() });
    const tenant = await sealedTenant();
    const { tenantId } = tenant;
    const firstAtMs = (await instantsOf(tenantId)).at(-1) ?? 0;
    const sizes: number[] = [];
    for (const backMs of [0, 3_600_000, 1, 366 * 86_400_000]) {
      await setClock(`SELECT ${firstAtMs - backMs}::bigint`);
      valueOf(await addAgent(moved, tenant));
      valueOf(await moved.house.rooms.ledgerSettings.rotateSealingKey(tenant.context()));
      const round = valueOf(await moved.witnessing.round(tenantId));
      expect(round.witnesses.map(({ outcome }) => outcome)).toEqual(['cosigned']);
      sizes.push(round.checkpoint?.size ?? 0);
    }
    const instants = await instantsOf(tenantId);
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
    expect(new Set(instants.slice(-8))).toEqual(new Set([firstAtMs]));
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
    await expectVerified(tenant, { kids: ['k1', 'k2', 'k3', 'k4', 'k5'], isWitnessed: true });
  });

  it('of this process: its checkpoints go on; what a witness signs in its future waits', async () => {
    const own = house();
    const tenant = await sealedTenant();
    const { tenantId } = tenant;
    const round = async () => {
      valueOf(await addAgent(own, tenant));
      const sealed = await sealedCount(tenant);
      const { checkpoint, witnesses } = valueOf(await own.witnessing.round(tenantId));
      expect(checkpoint).toMatchObject({ size: sealed, madeAtMs: own.house.clock.nowMs });
      return witnesses[0]?.outcome;
    };
    const nowMs = own.house.clock.nowMs;
    expect(await round()).toBe('cosigned');
    own.house.clock.nowMs = nowMs - 3_600_000;
    expect(await round()).toBe('away');
    own.house.clock.nowMs = nowMs;
    expect(await round()).toBe('cosigned');
    await expectVerified(tenant, { isWitnessed: true });
  });
});

describe('two processes on one ledger', () => {
  it('that do everything at once write one log', async () => {
    const tenant = await sealedTenant();
    const { tenantId } = tenant;
    const both = [house(), house()];
    // A first round makes the log known, so that what follows differs in nothing but its order.
    valueOf(await judge.witnessing.round(tenantId));
    const before = await sealedCount(tenant);
    const turns = 6;
    const done = await Promise.all(
      both.flatMap((one) =>
        Array.from({ length: turns }, async (_, turn) => {
          const written = await Promise.all([
            addAgent(one, tenant),
            one.house.rooms.ledgerSettings.rotateSealingKey(tenant.context()),
            one.exports.begin(tenant.context(), turn % 2 === 0 ? 'jsonl' : 'json'),
          ]);
          const round = await one.witnessing.round(tenantId);
          await one.trees.catchUp(tenantId);
          return [...written, round, await one.checkpoints.make(tenantId)];
        }),
      ),
    );
    for (const result of done.flat()) expect(result).toMatchObject({ ok: true });
    const { rows } = await judge.pool.query(
      `SELECT 'disagrees' FROM witness_states WHERE tenant_id = $1 AND disagreement IS NOT NULL
        UNION ALL SELECT invariant FROM ledger_alarms WHERE tenant_id = $1`,
      [tenantId],
    );
    expect(rows).toEqual([]);
    expect(await sealedCount(tenant)).toBe(before + both.length * turns * 3);
    const kids = Array.from({ length: 1 + both.length * turns }, (_, index) => `k${index + 1}`);
    await expectVerified(tenant, { kids: kids.toSorted(), isWitnessed: true });
  });

  it('of which one is refused its connections: the other one goes on', async () => {
    const tenant = await sealedTenant();
    const proxy = await FaultyProxy.start(connectionString);
    opened.push(proxy);
    const lost = house({
      connectionString: proxy.connectionString,
      limits: { flushers: 1, commandTimeoutMs: 300 },
    });
    const alive = house();
    valueOf(await addAgent(lost, tenant));
    proxy.arm(/lock_heads/, (connection) => {
      proxy.refusing = true;
      connection.cut();
    });
    const refused = addAgent(lost, tenant);
    for (let count = 0; count < 5; count += 1) valueOf(await addAgent(alive, tenant));
    expect(await refused).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    proxy.refusing = false;
    valueOf(await addAgent(lost, tenant));
    await expectVerified(tenant);
  });
});

describe('a torn batch', () => {
  const entryCount = async ({ tenantId }: TestTenant): Promise<number> =>
    (await linksOf(judge.pool, tenantId)).length;
  const both = async () => [await sealedTenant(), await sealedTenant()] as const;

  it('of two ledgers, cut between its halves, stands nowhere; then it stands whole', async () => {
    const tenants = await both();
    const proxy = await FaultyProxy.start(connectionString);
    opened.push(proxy);
    const torn = house({
      connectionString: proxy.connectionString,
      limits: { flushers: 1, retryPauseMs: 5, commandTimeoutMs: 60_000, outcomeTimeoutMs: 60_000 },
    });
    const before = await Promise.all(tenants.map(entryCount));
    const halfway = new Promise<void>((met) =>
      proxy.arm(/insert_entries/, (connection, message) => {
        connection.send(message);
        proxy.arm(/update_heads/, (same) => {
          proxy.refusing = true;
          same.cut();
          met();
        });
      }),
    );
    const batch = Promise.all(
      [...tenants, ...tenants, ...tenants].map((tenant) => addAgent(torn, tenant)),
    );
    await halfway;
    expect(await Promise.all(tenants.map(entryCount))).toEqual(before);
    proxy.refusing = false;
    for (const result of await batch) expect(result).toMatchObject({ ok: true });
    expect(await Promise.all(tenants.map(entryCount))).toEqual(before.map((count) => count + 3));
    for (const tenant of tenants) await expectVerified(tenant);
  });

  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    }
  });

  async function startFilling(proxied: string, tenants: readonly TestTenant[]) {
    const child = spawn(
      process.execPath,
      [
        resolve('test/history/support/filling-worker.mjs'),
        await compiledSources(),
        proxied,
        tenants.map(({ tenantId }) => tenantId).join(','),
        TEST_MASTER_SECRET.toString('hex'),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    const told: { tenantId: string; seq: number }[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const [tenantId = '', seq = ''] = line.split(' ');
      told.push({ tenantId, seq: Number(seq) });
    });
    await once(lines, 'line');
    return { child, told };
  }

  it.each([
    ['before its second half was sent', /update_heads/, 'nothing'],
    ['before its COMMIT was sent', /COMMIT\0/, 'nothing'],
    ['when its COMMIT was sent', /COMMIT\0/, 'everything'],
  ])('of a process killed with -9 %s', async (_when, end, kept) => {
    const tenants = await both();
    const proxy = await FaultyProxy.start(connectionString);
    opened.push(proxy);
    const { child, told } = await startFilling(proxy.connectionString, tenants);
    const closed = once(child, 'close');
    const before = await new Promise<readonly number[]>((counted) =>
      proxy.arm(/insert_entries/, (connection, message) => {
        connection.send(message);
        proxy.arm(end, (same, last) => {
          // Held until everything that stands without this batch is counted.
          const release = same.hold(last);
          void Promise.all(tenants.map(entryCount)).then((counts) => {
            same.detached = true;
            child.kill('SIGKILL');
            if (kept === 'everything') release();
            same.server.end();
            counted(counts);
          });
        });
      }),
    );
    await closed;
    // Whoever writes next waits for the lost transaction, and goes on behind what was kept of it.
    for (const tenant of tenants) await fillLedger(judge.house, tenant, 1);
    const after = await Promise.all(tenants.map(entryCount));
    const added = after.map((count, index) => count - (before[index] ?? 0) - 1);
    // A command is three entries; a batch holds one command of one ledger, or of each.
    expect(kept === 'nothing' ? ['0 0'] : ['3 3', '0 3', '3 0']).toContain(added.join(' '));
    for (const { tenantId, seq } of told) {
      const links = await linksOf(judge.pool, tenantId as TenantId);
      expect(links[seq + 2], 'what was answered stands').toEqual(expect.any(String));
    }
    for (const tenant of tenants) await expectVerified(tenant);
  });
});

describe('the name of all logs', () => {
  it.each([
    ['lost on the way', false],
    ['kept, answer lost', true],
  ])('%s: the next one who asks and everybody else have one name', async (_fault, isKept) => {
    const { connectionString: fresh, pool } = await freshDatabase();
    const proxy = await FaultyProxy.start(fresh);
    opened.push(proxy);
    const first = house({ connectionString: proxy.connectionString, logName: null });
    const second = house({ connectionString: fresh, logName: null });
    const tenant = await createTestTenant(second.house, { sealing: true });
    proxy.arm(/INSERT INTO ledger_log_name/, (connection, message) => {
      if (!isKept) return connection.cut();
      connection.cutAtAnswer = /INSERT 0 \d+\0Z/;
      connection.send(message);
    });
    await expect(first.checkpoints.originOf(tenant.tenantId)).rejects.toThrow();
    const { rows } = await pool.query<{ name: string }>('SELECT name FROM ledger_log_name');
    expect(rows).toHaveLength(isKept ? 1 : 0);
    const origins = await Promise.all(
      [first, second].map((one) => one.checkpoints.originOf(tenant.tenantId)),
    );
    expect(new Set(origins).size).toBe(1);
    if (isKept) expect(origins[0]).toBe(`${rows[0]?.name ?? ''}/${tenant.tenantId}`);
    const sealed = (await linksOf(pool, tenant.tenantId)).length + 2;
    await judgeLog(second, tenant, { sealed, kids: ['k1'], isWitnessed: false });
  });
});
