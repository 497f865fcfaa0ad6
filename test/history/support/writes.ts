import { isDatabaseAway } from '../../../src/base/platform/http/database-away.js';
import type { CommandContext } from '../../../src/base/ledger/index.js';
import type { Problem, Result } from '../../../src/core/kernel/index.js';
import type { FaultyProxy } from '../../ledger/faulty-proxy.js';
import { type TestTenant, valueOf } from '../../support/tenants.js';
import { fillLedger } from '../exporting.js';
import type { DatabaseSite } from './faults.js';
import type { FailureHouse } from './failure-house.js';
import type { FaultyWitness } from './faulty-witness.js';
import { textOf } from './judge-log.js';

/** One row of the table at work: a ledger of its own, a process behind the faults, and one that meets none. */
export interface Scene {
  readonly tenant: TestTenant;
  /** Behind the faults. */
  readonly faulty: FailureHouse;
  readonly proxy: FaultyProxy;
  readonly witness: FaultyWitness;
  /** Meets no fault: prepares, counts and judges. */
  readonly judge: FailureHouse;
  /** A row's own memory. */
  readonly notes: Map<string, string>;
}

/** A write of the ledger path. */
export interface Write {
  /** Where its faults are; null = on the way to the witness. */
  readonly site: DatabaseSite | null;
  /** What it holds up while it is slow. */
  readonly holds: 'its ledger' | 'nothing';
  /** Sealed entries that it adds: one for each of its rows, one for each attempt that came so far, or none. */
  readonly entries: 'a row' | 'an attempt' | 'none';
  /** The ledger is sealed from the start; false = the write switches it on. */
  readonly sealed?: false;
  readonly witnessed?: true;
  /** Tables it writes, which no other write of the table needs to name. */
  readonly tables: readonly string[];
  prepare?(scene: Scene): Promise<void>;
  tidy?(scene: Scene): Promise<void>;
  /** What the caller is told. */
  attempt(scene: Scene, context: CommandContext): Promise<string>;
  /** Rows of it that stand, those of before included. */
  rows(scene: Scene): Promise<number>;
}

/** What a caller is told: that it is done, the code of the problem, or what the door makes of an error. */
export async function toldBy<Value>(
  answered: Promise<Result<Value, Problem> | string>,
): Promise<string> {
  try {
    const result = await answered;
    if (typeof result === 'string') return result;
    return result.ok ? 'done' : result.error.code;
  } catch (error) {
    return isDatabaseAway(error as object) ? 'error 503' : 'error 500';
  }
}

const counted =
  (text: string): Write['rows'] =>
  async ({ judge, tenant }) => {
    const { rows } = await judge.pool.query<{ count: string }>(text, [tenant.tenantId]);
    return Number(rows[0]?.count);
  };

const ENTRIES = counted('SELECT count(*) FROM entries WHERE tenant_id = $1');
const entriesOfType = (type: string) =>
  counted(`SELECT count(*) FROM entries WHERE tenant_id = $1 AND type = '${type}'`);

/** The flush of a batch: entries, the projections they change, heads, COMMIT. */
const FLUSH: DatabaseSite = {
  statement: /insert_entries/,
  half: /update_heads/,
  commits: true,
  table: 'entries',
};

const addAgent: Write['attempt'] = ({ faulty }, context) =>
  toldBy(faulty.house.rooms.agents.create(context, 'an agent'));

const command = { holds: 'its ledger', entries: 'a row', site: FLUSH } as const;
const derived = { holds: 'nothing', entries: 'none' } as const;
/** Of the trust authority, of whom one is. */
const outcomeOf = async ({ faulty, tenant }: Scene): Promise<string> => {
  const round = await faulty.witnessing.round(tenant.tenantId);
  if (!round.ok) return round.error.code;
  return round.value.witnesses[0]?.outcome ?? 'nobody asked';
};
const round: Write['attempt'] = (scene) => toldBy(outcomeOf(scene));

const cosignedBefore = async ({ judge, tenant }: Scene): Promise<void> => {
  valueOf(await judge.witnessing.round(tenant.tenantId));
  await fillLedger(judge.house, tenant, 3);
};
/** No later row shall have rounds for this ledger. */
const witnessingOff: Write['tidy'] = async ({ judge, tenant }) => {
  valueOf(await judge.witnessing.switch(tenant.context(), false));
};

