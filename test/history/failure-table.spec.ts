import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultyProxy } from '../ledger/faulty-proxy.js';
import { testAuthority } from '../support/authority.js';
import { closeAfterFile } from '../support/closing.js';
import { freshDatabase } from '../support/database.js';
import { createTestTenant, type TestTenant, valueOf } from '../support/tenants.js';
import { fillLedger } from './exporting.js';
import { type FailureHouse, openFailureHouse } from './support/failure-house.js';
import { type Armed, DATABASE_FAULTS, WITNESS_FAULTS } from './support/faults.js';
import { FaultyWitness } from './support/faulty-witness.js';
import { judgeLog } from './support/judge-log.js';
import { holdHead, installRefusals, refuseNext } from './support/refusals.js';
import { type Scene, type Write, WRITES } from './support/writes.js';

/**
 * Every write of the ledger path, with everything that can happen to it. `told` is what its caller hears: done, the code
 * of a problem, the answer of the witness, or what the door makes of an error that was thrown. `rows` are those of the write
 * that stand then. `served` is what goes on while the write is held. The last two are the next attempt: of the same request
 * when the first was not done (under its Idempotency-Key when the database was away), else of a new one.
 *
 * After each row the whole log is exported and verified from outside.
 */
const TABLE = `
  write                   | fault               | told            | rows | served        | next      | rows
  lock and load           | lost on the way     | done            | 1    |               | done      | 2
  lock and load           | refused for now     | done            | 1    |               | done      | 2
  lock and load           | kept, answer lost   | done            | 1    |               | done      | 2
  lock and load           | slow                | done            | 1    | other ledgers | done      | 2
  lock and load           | silent              | done            | 1    |               | done      | 2
  lock and load           | database away       | unavailable     | 0    |               | done      | 1
  entries and heads       | lost on the way     | done            | 1    |               | done      | 2
  entries and heads       | lost half way       | done            | 1    |               | done      | 2
  entries and heads       | lost at COMMIT      | done            | 1    |               | done      | 2
  entries and heads       | refused for now     | done            | 1    |               | done      | 2
  entries and heads       | refused for good    | internal        | 0    |               | done      | 1
  entries and heads       | kept, answer lost   | done            | 1    |               | done      | 2
  entries and heads       | slow                | done            | 1    | other ledgers | done      | 2
  entries and heads       | silent              | done            | 1    |               | done      | 2
  entries and heads       | database away       | outcome_unknown | 0    |               | done      | 1
  entries and heads       | kept, database away | outcome_unknown | 1    |               | done      | 1
  sealing switched on     | lost at COMMIT      | done            | 1    |               | done      | 1
  sealing switched on     | refused for now     | done            | 1    |               | done      | 1
  sealing switched on     | refused for good    | internal        | 0    |               | done      | 1
  sealing switched on     | kept, answer lost   | done            | 1    |               | done      | 1
  sealing switched on     | slow                | done            | 1    | other ledgers | done      | 1
  sealing switched on     | kept, database away | outcome_unknown | 1    |               | done      | 1
  sealing key rotated     | lost on the way     | done            | 1    |               | done      | 2
  sealing key rotated     | lost half way       | done            | 1    |               | done      | 2
  sealing key rotated     | lost at COMMIT      | done            | 1    |               | done      | 2
  sealing key rotated     | refused for now     | done            | 1    |               | done      | 2
  sealing key rotated     | refused for good    | internal        | 0    |               | done      | 1
  sealing key rotated     | kept, answer lost   | done            | 1    |               | done      | 2
  sealing key rotated     | slow                | done            | 1    | other ledgers | done      | 2
  sealing key rotated     | silent              | done            | 1    |               | done      | 2
  sealing key rotated     | database away       | outcome_unknown | 0    |               | done      | 1
  sealing key rotated     | kept, database away | outcome_unknown | 1    |               | done      | 1
  sealing switched off    | lost at COMMIT      | done            | 1    |               | done      | 1
  sealing switched off    | refused for now     | done            | 1    |               | done      | 1
  sealing switched off    | refused for good    | internal        | 0    |               | done      | 1
  sealing switched off    | kept, answer lost   | done            | 1    |               | done      | 1
  sealing switched off    | slow                | done            | 1    | other ledgers | done      | 1
  sealing switched off    | kept, database away | outcome_unknown | 1    |               | done      | 1
  name of the log         | lost on the way     | error 503       | 0    |               | done      | 1
  name of the log         | refused for now     | error 503       | 0    |               | done      | 1
  name of the log         | refused for good    | error 500       | 0    |               | done      | 1
  name of the log         | kept, answer lost   | error 503       | 1    |               | done      | 1
  name of the log         | slow                | done            | 1    | every ledger  | done      | 1
  page of the tree        | lost on the way     | error 503       | 0    |               | done      | 1
  page of the tree        | lost half way       | error 503       | 0    |               | done      | 1
  page of the tree        | lost at COMMIT      | error 503       | 0    |               | done      | 1
  page of the tree        | refused for now     | error 503       | 0    |               | done      | 1
  page of the tree        | refused for good    | error 500       | 0    |               | done      | 1
  page of the tree        | kept, answer lost   | error 503       | 1    |               | done      | 1
  page of the tree        | slow                | done            | 1    | every ledger  | done      | 1
  checkpoint              | lost on the way     | error 503       | 0    |               | done      | 1
  checkpoint              | lost at COMMIT      | error 503       | 0    |               | done      | 1
  checkpoint              | refused for now     | error 503       | 0    |               | done      | 1
  checkpoint              | refused for good    | error 500       | 0    |               | done      | 1
  checkpoint              | kept, answer lost   | error 503       | 1    |               | done      | 1
  checkpoint              | slow                | done            | 1    | every ledger  | done      | 2
  log made known          | lost on the way     | error 503       | 0    |               | cosigned  | 1
  log made known          | refused for now     | error 503       | 0    |               | cosigned  | 1
  log made known          | refused for good    | error 500       | 0    |               | cosigned  | 1
  log made known          | kept, answer lost   | error 503       | 1    |               | cosigned  | 1
  log made known          | slow                | cosigned        | 1    | every ledger  | cosigned  | 1
  request to the witness  | lost on the way     | away            | 0    |               | cosigned  | 1
  request to the witness  | refused for now     | away            | 0    |               | cosigned  | 1
  request to the witness  | kept, answer lost   | away            | 0    |               | cosigned  | 1
  request to the witness  | slow                | cosigned        | 1    | every ledger  | cosigned  | 2
  request to the witness  | silent              | away            | 0    |               | cosigned  | 1
  cosignature             | lost on the way     | error 503       | 0    |               | cosigned  | 1
  cosignature             | refused for now     | error 503       | 0    |               | cosigned  | 1
  cosignature             | refused for good    | error 500       | 0    |               | cosigned  | 1
  cosignature             | kept, answer lost   | error 503       | 1    |               | known     | 1
  cosignature             | slow                | cosigned        | 1    | every ledger  | cosigned  | 2
  failure of the witness  | lost on the way     | error 503       | 0    |               | cosigned  | 0
  failure of the witness  | refused for now     | error 503       | 0    |               | cosigned  | 0
  failure of the witness  | refused for good    | error 500       | 0    |               | cosigned  | 0
  failure of the witness  | kept, answer lost   | error 503       | 1    |               | cosigned  | 0
  failure of the witness  | slow                | away            | 1    | every ledger  | cosigned  | 0
  alarm of a disagreement | lost on the way     | error 503       | 0    |               | disagrees | 1
  alarm of a disagreement | refused for now     | error 503       | 0    |               | disagrees | 1
  alarm of a disagreement | refused for good    | error 500       | 0    |               | disagrees | 1
  alarm of a disagreement | kept, answer lost   | error 503       | 1    |               | disagrees | 1
  alarm of a disagreement | slow                | disagrees       | 1    | every ledger  | cosigned  | 1
  turn of a round         | lost on the way     | error 503       | 0    |               | 1 begun   | 1
  turn of a round         | refused for now     | error 503       | 0    |               | 1 begun   | 1
  turn of a round         | refused for good    | error 500       | 0    |               | 1 begun   | 1
  turn of a round         | kept, answer lost   | error 503       | 1    |               | 1 begun   | 1
  turn of a round         | slow                | 1 begun         | 1    | every ledger  | 0 begun   | 1
  end of a round          | lost on the way     | 1 begun         | 0    |               | 1 begun   | 1
  end of a round          | refused for now     | 1 begun         | 0    |               | 1 begun   | 1
  end of a round          | refused for good    | 1 begun         | 0    |               | 1 begun   | 1
  end of a round          | kept, answer lost   | 1 begun         | 1    |               | 0 begun   | 1
  end of a round          | slow                | 1 begun         | 1    | every ledger  | 1 begun   | 1
  entry of an export      | lost at COMMIT      | done            | 1    |               | done      | 2
  entry of an export      | refused for now     | done            | 1    |               | done      | 2
  entry of an export      | refused for good    | internal        | 0    |               | done      | 1
  entry of an export      | kept, answer lost   | done            | 1    |               | done      | 2
  entry of an export      | slow                | done            | 1    | other ledgers | done      | 2
  entry of an export      | kept, database away | outcome_unknown | 1    |               | done      | 2
  front of an export      | lost on the way     | error 503       | 0    |               | done      | 1
  front of an export      | refused for now     | error 503       | 0    |               | done      | 1
  front of an export      | refused for good    | error 500       | 0    |               | done      | 1
  front of an export      | kept, answer lost   | error 503       | 1    |               | done      | 2
  front of an export      | slow                | done            | 1    | every ledger  | done      | 2
  old fronts removed      | lost on the way     | done            | 1    |               | done      | 2
  old fronts removed      | kept, answer lost   | done            | 1    |               | done      | 2
  old fronts removed      | slow                | done            | 1    | every ledger  | done      | 2
  page of an export       | lost on the way     | error 503       | 0    |               | whole     | 0
  page of an export       | kept, answer lost   | error 503       | 0    |               | whole     | 0
  page of an export       | slow                | whole           | 0    | every ledger  | whole     | 0
`;

