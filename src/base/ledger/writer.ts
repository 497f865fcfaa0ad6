import { v7 as uuidv7 } from 'uuid';
import {
  type EntryId,
  err,
  type Problem,
  problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import type { Command, Writer } from './command.js';
import { FairQueue } from './fair-queue.js';
import {
  Flusher,
  type FlusherLimits,
  type LedgerLog,
  type QueuedTask,
  UNAVAILABLE,
} from './flusher.js';
import { claimNameOf, claimTextOf } from './idempotency.store.js';
import type { AnyProjection } from './projection.js';
import { registryOf } from './registry.js';
import { Sealer } from './sealer.js';
import type { OpenSession } from './session.store.js';

export interface WriterLimits extends FlusherLimits {
  /** Connections of one process, each with one batch under way (tried: three reach 84 % of the ceiling). */
  readonly flushers: number;
  readonly batchTenantsMax: number;
  readonly batchCommandsMax: number;
  /** Commands waiting in this process; one more is answered `unavailable`. */
  readonly queueCommandsMax: number;
  readonly queueCommandsPerTenantMax: number;
  /** How long a command waits for a database that cannot be used. */
  readonly commandTimeoutMs: number;
}

export const WRITER_LIMITS: WriterLimits = {
  flushers: 3,
  batchTenantsMax: 64,
  batchCommandsMax: 256,
  queueCommandsMax: 8_192,
  queueCommandsPerTenantMax: 2_048,
  commandTimeoutMs: 5_000,
  outcomeTimeoutMs: 10_000,
  retryPauseMs: 50,
};

export interface WriterOptions {
  readonly openSession: OpenSession;
  readonly projections: readonly AnyProjection[];
  /** The master secret of the ledger's HMAC keys, at least 32 bytes, from outside the database. */
  readonly masterSecret: Uint8Array;
  readonly log: LedgerLog;
  readonly limits?: Partial<WriterLimits>;
}

/** The batching writer (ADR 0001): what arrives while one batch is written is the next one. */
export class LedgerWriter implements Writer {
  readonly #queue = new FairQueue<QueuedTask>();
  readonly #waitingOf = new Map<TenantId, number>();
  readonly #claimsInFlight = new Set<string>();
  readonly #idle: Flusher[];
  readonly #flushers: readonly Flusher[];
  readonly #limits: WriterLimits;
  readonly sealer: Sealer;
  #scheduled = false;
  #closing = false;
  #drained: (() => void) | null = null;

  constructor(options: WriterOptions) {
    this.#limits = { ...WRITER_LIMITS, ...options.limits };
    this.sealer = new Sealer(options.masterSecret);
    const tools = {
      registry: registryOf(options.projections),
      sealer: this.sealer,
      newEntryId: (): EntryId => `ent_${uuidv7().replaceAll('-', '')}`,
      openSession: options.openSession,
      log: options.log,
      limits: this.#limits,
    };
    this.#flushers = Array.from({ length: this.#limits.flushers }, () => new Flusher(tools));
    this.#idle = [...this.#flushers];
  }

  execute<Answer>(command: Command<Answer>): Promise<Result<Answer, Problem>> {
    return this.enqueue(command, false);
  }

  open<Answer>(command: Command<Answer>): Promise<Result<Answer, Problem>> {
    return this.enqueue(command, true);
  }

  /** Refuses what comes from now on, waits until everything queued is answered, and lets go of the database. */
  async close(): Promise<void> {
    this.#closing = true;
    if (!this.isDrained) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await Promise.all(this.#flushers.map((flusher) => flusher.close()));
  }

  private enqueue<Answer>(
    command: Command<Answer>,
    opening: boolean,
  ): Promise<Result<Answer, Problem>> {
    const { tenantId, idempotency } = command;
    const claim = idempotency === null ? null : claimNameOf(tenantId, idempotency);
    const claimText = claim === null ? null : claimTextOf(claim);
    if (claimText !== null && this.#claimsInFlight.has(claimText)) {
      return Promise.resolve(err(IN_FLIGHT));
    }
    const waiting = this.#waitingOf.get(tenantId) ?? 0;
    if (this.#closing || this.#queue.size >= this.#limits.queueCommandsMax) {
      return Promise.resolve(err(this.#closing ? UNAVAILABLE : QUEUE_FULL));
    }
    if (waiting >= this.#limits.queueCommandsPerTenantMax) return Promise.resolve(err(QUEUE_FULL));
    this.#waitingOf.set(tenantId, waiting + 1);
    if (claimText !== null) this.#claimsInFlight.add(claimText);
    return new Promise((resolve) => {
      this.#queue.push(tenantId, {
        command,
        opening,
        claim,
        deadlineMs: performance.now() + this.#limits.commandTimeoutMs,
        settle: (result) => {
          this.forget(tenantId, claimText);
          // The result was made by this command's own `answer`.
          resolve(result as Result<Answer, Problem>);
        },
      });
      this.schedule();
    });
  }

  private forget(tenantId: TenantId, claimText: string | null): void {
    if (claimText !== null) this.#claimsInFlight.delete(claimText);
    const waiting = (this.#waitingOf.get(tenantId) ?? 1) - 1;
    if (waiting === 0) this.#waitingOf.delete(tenantId);
    else this.#waitingOf.set(tenantId, waiting);
  }

  /** At the end of this turn of the event loop, so that what arrives together is flushed together. */
  private schedule(): void {
    if (this.#scheduled || this.#idle.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#queue.hasReady) {
        const flusher = this.#idle.pop();
        if (flusher === undefined) return;
        void this.work(flusher);
      }
    });
  }

  private async work(flusher: Flusher): Promise<void> {
    while (this.#queue.hasReady) {
      const { batchTenantsMax, batchCommandsMax } = this.#limits;
      const { tenantIds, items } = this.#queue.take(batchTenantsMax, batchCommandsMax);
      await flusher.run(items);
      this.#queue.release(tenantIds);
    }
    this.#idle.push(flusher);
    if (this.isDrained) this.#drained?.();
  }

  private get isDrained(): boolean {
    return this.#queue.isIdle && this.#idle.length === this.#flushers.length;
  }
}

const IN_FLIGHT = problem(
  'idempotency_in_flight',
  'The first request with this Idempotency-Key is still running.',
  { fix: 'Repeat the request after the pause.', field: ':Idempotency-Key', retryAfterSeconds: 1 },
);
const QUEUE_FULL = problem('unavailable', 'Too many requests are waiting; nothing was recorded.', {
  fix: 'Repeat the request after the pause.',
  retryAfterSeconds: 1,
});
