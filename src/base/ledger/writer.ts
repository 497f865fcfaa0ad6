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
import { Suspects } from './suspects.js';

export interface WriterLimits extends FlusherLimits {
  /** Connections of one process, each with one batch under way (tried: three reach 84 % of the ceiling). */
  readonly flushers: number;
  readonly batchTenantsMax: number;
  readonly batchCommandsMax: number;
  /**
   * Commands waiting in this process; one more is answered `unavailable`. A tenant may have no more waiting than there
   * is room left for everybody, so however many tenants flood the queue, there is room for one that does not.
   */
  readonly queueCommandsMax: number;
  readonly queueCommandsPerTenantMax: number;
  /** How long a command waits for a database that cannot be used. */
  readonly commandTimeoutMs: number;
  /** How long a tenant that broke a batch shares none. */
  readonly quarantineMs: number;
}

export const WRITER_LIMITS: WriterLimits = {
  flushers: 3,
  batchTenantsMax: 64,
  batchCommandsMax: 256,
  queueCommandsMax: 8_192,
  queueCommandsPerTenantMax: 2_048,
  commandTimeoutMs: 5_000,
  quarantineMs: 60_000,
  outcomeTimeoutMs: 10_000,
  retryPauseMs: 50,
};

/** A commit that was answered so lately proves that the next one can be. */
export const COMMIT_PROVES_MS = 2_000;

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
  /** Everything not yet answered, the oldest first. */
  readonly #unanswered = new Set<QueuedTask>();
  readonly #suspects: Suspects;
  readonly #idle: Flusher[];
  readonly #flushers: readonly Flusher[];
  readonly #limits: WriterLimits;
  readonly sealer: Sealer;
  #scheduled = false;
  #closed: Promise<void> | null = null;
  #drained: (() => void) | null = null;
  #aloneCount = 0;
  #committedAtMs = Number.NEGATIVE_INFINITY;
  #probe: Promise<boolean> | null = null;

  constructor(options: WriterOptions) {
    this.#limits = { ...WRITER_LIMITS, ...options.limits };
    this.sealer = new Sealer(options.masterSecret);
    this.#suspects = new Suspects(this.#limits.quarantineMs, () => performance.now());
    const tools = {
      registry: registryOf(options.projections),
      sealer: this.sealer,
      newEntryId: (): EntryId => `ent_${uuidv7().replaceAll('-', '')}`,
      openSession: options.openSession,
      log: options.log,
      limits: this.#limits,
      onCommit: () => (this.#committedAtMs = performance.now()),
      onSuspects: (tenantIds: readonly TenantId[]) => this.#suspects.add(tenantIds),
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
  close(): Promise<void> {
    this.#closed ??= this.drain();
    return this.#closed;
  }

  /** Nothing is taken any more. */
  get isStopped(): boolean {
    return this.#closed !== null;
  }

  /** How long the oldest command that has no answer yet has been here, in milliseconds; 0 when there is none. */
  get oldestWaitMs(): number {
    const [oldest] = this.#unanswered;
    if (oldest === undefined) return 0;
    return performance.now() - (oldest.deadlineMs - this.#limits.commandTimeoutMs);
  }

  /**
   * Whether a transaction can be committed now: one was a moment ago, or one without meaning can be. With every flusher
   * at work nothing is tried; then {@link oldestWaitMs} tells.
   */
  canCommit(): Promise<boolean> {
    if (performance.now() - this.#committedAtMs < COMMIT_PROVES_MS) return Promise.resolve(true);
    this.#probe ??= this.probe().finally(() => {
      this.#probe = null;
    });
    return this.#probe;
  }

  private async probe(): Promise<boolean> {
    const flusher = this.#idle.pop();
    if (flusher === undefined) return true;
    const canCommit = await flusher.canCommit();
    this.rest(flusher);
    this.schedule();
    return canCommit;
  }

  private async drain(): Promise<void> {
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
      return Promise.resolve(err(IDEMPOTENCY_IN_FLIGHT));
    }
    const waiting = this.#waitingOf.get(tenantId) ?? 0;
    if (this.isStopped) return Promise.resolve(err(UNAVAILABLE));
    const { queueCommandsMax, queueCommandsPerTenantMax, commandTimeoutMs } = this.#limits;
    const room = Math.min(queueCommandsMax - this.#queue.size, queueCommandsPerTenantMax);
    if (waiting >= room) return Promise.resolve(err(QUEUE_FULL));
    this.#waitingOf.set(tenantId, waiting + 1);
    if (claimText !== null) this.#claimsInFlight.add(claimText);
    return new Promise((resolve) => {
      const task: QueuedTask = {
        command,
        opening,
        claim,
        deadlineMs: performance.now() + commandTimeoutMs,
        settle: (result) => {
          this.#unanswered.delete(task);
          this.forget(tenantId, claimText);
          // The result was made by this command's own `answer`.
          resolve(result as Result<Answer, Problem>);
        },
      };
      this.#unanswered.add(task);
      this.#queue.push(tenantId, task);
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
      // One that finds nothing it may do is idle again at once.
      for (const flusher of this.#idle.splice(0)) void this.work(flusher);
    });
  }

  private async work(flusher: Flusher): Promise<void> {
    for (;;) {
      const { tenantIds, items, isAlone } = this.#queue.take({
        tenantsMax: this.#limits.batchTenantsMax,
        itemsMax: this.#limits.batchCommandsMax,
        isAlone: (tenantId) => this.#suspects.has(tenantId),
        // INVARIANT: with several flushers one is always left for tenants that share their batches.
        mayServeAlone: this.#aloneCount < Math.max(this.#flushers.length - 1, 1),
      });
      if (items.length === 0) break;
      if (isAlone) this.#aloneCount += 1;
      await flusher.run(items);
      if (isAlone) this.#aloneCount -= 1;
      this.#queue.release(tenantIds);
    }
    this.rest(flusher);
  }

  private rest(flusher: Flusher): void {
    this.#idle.push(flusher);
    if (this.isDrained) this.#drained?.();
  }

  private get isDrained(): boolean {
    return this.#queue.isIdle && this.#idle.length === this.#flushers.length;
  }
}

export const IDEMPOTENCY_IN_FLIGHT = problem(
  'idempotency_in_flight',
  'The first request with this Idempotency-Key is still running.',
  { fix: 'Repeat the request after the pause.', field: ':Idempotency-Key', retryAfterSeconds: 1 },
);
const QUEUE_FULL = problem('unavailable', 'Too many requests are waiting; nothing was recorded.', {
  fix: 'Repeat the request after the pause.',
  retryAfterSeconds: 1,
});
