import { isMainThread } from 'node:worker_threads';
import { err, ok, type Result } from '../core/kernel/index.js';
import {
  answerJson,
  answerText,
  decodeUtf8,
  DOCUMENT_BYTES_MAX,
  exitCodeOf,
  ExportVerifier,
  isHeaderLine,
  LINE_BYTES_MAX,
  type VerifierAnswer,
  visible,
} from '../core/chain/index.js';
import { readBounded } from './bounded-file.js';
import { type Arguments, parseArguments, USAGE, wantsJson } from './ledger/arguments.js';
import { ExportFile } from './ledger/export-file.js';
import { ProgressBar } from './ledger/progress-bar.js';
import { readWithThreads, serveChunks } from './ledger/threads.js';
import { asksForHelp, HELP_EXIT_CODE, readFault } from './read-fault.js';

/** This file: its threads run it as well. */
const MODULE = new URL(import.meta.url);

/** Lines between two looks at the progress bar. */
const LINES_A_LOOK = 4_096;

/** Prints the answer and sets the exit code; nothing that is thrown leaves as success. */
async function main(given: readonly string[]): Promise<void> {
  if (asksForHelp(given)) {
    process.exitCode = HELP_EXIT_CODE;
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { answer, used } = await answered(given).catch((error: unknown) =>
    unusable(`not verified: ${error instanceof Error ? error.message : 'the verifier failed'}`),
  );
  process.exitCode = exitCodeOf(answer);
  process.stdout.write(`${wantsJson(given) ? answerJson(answer) : answerText(answer, used)}\n`);
}

interface Answered {
  readonly answer: VerifierAnswer;
  readonly used: readonly string[];
}

const unusable = (message: string): Answered => ({
  answer: { result: 'unusable', message },
  used: [],
});

async function answered(given: readonly string[]): Promise<Answered> {
  const parsed = parseArguments(given, bytesOf);
  if (!parsed.ok) return unusable(parsed.error);
  const { file: path, progress, used } = parsed.value;
  try {
    const file = new ExportFile(path);
    const bar = new ProgressBar(process.stderr, progress ? file.size : null);
    try {
      return { answer: await verify(file, parsed.value, bar), used };
    } finally {
      bar.clear();
      file.close();
    }
  } catch (error) {
    return unusable(visible(readFault(path, error)));
  }
}

function bytesOf(path: string): Result<Uint8Array, string> {
  try {
    const bytes = readBounded(path, LINE_BYTES_MAX);
    return bytes === null
      ? err(`${visible(path)} is longer than ${LINE_BYTES_MAX} bytes`)
      : ok(bytes);
  } catch (error) {
    return err(visible(readFault(path, error)));
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
      ? {
          result: 'unreadable',
          message: 'it is no JSON Lines, and a single document has at most 256 MiB',
        }
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
