import type { CopyClock } from '../../src/trust/status/index.js';

/** A clock that stands until it is moved; timers run when it passes them, in their order. */
export interface ManualClock extends CopyClock {
  /** Moves on and runs what is due on the way. */
  advance(byMs: number): void;
  /** The times at which timers would run, from now on, in milliseconds. */
  waiting(): readonly number[];
}

export function manualClock(): ManualClock {
  let nowMs = 1_000;
  const timers = new Map<symbol, { readonly atMs: number; readonly run: () => void }>();
  const next = () => [...timers].sort(([, one], [, other]) => one.atMs - other.atMs)[0];
  return {
    monotonicMs: () => nowMs,
    after(delayMs, run) {
      const timer = Symbol();
      timers.set(timer, { atMs: nowMs + delayMs, run });
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      const untilMs = nowMs + byMs;
      for (let due = next(); due !== undefined && due[1].atMs <= untilMs; due = next()) {
        const [timer, { atMs, run }] = due;
        nowMs = atMs;
        timers.delete(timer);
        run();
      }
      nowMs = untilMs;
    },
    waiting: () => [...timers.values()].map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
  };
}