interface Row {
  readonly write: string;
  readonly fault: string;
  readonly told: string;
  readonly rows: number;
  readonly served: string;
  readonly next: string;
  readonly nextRows: number;
}

const ROWS: readonly Row[] = TABLE.trim()
  .split('\n')
  .slice(1)
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [write = '', fault = '', told = '', rows, served = '', next = '', nextRows] = line
      .split('|')
      .map((cell) => cell.trim());
    return { write, fault, told, rows: Number(rows), served, next, nextRows: Number(nextRows) };
  });

let connectionString: string;
let judge: FailureHouse;
let bystander: TestTenant;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  ({ connectionString } = await freshDatabase());
  judge = openFailureHouse({ connectionString, authority: testAuthority() });
  closeAfterFile(() => judge.close());
  await installRefusals(judge.pool);
  bystander = await createTestTenant(judge.house);
});
afterEach(async () => {
  for (let open = opened.pop(); open !== undefined; open = opened.pop()) await open.close();
});

function closedAfter<Opened extends { close(): Promise<void> }>(one: Opened): Opened {
  opened.push(one);
  return one;
}

/** How long the faulty process waits: long where it shall get there, short where it shall give up. */
const patience = (fault: string) =>
  fault.endsWith('database away')
    ? { limits: { commandTimeoutMs: 300, outcomeTimeoutMs: 300 } }
    : {
        limits: { commandTimeoutMs: 60_000, outcomeTimeoutMs: 60_000 },
        session: {
          ...(fault === 'silent' ? { roundTripTimeoutMs: 500 } : {}),
          ...(fault === 'refused for now' ? { lockTimeoutMs: 100 } : {}),
        },
      };