/** Each by the name that the table gives it. */
export const WRITES: Readonly<Record<string, Write>> = {
  'lock and load': {
    ...command,
    site: { statement: /lock_heads/, commits: false, answer: /clock_ms/, table: 'heads' },
    tables: [],
    attempt: addAgent,
    rows: ENTRIES,
  },
  'entries and heads': {
    ...command,
    tables: [],
    attempt: addAgent,
    rows: ENTRIES,
  },
  'sealing switched on': {
    ...command,
    sealed: false,
    tables: [],
    attempt: ({ faulty }, context) =>
      toldBy(faulty.house.rooms.ledgerSettings.switchSealing(context, true)),
    rows: entriesOfType('ledger.sealing_switched'),
  },
  'sealing key rotated': {
    ...command,
    tables: [],
    attempt: ({ faulty }, context) =>
      toldBy(faulty.house.rooms.ledgerSettings.rotateSealingKey(context)),
    rows: entriesOfType('ledger.sealing_switched'),
  },
  'sealing switched off': {
    ...command,
    tables: [],
    attempt: ({ faulty }, context) =>
      toldBy(faulty.house.rooms.ledgerSettings.switchSealing(context, false)),
    rows: entriesOfType('ledger.sealing_switched'),
  },
  'name of the log': {
    ...derived,
    site: { statement: /INSERT INTO ledger_trees/, commits: false, table: 'ledger_trees' },
    tables: ['ledger_trees'],
    attempt: ({ faulty, tenant }) =>
      toldBy(faulty.checkpoints.originOf(tenant.tenantId).then(() => 'done')),
    rows: counted('SELECT count(*) FROM ledger_trees WHERE tenant_id = $1'),
  },
  'page of the tree': {
    ...derived,
    site: {
      statement: /INSERT INTO tree_nodes/,
      half: /UPDATE ledger_trees/,
      commits: true,
      table: 'ledger_trees',
      operation: 'UPDATE',
    },
    tables: ['tree_nodes', 'tree_runs'],
    async prepare({ judge, tenant }) {
      await judge.checkpoints.originOf(tenant.tenantId);
      // More than the leaves of one stored node.
      await fillLedger(judge.house, tenant, 300);
    },
    attempt: ({ faulty, tenant }) =>
      toldBy(faulty.trees.catchUp(tenant.tenantId).then(() => 'done')),
    rows: counted(`SELECT count(*) FROM ledger_trees WHERE tenant_id = $1 AND size > 0`),
  },
  checkpoint: {
    ...derived,
    site: {
      statement: /INSERT INTO ledger_checkpoints/,
      commits: true,
      table: 'ledger_checkpoints',
    },
    tables: ['ledger_checkpoints'],
    attempt: ({ faulty, tenant }) => toldBy(faulty.checkpoints.make(tenant.tenantId)),
    rows: counted('SELECT count(*) FROM ledger_checkpoints WHERE tenant_id = $1'),
  },
  'log made known': {
    ...derived,
    witnessed: true,
    site: {
      statement: /INSERT INTO witness_states \(tenant_id, witness_name, registered_vkeys/,
      commits: false,
      table: 'witness_states',
    },
    tables: ['witness_states'],
    async prepare(scene) {
      valueOf(await scene.judge.authority.ensureTenant(scene.tenant.tenantId));
    },
    attempt: round,
    rows: counted('SELECT count(registered_vkeys) FROM witness_states WHERE tenant_id = $1'),
  },
  'request to the witness': {
    ...derived,
    witnessed: true,
    site: null,
    tables: [],
    prepare: cosignedBefore,
    attempt: round,
    rows: counted('SELECT count(*) FROM checkpoint_cosignatures WHERE tenant_id = $1'),
  },
  cosignature: {
    ...derived,
    witnessed: true,
    site: {
      statement: /INSERT INTO checkpoint_cosignatures/,
      commits: false,
      table: 'checkpoint_cosignatures',
    },
    tables: ['checkpoint_cosignatures'],
    prepare: cosignedBefore,
    attempt: round,
    rows: counted('SELECT count(*) FROM checkpoint_cosignatures WHERE tenant_id = $1'),
  },
  'failure of the witness': {
    ...derived,
    witnessed: true,
    site: {
      statement: /INSERT INTO witness_states AS s\s+\(tenant_id, witness_name, failing/,
      commits: false,
      table: 'witness_states',
    },
    tables: [],
    async prepare(scene) {
      await cosignedBefore(scene);
      scene.witness.refusing = 503;
    },
    attempt: async (scene) => {
      const told = await round(scene, scene.tenant.context());
      scene.witness.refusing = null;
      return told;
    },
    rows: counted('SELECT count(failure) FROM witness_states WHERE tenant_id = $1'),
  },
  'alarm of a disagreement': {
    ...derived,
    witnessed: true,
    site: { statement: /INSERT INTO ledger_alarms/, commits: false, table: 'ledger_alarms' },
    tables: ['ledger_alarms'],
    async prepare(scene) {
      await cosignedBefore(scene);
      scene.witness.refusing = 422;
    },
    attempt: async (scene) => {
      const told = await round(scene, scene.tenant.context());
      if (!told.startsWith('error')) scene.witness.refusing = null;
      return told;
    },
    rows: counted('SELECT count(*) FROM ledger_alarms WHERE tenant_id = $1'),
  },
  'turn of a round': {
    ...derived,
    witnessed: true,
    site: { statement: /INSERT INTO witness_rounds/, commits: false, table: 'witness_rounds' },
    tables: ['witness_rounds'],
    async prepare(scene) {
      await cosignedBefore(scene);
      valueOf(await scene.judge.witnessing.switch(scene.tenant.context(), true));
    },
    attempt: sweep,
    tidy: witnessingOff,
    rows: counted('SELECT count(*) FROM witness_rounds WHERE tenant_id = $1'),
  },
  'end of a round': {
    ...derived,
    witnessed: true,
    site: {
      statement: /UPDATE witness_rounds SET settled/,
      commits: false,
      table: 'witness_rounds',
      operation: 'UPDATE',
    },
    tables: [],
    async prepare(scene) {
      await cosignedBefore(scene);
      valueOf(await scene.judge.witnessing.switch(scene.tenant.context(), true));
    },
    attempt: sweep,
    tidy: witnessingOff,
    rows: counted('SELECT count(settled_size) FROM witness_rounds WHERE tenant_id = $1'),
  },
  'entry of an export': {
    ...command,
    tables: [],
    attempt: ({ faulty }, context) =>
      toldBy(faulty.exports.begin({ ...context, idempotency: null }, 'jsonl')),
    rows: entriesOfType('ledger.exported'),
  },
  'front of an export': {
    ...derived,
    entries: 'an attempt',
    site: {
      statement: /INSERT INTO ledger_export_fronts/,
      commits: false,
      table: 'ledger_export_fronts',
    },
    tables: ['ledger_export_fronts'],
    attempt: ({ faulty }, context) =>
      toldBy(faulty.exports.begin({ ...context, idempotency: null }, 'jsonl')),
    rows: counted('SELECT count(*) FROM ledger_export_fronts WHERE tenant_id = $1'),
  },
  'old fronts removed': {
    ...derived,
    entries: 'an attempt',
    site: { statement: /DELETE FROM ledger_export_fronts/, commits: false },
    tables: [],
    attempt: ({ faulty }, context) =>
      toldBy(faulty.exports.begin({ ...context, idempotency: null }, 'jsonl')),
    rows: counted('SELECT count(*) FROM ledger_export_fronts WHERE tenant_id = $1'),
  },
  'page of an export': {
    ...derived,
    // The second page: the first has gone out.
    site: {
      before: [/octet_length\(body\)\) OVER/, /^E/],
      statement: /^B/,
      commits: false,
      answer: /[^]/,
    },
    tables: [],
    async prepare({ judge, tenant, notes }) {
      await fillLedger(judge.house, tenant, 1_200);
      const fixed = valueOf(await judge.exports.begin(tenant.context(), 'jsonl'));
      const part = { afterSeq: null, throughSeq: fixed.header.head.seq };
      notes.set('export', fixed.exportId);
      notes.set('file', await textOf(valueOf(judge.exports.read(fixed, part))));
    },
    attempt: readOn,
    rows: counted('SELECT count(*) FROM ledger_exports WHERE tenant_id = $1'),
  },
};

/** One sweep, as the clock of the service makes it; a minute later each time. */
async function sweep({ faulty }: Scene): Promise<string> {
  const told = await toldBy(
    faulty.rounds.sweepDue({ tenantId: null, limit: 100 }).then((count) => `${count} begun`),
  );
  await faulty.rounds.idle();
  faulty.house.clock.nowMs += 60_000;
  return told;
}

/** Reads what is missing of the file, and compares what there is of it then with the file that nobody disturbed. */
async function readOn({ faulty, tenant, notes }: Scene): Promise<string> {
  const had = notes.get('have') ?? '';
  const have = had === notes.get('file') ? '' : had;
  return toldBy(
    (async () => {
      const fixed = valueOf(await faulty.exports.find(tenant.tenantId, notes.get('export') ?? ''));
      const rows = have.split('\n').filter((line) => line.startsWith('{"body"')).length;
      const afterSeq = rows === 0 ? null : rows - 1;
      const part = { afterSeq, throughSeq: fixed.header.head.seq };
      const stream = valueOf(faulty.exports.read(fixed, part));
      let text = rows === 0 ? '' : have;
      try {
        for await (const bytes of stream) text += (bytes as Buffer).toString('utf8');
      } finally {
        notes.set('have', text);
      }
      return text === notes.get('file') ? 'whole' : 'another file';
    })(),
  );
}
