import type { LedgerLog } from './flusher.js';

/** What goes on failing is told so often; the first time at once. */
export const REPEATED_ERROR_MS = 60_000;
/** Different errors that are remembered. */
const REMEMBERED_MAX = 200;

/**
 * A log for loops that try again and again: the same line with the same details is written at most once a minute, then
 * with the number of times it was left out.
 */
export function withoutRepeats(log: LedgerLog, nowMs: () => number): LedgerLog {
  const told = new Map<string, { atMs: number; leftOut: number }>();
  return {
    error(line, details) {
      const name = `${line}\n${JSON.stringify(details)}`;
      const before = told.get(name);
      const atMs = nowMs();
      if (before !== undefined && atMs - before.atMs < REPEATED_ERROR_MS) {
        before.leftOut += 1;
        return;
      }
      const leftOut = before?.leftOut ?? 0;
      told.delete(name);
      told.set(name, { atMs, leftOut: 0 });
      const [oldest] = told.keys();
      if (told.size > REMEMBERED_MAX && oldest !== undefined) told.delete(oldest);
      log.error(line, leftOut === 0 ? details : { ...details, left_out: leftOut });
    },
  };
}