async function setScene(write: Write, fault: string): Promise<Scene> {
  const tenant = await createTestTenant(judge.house, { sealing: write.sealed ?? true });
  await fillLedger(judge.house, tenant, 3);
  // The key that signs checkpoints is an entry: it stands before anything is counted.
  valueOf(await judge.house.signingKeys.signer(tenant.tenantId, 'checkpoint'));
  const proxy = closedAfter(await FaultyProxy.start(connectionString));
  const { address } = testAuthority();
  const witness = closedAfter(await FaultyWitness.start(address.transportOrigin() ?? ''));
  const { limits, session = {} } = patience(fault);
  const faulty = closedAfter(
    openFailureHouse({
      connectionString: proxy.connectionString,
      authority: { address: { ...address, transportOrigin: () => witness.url } },
      limits: { ...limits, flushers: 2, retryPauseMs: 5 },
      session,
    }),
  );
  const scene = { tenant, faulty, proxy, witness, judge, notes: new Map<string, string>() };
  await write.prepare?.(scene);
  return scene;
}

const SQL_STATES: Readonly<Record<string, string>> = {
  // The disk is full; a check of the table does not hold.
  'refused for now': '53100',
  'refused for good': '23514',
};

async function armFault(scene: Scene, { site }: Write, fault: string): Promise<Armed> {
  const { proxy, witness, tenant } = scene;
  if (site === null) return faultNamed(WITNESS_FAULTS, fault)(witness);
  const sqlState = SQL_STATES[fault];
  if (sqlState === undefined) return faultNamed(DATABASE_FAULTS, fault)(proxy, site);
  if (site.table === 'heads') return holdHead({ pool: judge.pool, proxy }, tenant.tenantId);
  const { table = '', operation = 'INSERT' } = site;
  return refuseNext(judge.pool, tenant.tenantId, { table, operation, sqlState });
}

