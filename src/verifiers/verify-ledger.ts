import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import {
  answerJson,
  answerText,
  decodeUtf8,
  DOCUMENT_BYTES_MAX,
  exitCodeOf,
  ExportVerifier,
  isHeaderLine,
  type VerifierAnswer,
} from '../core/chain/index.js';
import { type Arguments, parseArguments, wantsJson } from './ledger/arguments.js';
import { ExportFile } from './ledger/export-file.js';
import { ProgressBar } from './ledger/progress-bar.js';
import { readWithThreads, serveChunks } from './ledger/threads.js';

/** This file: its threads run it as well. */
const MODULE = new URL(import.meta.url);

/** Lines between two looks at the progress bar. */
const LINES_A_LOOK = 4_096;

/** Prints the answer and sets the exit code; nothing that is thrown leaves as success. */
async function main(given: readonly string[]): Promise<void> {
  const { answer, used } = await answered(given).catch((error: unknown) =>
    unreadable(error instanceof Error ? error.message : 'the verifier failed'),
  );
  process.exitCode = exitCodeOf(answer);
  process.stdout.write(`${wantsJson(given) ? answerJson(answer) : answerText(answer, used)}\n`);
}

interface Answered {
  readonly answer: VerifierAnswer;
  readonly used: readonly string[];
}

const unreadable = (message: string): Answered => ({
  answer: { result: 'unreadable', message },
  used: [],
});

async function answered(given: readonly string[]): Promise<Answered> {
  const parsed = parseArguments(given, bytesOf);
  if (!parsed.ok) return unreadable(parsed.error);
  const file = new ExportFile(parsed.value.file);
  const bar = new ProgressBar(process.stderr, parsed.value.progress ? file.size : null);
  try {
    return { answer: await verify(file, parsed.value, bar), used: parsed.value.used };
  } finally {
    bar.clear();
    file.close();
  }
}

function bytesOf(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

async function verify(
  file: ExportFile,
  { options, threads }: Arguments,
  bar: ProgressBar,
): Promise<VerifierAnswer> {
  const verifier = new ExportVerifier(options);
  const first = decodeUtf8(file.firstLine());
  if (first === null || !isHeaderLine(first)) {
    const rest = file.rest(DOCUMENT_BYTES_MAX);
    return rest === null
      ? unreadable('it is no JSON Lines, and a single document has at most 256 MiB').answer
      : verifier.document(rest);
  }
  // Up to the first row everything is judged here; then threads may help.
  let goesOn = true;
  file.lines((...line) => {
    goesOn = verifier.line(...line);
    return goesOn && verifier.rowContext === null;
  });
  if (goesOn) await readWithThreads({ file, verifier, plan: threads, module: MODULE, bar });
  let count = 0;
  file.lines((...line) => {
    count += 1;
    if (count % LINES_A_LOOK === 0) bar.show(file.offset);
    return verifier.line(...line);
  });
  return verifier.end();
}

if (isMainThread) {
  // Node would exit with 1, which means a break.
  process.on('uncaughtException', () => process.exit(2));
  await main(process.argv.slice(2));
} else serveChunks();
