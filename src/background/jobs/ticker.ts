import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerLog } from '../../base/ledger/index.js';
import { type HealthFinding, messageOf } from '../../base/platform/index.js';
import type { OpenQueue, OpensQueue } from './queue.js';

/** Between two ticks of the deployment, in milliseconds. */
export const TICK_MS = 1_000;
/** A process that has seen no tick for so long makes sure that there is one. */
const QUIET_MS = 15_000;
/** Waits before the queue is opened again after it failed: doubled each time, up to the last. */
const REOPEN_MS_MIN = 1_000;
const REOPEN_MS_MAX = 30_000;
const REOPEN_DOUBLINGS_MAX = 10;
/** How long a stop waits for a store that is away. */
const STOP_MS_MAX = 2_000;
/** A tick that runs longer is told as unhealthy. */
export const TICK_MS_HEALTHY_MAX = 60_000;

export interface TickerParts {
  readonly openQueue: OpensQueue;
  readonly sweep: () => Promise<unknown>;
  readonly log: LedgerLog;
  /** Never steps back. */
  readonly monotonicMs: () => number;
}

/**
 * Calls `sweep` at each tick that falls to this process, never twice at once. A queue that fails in any way is closed
 * and opened again after a pause, because its own loops repeat some errors without one; nothing of that reaches the
 * service. It holds no state: what is due stands in the rooms' tables.
 */
export class Ticker {
  #queue: OpenQueue | null = null;
  #opening: Promise<void> = Promise.resolve();
  #ticking: { readonly sinceMs: number; readonly done: Promise<void> } | null = null;
  #lastTickMs: number;
  #trouble: string | null = null;
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;
  #watch: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(private readonly parts: TickerParts) {
    this.#lastTickMs = parts.monotonicMs();
  }

  /** Rejects when the queue cannot be opened at all: a fault that the operator repairs before the service runs. */
  async start(): Promise<void> {
    await this.#open();
    this.#watch = setInterval(() => void this.#ensureScheduled(), QUIET_MS).unref();
  }

  /** Takes no more ticks, and waits for the one under way. Never rejects. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#watch !== null) clearInterval(this.#watch);
    await this.#ticking?.done;
    // A store that is away may keep an opening waiting; what comes of it closes itself.
    await Promise.race([this.#opening, sleep(STOP_MS_MAX, null, { ref: false })]);
    await this.#closeQueue(false);
  }

  health(): HealthFinding {
    if (this.#trouble !== null) return { healthy: false, detail: this.#trouble };
    const runsMs = this.#ticking === null ? 0 : this.parts.monotonicMs() - this.#ticking.sinceMs;
    return runsMs > TICK_MS_HEALTHY_MAX
      ? { healthy: false, detail: `a tick has run for ${Math.round(runsMs)} ms` }
      : { healthy: true };
  }

  async #open(): Promise<void> {
    const mine: { queue: OpenQueue | null } = { queue: null };
    const failed = (error: Error) => {
      if (mine.queue === null || mine.queue === this.#queue) this.#fail(error);
    };
    mine.queue = await this.parts.openQueue({ onTick: () => this.#tick(), onError: failed });
    if (this.#isStopped) return mine.queue.close(true);
    this.#queue = mine.queue;
    await mine.queue.schedule(TICK_MS);
    this.#trouble = null;
  }

  #tick(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#lastTickMs = this.parts.monotonicMs();
    this.#ticking ??= {
      sinceMs: this.#lastTickMs,
      done: this.parts
        .sweep()
        .then(
          () => (this.#failures = 0),
          (error: unknown) => this.parts.log.error('A tick failed', { error: messageOf(error) }),
        )
        .then(() => void (this.#ticking = null)),
    };
    return this.#ticking.done;
  }

  #fail(error: Error): void {
    if (this.#isStopped) return;
    this.#trouble = 'the queue of jobs failed; it is opened again';
    this.parts.log.error('The queue of jobs failed; it is opened again', {
      error: messageOf(error),
    });
    if (this.#timer !== null) return;
    const pauseMs = Math.min(REOPEN_MS_MIN * 2 ** this.#failures, REOPEN_MS_MAX);
    this.#failures = Math.min(this.#failures + 1, REOPEN_DOUBLINGS_MAX);
    this.#opening = this.#opening.then(() => this.#closeQueue(true));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#isStopped) return;
      this.#opening = this.#opening
        .then(() => this.#closeQueue(true))
        .then(() => this.#open())
        .catch((again: Error) => this.#fail(again));
    }, pauseMs).unref();
  }

  async #closeQueue(force: boolean): Promise<void> {
    const queue = this.#queue;
    this.#queue = null;
    await queue?.close(force);
  }

  /** A tick that a process took with it when it died, or that a failing store lost, would never be followed by another. */
  async #ensureScheduled(): Promise<void> {
    const isQuiet = this.parts.monotonicMs() - this.#lastTickMs >= QUIET_MS;
    const queue = this.#queue;
    if (!isQuiet || queue === null || this.#isStopped) return;
    await queue.schedule(TICK_MS).catch((error: Error) => {
      if (queue === this.#queue) this.#fail(error);
    });
  }
}
