import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Does its work for at least `durationMs` and says how many operations it did per second. */
export type Contestant = (durationMs: number) => Promise<number> | number;

export interface Race {
  readonly name: string;
  /** What the ratio means, e.g. "batched sealed appends / one transaction per append, 32 callers". */
  readonly claim: string;
  readonly candidate: Contestant;
  readonly baseline: Contestant;
}

export const ROUNDS = 5;
export const ROUND_MS = 1_500;

export interface RaceResult {
  readonly name: string;
  readonly claim: string;
  readonly ratio: number;
  readonly ratioLow: number;
  readonly ratioHigh: number;
  readonly candidatePerSecond: number;
  readonly baselinePerSecond: number;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/**
 * Runs both contestants in turn, ROUNDS times after one warm-up round each, and takes the median of the round ratios.
 * Interleaved because the machine drifts by tens of percent between minutes: only numbers of one round are compared.
 */
export async function race({ name, claim, candidate, baseline }: Race): Promise<RaceResult> {
  await baseline(ROUND_MS / 3);
  await candidate(ROUND_MS / 3);
  const rounds: { candidate: number; baseline: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order alternates, so that neither always runs in the other's shadow.
    const first = round % 2 === 0;
    const early = await (first ? baseline : candidate)(ROUND_MS);
    const late = await (first ? candidate : baseline)(ROUND_MS);
    rounds.push(
      first ? { baseline: early, candidate: late } : { baseline: late, candidate: early },
    );
  }
  const ratios = rounds.map((round) => round.candidate / round.baseline);
  return {
    name,
    claim,
    ratio: median(ratios),
    ratioLow: Math.min(...ratios),
    ratioHigh: Math.max(...ratios),
    candidatePerSecond: median(rounds.map((round) => round.candidate)),
    baselinePerSecond: median(rounds.map((round) => round.baseline)),
  };
}

/** A synchronous operation repeated until the time is over; the clock is read every `stride` operations. */
export const repeat =
  (operation: () => unknown, stride = 256): Contestant =>
  (durationMs) => {
    const startMs = performance.now();
    let count = 0;
    while (performance.now() - startMs < durationMs) {
      for (let index = 0; index < stride; index += 1) operation();
      count += stride;
    }
    return (count * 1000) / (performance.now() - startMs);
  };

/** `callers` loops that each wait for their own answer before they ask again. */
export const closedLoop =
  (callers: number, operation: () => Promise<unknown>): Contestant =>
  async (durationMs) => {
    const startMs = performance.now();
    let count = 0;
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() - startMs < durationMs) {
          await operation();
          count += 1;
        }
      }),
    );
    return (count * 1000) / (performance.now() - startMs);
  };

const commit = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
};

/** One JSON line per run, kept in the project: what was measured, on what, at which commit. */
const RESULTS_FILE = 'bench/results.jsonl';

/** Prints the result and appends it as one JSON line with the machine and the commit. */
export function report(result: RaceResult): void {
  const machine = {
    cpu: cpus()[0]?.model.trim(),
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  appendFileSync(
    RESULTS_FILE,
    `${JSON.stringify({ at: new Date().toISOString(), commit: commit(), machine, ...result })}\n`,
  );
  const { ratio, ratioLow, ratioHigh, candidatePerSecond, baselinePerSecond } = result;
  process.stdout.write(
    `${result.name}: ${ratio.toFixed(2)} (${ratioLow.toFixed(2)} to ${ratioHigh.toFixed(2)}): ${result.claim}\n` +
      `  the median of ${ROUNDS} round ratios; each side's own median, whose quotient may differ: candidate ${Math.round(candidatePerSecond)}/s, baseline ${Math.round(baselinePerSecond)}/s\n`,
  );
}
