import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IDEMPOTENCY_SWEEP_ROWS_MAX } from './idempotency.store.js';
import { IDEMPOTENCY_SWEEP_STATEMENTS_MAX, IdempotencySweeper } from './idempotency-sweeper.js';

const FULL = IDEMPOTENCY_SWEEP_ROWS_MAX;

function sweeperOf(answers: readonly (number | Error)[], otherwise = 0) {
  const rest = [...answers];
  const lines: string[] = [];
  const sweep = vi.fn((_limit: number) => {
    const next = rest.shift() ?? otherwise;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  const log = { error: (message: string) => void lines.push(message) };
  return { sweep, lines, sweeper: new IdempotencySweeper({ sweep, log, intervalMs: 1_000 }) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the sweeper', () => {
  it('sweeps in its time until nothing is due', async () => {
    const { sweep, sweeper } = sweeperOf([FULL, FULL, FULL - 1]);
    sweeper.start();
    sweeper.start();
    expect(sweep).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweep.mock.calls).toEqual([[FULL], [FULL], [FULL]]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sweep).toHaveBeenCalledTimes(4);
    await sweeper.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sweep).toHaveBeenCalledTimes(4);
  });

  it('ends a round that finds no end', async () => {
    const { sweep, sweeper } = sweeperOf([], FULL);
    await sweeper.round();
    expect(sweep).toHaveBeenCalledTimes(IDEMPOTENCY_SWEEP_STATEMENTS_MAX);
  });

  it('runs one round at a time, and stops after the statement under way', async () => {
    const { sweep, sweeper } = sweeperOf([], FULL);
    const rounds = [sweeper.round(), sweeper.round()];
    await sweeper.stop();
    await Promise.all(rounds);
    expect(sweep).toHaveBeenCalledTimes(1);
  });

  it('tells what went wrong and tries again', async () => {
    const { lines, sweeper } = sweeperOf([new Error('no database')]);
    await sweeper.round();
    await sweeper.round();
    expect(lines).toEqual(['Idempotency records could not be swept']);
  });
});