function faultNamed<Fault>(faults: Readonly<Record<string, Fault>>, name: string): Fault {
  const fault = faults[name];
  if (fault === undefined) throw new Error(`there is no fault "${name}" here`);
  return fault;
}

/** Is answered while the write is held. */
async function served(scene: Scene, { holds }: Write): Promise<string> {
  const isOther = holds === 'its ledger';
  const asking = isOther ? bystander : scene.tenant;
  valueOf(await scene.faulty.house.rooms.agents.create(asking.context(), 'served meanwhile'));
  return isOther ? 'other ledgers' : 'every ledger';
}

async function play(scene: Scene, write: Write, { write: name, fault }: Row): Promise<Row> {
  const before = await write.rows(scene);
  const armed = await armFault(scene, write, fault);
  // Only who is left without an answer needs a key: with one, a batch that is wrongly run twice would look like once.
  const key = { scope: 'failure', key: randomUUID(), requestHash: 'h' };
  const context = scene.tenant.context(fault.endsWith('database away') ? key : null);
  const answered = write.attempt(scene, context);
  await Promise.race([armed.met, answered]);
  const whoWasServed = fault === 'slow' ? await served(scene, write) : '';
  if (fault === 'slow') armed.release();
  const told = await answered;
  armed.release();
  expect(await armed.hasMet(), 'the write met the fault').toBe(true);
  const rows = (await write.rows(scene)) - before;
  const next = await write.attempt(scene, told === 'done' ? scene.tenant.context() : context);
  const nextRows = (await write.rows(scene)) - before;
  return { write: name, fault, told, rows, served: whoWasServed, next, nextRows };
}

/** What is sealed of a ledger, and whether the next entry would be. */
async function sealingOf({ tenant }: Scene) {
  const { rows } = await judge.pool.query<{ count: string; on: boolean }>(
    `SELECT count(e.link), h.sealing_kid IS NOT NULL AS on FROM heads AS h JOIN entries AS e USING (tenant_id)
      WHERE tenant_id = $1 GROUP BY h.sealing_kid`,
    [tenant.tenantId],
  );
  return { count: Number(rows[0]?.count), isOn: rows[0]?.on ?? false };
}

describe('the failure table', () => {
  it.each(ROWS.map((row): [string, Row] => [`${row.write} | ${row.fault}`, row]))(
    '%s',
    async (_name, row) => {
      const write = WRITES[row.write];
      if (write === undefined) throw new Error(`there is no write "${row.write}"`);
      const scene = await setScene(write, row.fault);
      const { count } = await sealingOf(scene);
      expect(await play(scene, write, row)).toEqual(row);
      const { isOn } = await sealingOf(scene);
      const own = { 'a row': row.nextRows, 'an attempt': 2, none: 0 }[write.entries];
      const meanwhile = row.served === 'every ledger' ? 1 : 0;
      await judgeLog(judge, scene.tenant, {
        // The export that is judged is an entry too.
        sealed: count + own + meanwhile + (isOn ? 1 : 0),
        kids: row.write === 'sealing key rotated' ? kidsUpTo(1 + row.nextRows) : ['k1'],
        isWitnessed: write.witnessed ?? false,
      });
      await write.tidy?.(scene);
    },
  );
});

describe('what the table speaks of', () => {
  const written = Object.entries(WRITES);

  it.each(written)('%s: failed, failed but kept, slow', (name) => {
    const faults = ROWS.filter(({ write }) => write === name).map(({ fault }) => fault);
    expect(faults.filter((fault) => /^(?:lost|refused|database away)/.test(fault))).not.toEqual([]);
    expect(faults).toEqual(expect.arrayContaining(['kept, answer lost', 'slow']));
    expect(new Set(faults).size).toBe(faults.length);
  });

  it('is every table that the history writes', () => {
    const room = 'src/base/history';
    const sources = readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(room, name), 'utf8'));
    const tables = sources.flatMap((text) =>
      [...text.matchAll(/(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g)].map(([, table]) => table),
    );
    const named = new Set(written.flatMap(([, { tables: own }]) => own));
    // Drawn once for a database: failure-besides.spec.ts.
    named.add('ledger_log_name');
    expect([...named].sort()).toEqual([...new Set(tables)].sort());
  });
});

const kidsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `k${index + 1}`);
