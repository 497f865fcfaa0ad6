import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { checkRebuild, Sealer } from '../../src/base/ledger/index.js';
import { startEmbedded } from '../../src/base/platform/database/embedded.js';
import { migrate } from '../../src/base/platform/database/migrate.js';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import {
  add,
  type Added,
  createToyTables,
  MASTER_SECRET,
  newTenant,
  opening,
  TOY_PROJECTIONS,
  toyDatabase,
  toyWriter,
} from './toy.js';

interface Answer {
  readonly tenantId: string;
  readonly seq: number;
  readonly receipt: string;
}

/** A process under load; `answers` holds what it was told to be durable. */
class LoadProcess {
  readonly answers: Answer[] = [];
  readonly ended: Promise<number | null>;
  readonly #watchers: (() => void)[] = [];

  constructor(readonly child: ChildProcess) {
    this.ended = new Promise((ended) => child.on('close', (code) => ended(code)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [tenantId = '', seq = '', receipt] = line.split(' ');
      // A line that the kill cut in two was not told to anybody.
      if (receipt?.length === 36) this.answers.push({ tenantId, seq: Number(seq), receipt });
      for (const watch of this.#watchers) watch();
    });
  }

  async until(answerCount: number): Promise<void> {
    await new Promise<void>((enough) => {
      const watch = () => {
        if (this.answers.length >= answerCount) enough();
      };
      this.#watchers.push(watch);
      watch();
    });
  }
}

const started: LoadProcess[] = [];
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
});

async function startLoad(
  connectionString: string,
  tenantIds: readonly string[],
  commandsPerLane: number,
): Promise<LoadProcess> {
  const child = spawn(
    process.execPath,
    [
      resolve('test/ledger/load-worker.mjs'),
      await compiledSources(),
      connectionString,
      tenantIds.join(','),
      String(commandsPerLane),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const load = new LoadProcess(child);
  started.push(load);
  return load;
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** Every answer stands as an entry at its seq, and the ledger is gapless, sealed and the tables its fold. */
async function expectKept(client: pg.Client, answers: readonly Answer[]): Promise<number> {
  const report = await checkRebuild(client, 'all', {
    projections: TOY_PROJECTIONS,
    sealer: new Sealer(MASTER_SECRET),
  });
  expect(report.differences).toEqual([]);
  const { rows } = await client.query<{ tenant_id: string; receipt: string; entry_seq: string }>(
    'SELECT tenant_id, receipt, entry_seq FROM toy_receipts',
  );
  const kept = new Set(rows.map((row) => `${row.tenant_id} ${row.entry_seq} ${row.receipt}`));
  const missing = answers.filter(
    ({ tenantId, seq, receipt }) => !kept.has(`${tenantId} ${seq} ${receipt}`),
  );
  expect(missing).toEqual([]);
  return rows.length;
}

describe('two processes on one database', () => {
  it('write one gapless sealed chain per tenant, and one of them may be killed', async () => {
    const database = await toyDatabase();
    const { writer } = toyWriter(database.connectionString);
    const tenantIds = [newTenant(), newTenant(), newTenant()];
    for (const id of tenantIds) await writer.open(opening(id, { sealingKid: 'k1' }));
    await writer.close();
    const [first, second] = await Promise.all([
      startLoad(database.connectionString, tenantIds, 100_000),
      startLoad(database.connectionString, tenantIds, 60),
    ]);
    await Promise.all([first.until(300), second.until(300)]);
    first.child.kill('SIGKILL');
    expect(await second.ended).toBe(0);
    await first.ended;
    expect(second.answers).toHaveLength(3 * 8 * 60);
    const client = await connected(database.connectionString);
    const kept = await expectKept(client, [...first.answers, ...second.answers]);
    await client.end();
    expect(kept).toBeGreaterThanOrEqual(first.answers.length + second.answers.length);
  });
});

describe('the database killed with -9 under load', () => {
  it('comes back with every acknowledged entry, and the writer goes on', async () => {
    const folder = temporaryDataFolder('arbiter-killed-');
    const server = await startEmbedded({ dataFolder: folder });
    try {
      await migrate({ connectionString: server.connectionString });
      const client = await connected(server.connectionString);
      await createToyTables({ pool: client as never });
      await client.end();
      const { writer } = toyWriter(server.connectionString, {
        limits: { commandTimeoutMs: 60_000, outcomeTimeoutMs: 60_000 },
      });
      const tenantIds = Array.from({ length: 6 }, newTenant);
      for (const id of tenantIds) await writer.open(opening(id, { sealingKid: 'k1' }));
      const answers: (Answer & Added)[] = [];
      let awaited = { count: Infinity, reached: (): void => undefined };
      const more = (count: number) =>
        new Promise<void>((reached) => {
          awaited = { count: answers.length + count, reached };
        });
      let stopping = false;
      const lanes = tenantIds
        .flatMap((id) => [id, id, id, id])
        .map(async (tenantId, lane) => {
          for (let index = 0; !stopping; index += 1) {
            const receipt = `${lane}-${index}`;
            const result = await writer.execute(add(tenantId, { receipt }));
            // Nothing is lost for good: the writer waits for the database and asks it what was kept.
            expect(result).toMatchObject({ ok: true });
            if (result.ok) answers.push({ ...result.value, tenantId, receipt });
            if (answers.length >= awaited.count) awaited.reached();
          }
        });
      for (let kill = 0; kill < 2; kill += 1) {
        await more(300);
        process.kill(server.postmasterPid(), 'SIGKILL');
      }
      await more(300);
      stopping = true;
      await Promise.all(lanes);
      await writer.close();
      const observer = await connected(server.connectionString);
      const kept = await expectKept(observer, answers);
      await observer.end();
      expect(kept).toBe(answers.length);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
