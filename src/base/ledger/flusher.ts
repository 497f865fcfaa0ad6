import { setTimeout as pause } from 'node:timers/promises';
import { err, type Problem, problem, type Result } from '../../core/kernel/index.js';
import { selectWitness } from './entries.store.js';
import { flush, type FlushOutcome, type Results, tenantsOf, type Witness } from './flush.js';
import { lockHeads } from './heads.store.js';
import type { JudgeTools, Task } from './judge.js';
import { BEGIN, type OpenSession, ROLLBACK, type Session } from './session.store.js';

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
}

/**
 * One connection that runs one batch after the other. Settles every task it is given, exactly once, and only after the
 * commit. `run` never rejects.
 */
export class Flusher {
  #session: Session | null = null;

  constructor(private readonly tools: FlusherTools) {}

  async run(tasks: readonly QueuedTask[]): Promise<void> {
    let waiting = tasks;
    while (waiting.length > 0) {
      const outcome = await this.attempt(waiting);
      switch (outcome.kind) {
        case 'done':
          return settleAll(waiting, outcome.results);
        case 'guilty':
          return this.findGuilty(waiting, outcome.error);
        case 'interrupted':
          waiting = await this.afterInterruption(waiting, outcome.error);
          break;
        case 'unsure': {
          const kept = await this.askWhatWasKept(outcome.witness);
          if (kept === 'everything') return settleAll(waiting, outcome.results);
          if (kept === 'unknown') return this.giveUp(waiting, outcome.error);
          break;
        }
      }
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
      return { kind: 'interrupted', error: error as Error };
    }
  }

  private async session(): Promise<Session> {
    if (this.#session?.alive !== true) this.#session = await this.tools.openSession();
    return this.#session;
  }

  /** Tenant by tenant, then command by command, so that only the guilty command fails (decisions 2.2). */
  private async findGuilty(tasks: readonly QueuedTask[], error: Error): Promise<void> {
    const [only] = tasks;
    if (tasks.length === 1 && only !== undefined) {
      const { name, tenantId, requestId } = only.command;
      this.tools.log.error('A command broke an invariant; nothing of it was written', {
        command: name,
        tenant_id: tenantId,
        request_id: requestId,
        error: error.message,
        stack: error.stack,
      });
      only.settle(err(BROKEN));
      return;
    }
    const tenantIds = tenantsOf(tasks);
    const parts =
      tenantIds.length > 1
        ? tenantIds.map((id) => tasks.filter((task) => task.command.tenantId === id))
        : tasks.map((task) => [task]);
    for (const part of parts) await this.run(part);
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
      if (answer !== null) return answer ? 'everything' : 'nothing';
      if (performance.now() >= deadlineMs) return 'unknown';
      await pause(this.tools.limits.retryPauseMs);
    }
  }

  private async lookFor(witness: Witness): Promise<boolean | null> {
    const session = await this.session();
    const exchange = await session.exchange([
      BEGIN,
      lockHeads([witness.tenantId]),
      selectWitness(witness),
      ROLLBACK,
    ]);
    if (exchange.kind !== 'answered') return null;
    return (exchange.results[2]?.rows.length ?? 0) > 0;
  }

  private giveUp(tasks: readonly QueuedTask[], error: Error): void {
    this.tools.log.error('The connection broke at a commit and the database could not be asked', {
      commands: tasks.length,
      error: error.message,
    });
    for (const task of tasks) task.settle(err(OUTCOME_UNKNOWN));
  }
}

function settleAll(tasks: readonly QueuedTask[], results: Results): void {
  tasks.forEach((task, index) => {
    task.settle(results[index] ?? err(BROKEN));
  });
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
