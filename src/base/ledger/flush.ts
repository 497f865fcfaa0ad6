import {
  type InstantMs,
  invariant,
  ok,
  type Problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { Cells } from './cells.js';
import { insertEntries, recordedEntryOf, selectRun, storedEntryOf } from './entries.store.js';
import { type Head } from './head.js';
import { headOf, insertHeads, lockHeads, READ_CLOCK, updateHeads } from './heads.store.js';
import { claimTextOf, idempotencyRecordOf, insertClaims, loadClaims } from './idempotency.store.js';
import { BatchJudgement, type JudgeTools, type Task, type Verdict } from './judge.js';
import { loadStatement, writeStatement } from './projection.store.js';
import {
  BEGIN,
  COMMIT,
  type DatabaseFault,
  ROLLBACK,
  type Session,
  type Statement,
  type StatementResult,
} from './session.store.js';
import { erasureStatements, sideStatements } from './side-table.store.js';

export type Results = readonly Result<unknown, Problem>[];

/** The first entry of a batch whose COMMIT was not answered: if it stands where it belongs, the whole batch does. */
export interface Witness {
  readonly tenantId: TenantId;
  readonly seq: number;
  readonly entryId: string;
  readonly txId: string;
}

/**
 * `done`: durable, answer now. `guilty`: nothing was written, and one of the commands is to blame. `interrupted`:
 * nothing was written, for no fault of the commands, as far as can be seen. `unsure`: COMMIT was sent and not answered.
 */
export type FlushOutcome =
  | { readonly kind: 'done'; readonly results: Results; readonly isCommitted: boolean }
  | { readonly kind: 'guilty'; readonly error: Error; readonly constraint: string | null }
  | { readonly kind: 'interrupted'; readonly error: Error; readonly why: Why }
  | {
      readonly kind: 'unsure';
      readonly error: Error;
      readonly witness: Witness;
      readonly results: Results;
    };

/** `away`: no database to speak to. `held`: somebody holds a head. `broke`: in the middle of the batch; `other`. */
export type Why = 'away' | 'held' | 'broke' | 'other';

const HEAD_HELD = '55P03';

/** A refusal of the database that is not about what a command wrote: deadlock, lock wait, resources, shutdown, read-only. */
const PASSING_TROUBLE = /^(?:40|53|55P03|57|58|25006)/;

class Interruption extends Error {
  constructor(
    message: string,
    readonly why: Why,
  ) {
    super(message);
  }
}

/**
 * Runs one batch as one transaction: lock, load, judge in memory, write, commit. Two round trips, and one between them
 * only if rows must be loaded that nobody could name before the events were known, or if a first answer is repeated.
 */
export async function flush(
  session: Session,
  tasks: readonly Task[],
  tools: JudgeTools,
): Promise<FlushOutcome> {
  let writing: { readonly statements: readonly Statement[]; readonly witness: Witness | null };
  let results: Results;
  try {
    const { judgement, txId } = await lockAndLoad(session, tasks, tools);
    const verdicts = tasks.map((task) => judgement.judge(task));
    results = await secondLook(session, { judgement, verdicts, tasks });
    writing = { statements: writesOf(judgement), witness: witnessOf(judgement, txId) };
  } catch (error) {
    const rolledBack = await session.exchange([ROLLBACK]);
    const interruption = error instanceof Interruption ? error.why : null;
    return interruption === null && rolledBack.kind !== 'lost'
      ? { kind: 'guilty', error: error as Error, constraint: null }
      : { kind: 'interrupted', error: error as Error, why: interruption ?? 'broke' };
  }
  if (writing.statements.length === 0) {
    // Only problems and repeats: there is nothing to commit.
    await session.exchange([ROLLBACK]);
    return { kind: 'done', results, isCommitted: false };
  }
  return commit(session, { ...writing, results });
}

async function commit(
  session: Session,
  batch: {
    readonly statements: readonly Statement[];
    readonly witness: Witness | null;
    readonly results: Results;
  },
): Promise<FlushOutcome> {
  const { witness, results } = batch;
  const exchange = await session.exchange([...batch.statements, COMMIT]);
  if (exchange.kind === 'refused') return blame(exchange.error);
  if (exchange.kind === 'lost') {
    // Without an entry only idempotency records were written: running the batch again is harmless.
    return witness === null
      ? { kind: 'interrupted', error: exchange.error, why: 'broke' }
      : { kind: 'unsure', error: exchange.error, witness, results };
  }
  // INVARIANT: an aborted transaction answers COMMIT with ROLLBACK; only this word makes an answer durable.
  return exchange.results.at(-1)?.command === 'COMMIT'
    ? { kind: 'done', results, isCommitted: true }
    : {
        kind: 'interrupted',
        error: new Error('COMMIT was answered with a rollback'),
        why: 'other',
      };
}

function blame(fault: DatabaseFault): FlushOutcome {
  const error = new Error(`${fault.sqlState} ${fault.message}`);
  return PASSING_TROUBLE.test(fault.sqlState)
    ? { kind: 'interrupted', error, why: 'other' }
    : { kind: 'guilty', error, constraint: fault.constraint };
}

async function lockAndLoad(session: Session, tasks: readonly Task[], tools: JudgeTools) {
  const cells = new Cells();
  for (const { command } of tasks) {
    const { tenantId, reads } = command;
    for (const { projection, key } of reads) cells.expect(projection, { tenantId, key });
  }
  const opening = tenantsOf(tasks.filter((task) => task.opening));
  const claims = tasks.flatMap((task) => (task.claim === null ? [] : [task.claim]));
  const loads = cells.expected();
  const before = [BEGIN, ...(opening.length === 0 ? [] : [insertHeads(opening)])];
  const fixed = [lockHeads(tenantsOf(tasks)), READ_CLOCK];
  const results = await answersOf(session, [
    ...before,
    ...fixed,
    ...(claims.length === 0 ? [] : [loadClaims(claims)]),
    ...loads.map(({ projection, names }) => loadStatement(projection, names)),
  ]);
  const [heads, clock, ...rest] = results.slice(before.length);
  const claimRows = claims.length === 0 ? [] : (rest.shift()?.rows ?? []);
  loads.forEach(({ projection }, index) => cells.load(projection, rest[index]?.rows ?? []));
  const records = claimRows.map(idempotencyRecordOf);
  const loaded = {
    heads: new Map((heads?.rows ?? []).map((row): [TenantId, Head] => entryOf(headOf(row)))),
    claims: new Map(records.map((record) => [claimTextOf(record), record])),
    clockMs: clockOf(clock),
  };
  return {
    judgement: new BatchJudgement(tools, loaded, cells),
    txId: String(clock?.rows[0]?.['tx_id']),
  };
}

const entryOf = (head: Head): [TenantId, Head] => [head.tenantId, head];

function clockOf(result: StatementResult | undefined): InstantMs {
  const clockMs = Number(result?.rows[0]?.['clock_ms']);
  invariant(Number.isSafeInteger(clockMs), 'the database tells the time in milliseconds');
  return clockMs;
}

/** Loads what only the events could name, and the entries of answers that are repeated; then every result is known. */
async function secondLook(
  session: Session,
  batch: {
    readonly judgement: BatchJudgement;
    readonly verdicts: readonly Verdict[];
    readonly tasks: readonly Task[];
  },
): Promise<Results> {
  const { judgement, verdicts, tasks } = batch;
  const late = new Cells();
  for (const { projector, ...name } of judgement.deferred) late.expect(projector.projection, name);
  const loads = late.expected();
  const runs = verdicts.flatMap((verdict) => (verdict.kind === 'replay' ? [verdict.run] : []));
  const answers =
    loads.length + runs.length === 0
      ? []
      : await answersOf(session, [
          ...loads.map(({ projection, names }) => loadStatement(projection, names)),
          ...runs.map(selectRun),
        ]);
  loads.forEach(({ projection, names }, index) => {
    for (const name of names) judgement.cells.expect(projection, name);
    judgement.cells.load(projection, answers[index]?.rows ?? []);
  });
  for (const evolution of judgement.deferred) judgement.cells.evolve(evolution);
  const repeated = answers.slice(loads.length);
  return verdicts.map((verdict, index) => {
    if (verdict.kind === 'judged') return verdict.result;
    const entries = (repeated.shift()?.rows ?? []).map((row) =>
      recordedEntryOf(storedEntryOf(row)),
    );
    invariant(entries.length === verdict.run.count, 'the entries of a first answer are there');
    return ok(tasks[index]?.command.answer(entries, true));
  });
}

function writesOf(judgement: BatchJudgement): readonly Statement[] {
  const { entries, claims, sideWrites, erasures, cells, changedHeads } = judgement;
  return [
    ...(entries.length === 0 ? [] : [insertEntries(entries)]),
    ...cells.changed().map(({ projection, writes }) => writeStatement(projection, writes)),
    ...sideStatements(sideWrites),
    ...erasureStatements(erasures),
    ...(claims.length === 0 ? [] : [insertClaims(claims)]),
    ...(changedHeads.length === 0 ? [] : [updateHeads(changedHeads)]),
  ];
}

function witnessOf(judgement: BatchJudgement, txId: string): Witness | null {
  const [first] = judgement.entries;
  return first === undefined
    ? null
    : { tenantId: first.tenantId, seq: first.seq, entryId: first.id, txId };
}

/** The answers of a round trip that reads; anything else ends the attempt. */
async function answersOf(
  session: Session,
  statements: readonly Statement[],
): Promise<readonly StatementResult[]> {
  const exchange = await session.exchange(statements);
  if (exchange.kind === 'answered') return exchange.results;
  if (exchange.kind === 'lost') throw new Interruption(exchange.error.message, 'broke');
  const { sqlState, message } = exchange.error;
  throw PASSING_TROUBLE.test(sqlState)
    ? new Interruption(`${sqlState} ${message}`, sqlState === HEAD_HELD ? 'held' : 'other')
    : new Error(`${sqlState} ${message}`);
}

export const tenantsOf = (tasks: readonly Task[]): readonly TenantId[] =>
  [...new Set(tasks.map((task) => task.command.tenantId))].sort();
