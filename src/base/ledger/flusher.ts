import { setTimeout as pause } from 'node:timers/promises';
import { err, type Problem, problem, type Result, type TenantId } from '../../core/kernel/index.js';
import { selectWitness } from './entries.store.js';
import { flush, type FlushOutcome, type Results, tenantsOf, type Witness } from './flush.js';
import { freeHeads, insertHeads, lockHeads } from './heads.store.js';
import type { JudgeTools, Task } from './judge.js';
import {
  BEGIN,
  COMMIT,
  type OpenSession,
  ROLLBACK,
  type Session,
  TRIAL_WRITES,
} from './session.store.js';

/** Where a broken invariant is told; an entry of it holds names and ids, never what a caller sent. */
export interface LedgerLog {
  error(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** A task in the writer's queue: when it stops waiting for the database, and who is waiting for it. */
export interface QueuedTask extends Task {
  /** On the process's monotonic clock. */
  readonly deadlineMs: number;
  settle(result: Result<unknown, Problem>): void;
}

export interface FlusherLimits {
  /** How long the writer keeps asking what a COMMIT without an answer did. */
  readonly outcomeTimeoutMs: number;
  readonly retryPauseMs: number;
}

export interface FlusherTools extends JudgeTools {
  readonly openSession: OpenSession;
  readonly log: LedgerLog;
  readonly limits: FlusherLimits;
  /** Told after every COMMIT that was answered. */
  readonly onCommit: () => void;
  /** Told which tenants broke a batch or whose heads are held by somebody else. */
  readonly onSuspects: (tenantIds: readonly TenantId[]) => void;
}

/**
 * One connection that runs one batch after the other. Settles every task it is given, exactly once, and only after the
 * commit. `run` never rejects.
 */
export class Flusher {
  #session: Session | null = null;

  constructor(private readonly tools: FlusherTools) {}

  /** INVARIANT: ends. Each turn settles tasks, splits the batch, or comes nearer to the deadlines of what is left. */
  async run(tasks: readonly QueuedTask[]): Promise<void> {
    let waiting = tasks;
    let breaks = 0;
    while (waiting.length > 0) {
      const outcome = await this.attempt(waiting);
      switch (outcome.kind) {
        case 'done':
          if (outcome.isCommitted) this.tools.onCommit();
          return settleAll(waiting, outcome.results);
        case 'guilty':
          return this.findGuilty(waiting, outcome);
        case 'interrupted':
          if (outcome.why === 'broke') breaks += 1;
          waiting = await this.afterInterruption(
            outcome.why === 'held' ? await this.runUnheld(waiting) : waiting,
            outcome.error,
          );
          break;
        case 'unsure': {
          const kept = await this.askWhatWasKept(outcome.witness);
          if (kept === 'everything') return settleAll(waiting, outcome.results);
          if (kept === 'unknown') return this.giveUp(waiting, outcome.error);
          breaks += 1;
          waiting = await this.afterInterruption(waiting, outcome.error);
          break;
        }
      }
      // Once is the network. Twice may be a command that the server dies of: the others shall not share its fate.
      if (breaks >= BREAKS_BEFORE_SPLIT && waiting.length > 1) return this.runInHalves(waiting);
    }
  }

  /** Whether a transaction that writes can be committed now. Not while `run` is under way. */
  async canCommit(): Promise<boolean> {
    try {
      const session = await this.session();
      const exchange = await session.exchange([BEGIN, ...TRIAL_WRITES, COMMIT]);
      const isCommitted =
        exchange.kind === 'answered' && exchange.results.at(-1)?.command === 'COMMIT';
      if (isCommitted) this.tools.onCommit();
      return isCommitted;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }

  private async attempt(tasks: readonly QueuedTask[]): Promise<FlushOutcome> {
    try {
      const session = await this.session();
      return await flush(session, tasks, this.tools);
    } catch (error) {
      return { kind: 'interrupted', error: error as Error, why: 'away' };
    }
  }

  private async session(): Promise<Session> {
    if (this.#session?.alive !== true) this.#session = await this.tools.openSession();
    return this.#session;
  }

  /** Only the guilty command fails (decisions 2.2). */
  private async findGuilty(
    tasks: readonly QueuedTask[],
    { error, constraint }: { readonly error: Error; readonly constraint: string | null },
  ): Promise<void> {
    const [only] = tasks;
    if (tasks.length > 1 || only === undefined) return this.runInHalves(tasks);
    const { name, tenantId, requestId, clash } = only.command;
    if (clash !== undefined && clash.constraint === constraint)
      return only.settle(err(clash.problem));
    this.tools.log.error('A command broke an invariant; nothing of it was written', {
      command: name,
      tenant_id: tenantId,
      request_id: requestId,
      error: error.message,
      stack: error.stack,
    });
    this.tools.onSuspects([tenantId]);
    only.settle(err(BROKEN));
  }

  private async runInHalves(tasks: readonly QueuedTask[]): Promise<void> {
    for (const half of halvesOf(tasks)) await this.run(half);
  }

  /**
   * A head was waited for in vain. Whoever holds it shall hold up its tenant alone: the others are served now, and
   * those whose tenant is held up are answered with.
   */
  private async runUnheld(tasks: readonly QueuedTask[]): Promise<readonly QueuedTask[]> {
    const tenantIds = tenantsOf(tasks);
    const exchange = await this.session()
      .then((session) => session.exchange([BEGIN, freeHeads(tenantIds), ROLLBACK]))
      .catch(() => null);
    if (exchange?.kind !== 'answered') return tasks;
    const free = new Set(exchange.results[1]?.rows.map((row) => row['tenant_id'] as TenantId));
    const held = tasks.filter((task) => !free.has(task.command.tenantId));
    if (held.length === 0) return tasks;
    this.tools.onSuspects(tenantsOf(held));
    await this.run(tasks.filter((task) => free.has(task.command.tenantId)));
    return held;
  }

  /** Nothing was written: what may still wait is tried again after a pause. */
  private async afterInterruption(
    tasks: readonly QueuedTask[],
    error: Error,
  ): Promise<readonly QueuedTask[]> {
    const now = performance.now();
    const [expired, rest] = [
      tasks.filter((task) => task.deadlineMs <= now),
      tasks.filter((task) => task.deadlineMs > now),
    ];
    if (expired.length > 0) {
      this.tools.log.error('The database could not be used in time; nothing was written', {
        commands: expired.length,
        error: error.message,
      });
    }
    for (const task of expired) task.settle(err(UNAVAILABLE));
    if (rest.length > 0) await pause(this.tools.limits.retryPauseMs);
    return rest;
  }

  /**
   * COMMIT was sent, and the connection died. The head lock makes us wait until the server has ended that
   * transaction, one way or the other; then the batch's first entry stands at its place, written by that transaction,
   * or nothing of the batch exists.
   */
  private async askWhatWasKept(witness: Witness): Promise<'everything' | 'nothing' | 'unknown'> {
    const deadlineMs = performance.now() + this.tools.limits.outcomeTimeoutMs;
    for (;;) {
      const answer = await this.lookFor(witness).catch(() => null);
      if (answer === true) this.tools.onCommit();
      if (answer !== null) return answer ? 'everything' : 'nothing';
      if (performance.now() >= deadlineMs) return 'unknown';
      await pause(this.tools.limits.retryPauseMs);
    }
  }

  private async lookFor(witness: Witness): Promise<boolean | null> {
    const session = await this.session();
    const { tenantId } = witness;
    const exchange = await session.exchange([
      BEGIN,
      // INVARIANT: a head that the lost transaction itself made cannot be locked, because nobody sees it before it is
      // committed; making it once more waits for that transaction all the same.
      insertHeads([tenantId]),
      lockHeads([tenantId]),
      selectWitness(witness),
      ROLLBACK,
    ]);
    if (exchange.kind !== 'answered') return null;
    return (exchange.results[3]?.rows.length ?? 0) > 0;
  }

  private giveUp(tasks: readonly QueuedTask[], error: Error): void {
    this.tools.log.error('The connection broke at a commit and the database could not be asked', {
      commands: tasks.length,
      error: error.message,
    });
    for (const task of tasks) task.settle(err(OUTCOME_UNKNOWN));
  }
}

const BREAKS_BEFORE_SPLIT = 2;

function settleAll(tasks: readonly QueuedTask[], results: Results): void {
  tasks.forEach((task, index) => {
    task.settle(results[index] ?? err(BROKEN));
  });
}

/** A tenant's commands stay together as long as there is more than one tenant, and keep their order. */
function halvesOf(tasks: readonly QueuedTask[]): readonly (readonly QueuedTask[])[] {
  const tenantIds = tenantsOf(tasks);
  if (tenantIds.length === 1) {
    const middle = Math.ceil(tasks.length / 2);
    return [tasks.slice(0, middle), tasks.slice(middle)];
  }
  const first = new Set(tenantIds.slice(0, Math.ceil(tenantIds.length / 2)));
  return [
    tasks.filter((task) => first.has(task.command.tenantId)),
    tasks.filter((task) => !first.has(task.command.tenantId)),
  ];
}

export const UNAVAILABLE = problem(
  'unavailable',
  'The database cannot be reached; nothing was recorded.',
  {
    fix: 'Repeat the request after the pause.',
    retryAfterSeconds: 2,
  },
);
const BROKEN = problem('internal', 'Something of ours broke; nothing was recorded.', {
  fix: 'Report the request id to the operator.',
});
const OUTCOME_UNKNOWN = problem(
  'outcome_unknown',
  'The connection broke while the answer was being recorded; it may or may not stand.',
  { fix: 'Repeat the request under the same Idempotency-Key.', retryAfterSeconds: 5 },
);
