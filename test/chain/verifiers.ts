import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Case } from './cases.js';

const PYTHON_BATCH = resolve('test/chain/verify_batch.py');
const NODE_BATCH = resolve('test/chain/verify-batch.mjs');

/** What a verifier said: its exit code and, with --json, its one line. */
export interface Verdict {
  readonly exit: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Whether there is a Python that can run the verifier; says loudly when there is none. */
export function hasPython(): boolean {
  const asked = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']);
  if (asked.status === 0) return true;
  console.warn(
    'PYTHON MISSING: no python3 of 3.8 or newer was found; the tests of scripts/verify_ledger.py DID NOT RUN.',
  );
  return false;
}

/** Files of cases in a folder of their own, and the arguments that name them. */
export function withCases<Result>(
  cases: readonly Case[],
  run: (argumentLists: readonly (readonly string[])[]) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-cases-'));
  try {
    return run(cases.map((one, index) => argumentsOf(one, join(folder, String(index)))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function argumentsOf({ content, options }: Case, path: string): string[] {
  const { expectedHead, secrets, keys, more = [] } = options;
  const file = (name: string, text: string | Buffer): string => {
    writeFileSync(`${path}.${name}`, text);
    return `${path}.${name}`;
  };
  return [
    file('export', content),
    '--json',
    ...(expectedHead === undefined ? [] : ['--expected-head', expectedHead]),
    ...(secrets === undefined ? [] : ['--hmac-secret-file', file('secrets', secrets)]),
    ...(keys === undefined ? [] : ['--witness-keys', file('keys', keys)]),
    ...more,
  ];
}

const OUTPUT_BYTES_MAX = 1 << 30;

function batch(command: string, given: readonly string[], input: readonly unknown[]): Verdict[] {
  const { status, stdout, stderr } = spawnSync(command, given, {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`${command} ${given.join(' ')} failed: ${stderr}`);
  return (JSON.parse(stdout) as { exit: number; output: string }[]).map(verdictOf);
}

/** Every case in one process of Python; a warning is an error. */
export const pythonVerdicts = (argumentLists: readonly (readonly string[])[]): Verdict[] =>
  batch('python3', ['-W', 'error', PYTHON_BATCH], argumentLists);

/** Modules are never forgotten by a process: so many runs share one. */
const RUNS_A_PROCESS = 500;

export const nodeVerdicts = (argumentLists: readonly (readonly string[])[]): Verdict[] =>
  Array.from({ length: Math.ceil(argumentLists.length / RUNS_A_PROCESS) }, (_, index) =>
    argumentLists.slice(index * RUNS_A_PROCESS, (index + 1) * RUNS_A_PROCESS),
  ).flatMap((some) => batch(process.execPath, [NODE_BATCH], some));

function verdictOf({ exit, output }: { exit: number; output: string }): Verdict {
  const lines = output.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not exactly one line: ${output}`);
  return { exit, answer: JSON.parse(lines[0] ?? '') as Record<string, unknown> };
}

/** What both verifiers must say in the same way: everything but the words; of an unreadable file only that it is. */
export function comparable({ exit, answer }: Verdict): unknown {
  if (exit === 2) return { exit, result: answer['result'] };
  return { exit, ...answer, message: null };
}
