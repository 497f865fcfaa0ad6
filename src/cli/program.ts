import { Command, CommanderError, type OptionValues } from 'commander';
import { arbiterClient } from '../client/index.js';
import { addAllows } from './commands/allows.js';
import { addBacktest } from './commands/backtest.js';
import { addCatalog } from './commands/catalog.js';
import { addClock } from './commands/clock.js';
import { addDecisions } from './commands/decisions.js';
import { addFacts } from './commands/facts.js';
import { addKeys } from './commands/keys.js';
import { addLedger } from './commands/ledger.js';
import { addLimits } from './commands/limits.js';
import { addPayments } from './commands/payments.js';
import { addRebuild } from './commands/rebuild.js';
import { addRefunds } from './commands/refunds.js';
import { addReplay } from './commands/replay.js';
import { addRevocations } from './commands/revocations.js';
import { addSign } from './commands/sign.js';
import { addStatus } from './commands/status.js';
import { addTenants } from './commands/tenants.js';
import { addTimestamp } from './commands/timestamp.js';
import { connectionOf } from './connection.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { clipped, printableLines } from './printable.js';
import { ProgressLine } from './progress.js';
import { Session } from './session.js';
import type { Shelf, Surroundings } from './shelf.js';
import { parseCount, reading } from './values.js';

interface GlobalOptions extends OptionValues {
  readonly url?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

const MESSAGE_CHARACTERS_MAX = 1_000;

/** Runs one command line to its exit code. Nothing is thrown, but for a fault of this program. */
export async function runCommandLine(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = programOf(surroundings, (code) => (exitCode = code));
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return ['commander.helpDisplayed', 'commander.version'].includes(error.code)
      ? EXIT.done
      : EXIT.usage;
  }
}

function programOf(surroundings: Surroundings, end: (code: ExitCode) => void): Command {
  const program = new Command('arbiter')
    .description('The command line of the commerce arbiter.')
    .version(surroundings.version, '--version')
    .option('--url <url>', 'the service (ARBITER_URL); http://127.0.0.1:8080 when left out')
    .option('--key-file <path>', 'a file with the API key (ARBITER_KEY_FILE), - for standard input')
    .option(
      '--key <key>',
      'the API key itself (ARBITER_API_KEY); others see it in the process list',
    )
    .option('--timeout <seconds>', 'for one attempt; 30 when left out', reading(parseCount(1, 600)))
    .option('--json', 'JSON on standard output: one document, or one a line for lists')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.out(text.trimEnd()),
      writeErr: (text) => surroundings.note(text.trimEnd()),
      // What commander repeats of a wrong value is somebody's text, and may be long.
      outputError: (text, write) =>
        write(printableLines(clipped(text.trimEnd(), MESSAGE_CHARACTERS_MAX))),
    });
  const shelf: Shelf = {
    program,
    online:
      (action) =>
      async (...given) => {
        const { words, options, command } = readGiven(given);
        const session = openSession(command, { options, surroundings });
        end(await action(session, { words, options: options as never }));
      },
    local:
      (action) =>
      async (...given) => {
        const { words, options } = readGiven(given);
        const json = options.json === true;
        const progress = progressOf(surroundings, json);
        const parts = { ...surroundings, progress };
        end(await action({ words, options: options as never, json }, parts));
      },
  };
  for (const add of [
    addTenants,
    addKeys,
    addLimits,
    addDecisions,
    addAllows,
    addPayments,
    addRefunds,
    addCatalog,
    addFacts,
    addRevocations,
    addStatus,
    addClock,
    addLedger,
    addTimestamp,
    addSign,
    addRebuild,
    addReplay,
    addBacktest,
  ])
    add(shelf);
  return program;
}

/** commander gives the arguments, the command's own options and the command. */
function readGiven(given: readonly unknown[]) {
  const command = given.at(-1) as Command;
  return {
    command,
    words: given.slice(0, -2).filter((word) => typeof word === 'string'),
    options: command.optsWithGlobals<GlobalOptions>(),
  };
}

const progressOf = ({ isWatched, writeError }: Surroundings, json: boolean): ProgressLine =>
  new ProgressLine(isWatched && !json ? writeError : null);

function openSession(
  command: Command,
  {
    options,
    surroundings,
  }: { readonly options: GlobalOptions; readonly surroundings: Surroundings },
): Session {
  const connection = connectionOf(options, surroundings.settings);
  if (!connection.ok) return command.error(`error: ${connection.error}`);
  const { baseUrl, apiKey, warnings } = connection.value;
  for (const warning of warnings) surroundings.note(`warning: ${warning}`);
  const { timeout } = options;
  const client = arbiterClient({
    baseUrl,
    apiKey,
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
  });
  const json = options.json === true;
  const progress = progressOf(surroundings, json);
  return new Session(client, { ...surroundings, baseUrl, json, progress });
}
