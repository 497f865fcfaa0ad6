import type { LedgerLog } from './flusher.js';
import { IDEMPOTENCY_SWEEP_ROWS_MAX } from './idempotency.store.js';

export const IDEMPOTENCY_SWEEP_INTERVAL_MS = 60_000;
/** Statements of one round: with the interval, 8,000 records a second are kept up with, several times what is written. */
export const IDEMPOTENCY_SWEEP_STATEMENTS_MAX = 500;

export interface SweeperOptions {
  /** Deletes at most so many records and answers how many. */
  readonly sweep: (limit: number) => Promise<number>;
  readonly log: LedgerLog;
  readonly intervalMs?: number;
}

/** Sweeps from time to time, one statement after the other. Several processes may do it on one database. */
export class IdempotencySweeper {
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> | null = null;
  #stopping = false;

  constructor(private readonly options: SweeperOptions) {}

  /** The timer keeps no process alive. A round that is due while one runs is left out. */
  start(): void {
    const { intervalMs = IDEMPOTENCY_SWEEP_INTERVAL_MS } = this.options;
    this.#timer ??= setInterval(() => void this.round(), intervalMs).unref();
  }

  /** Resolves when the statement under way has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#round;
  }

  /** Sweeps until nothing is due, at most {@link IDEMPOTENCY_SWEEP_STATEMENTS_MAX} times. Never rejects. */
  round(): Promise<void> {
    this.#round ??= this.sweepAll().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  private async sweepAll(): Promise<void> {
    try {
      for (let count = 0; count < IDEMPOTENCY_SWEEP_STATEMENTS_MAX && !this.#stopping; count += 1) {
        const swept = await this.options.sweep(IDEMPOTENCY_SWEEP_ROWS_MAX);
        if (swept < IDEMPOTENCY_SWEEP_ROWS_MAX) return;
      }
    } catch (error) {
      // The next round tries again; what is due stays valid meanwhile.
      this.options.log.error('Idempotency records could not be swept', {
        error: (error as Error).message,
      });
    }
  }
}
