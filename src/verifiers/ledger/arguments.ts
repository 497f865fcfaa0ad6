import {
  decodeUtf8,
  NO_OPTIONS,
  parseExpectedHead,
  parseSecrets,
  parseWitnessKeys,
  quorumFault,
  type VerifierOptions,
  visible,
} from '../../core/chain/index.js';
import { err, ok, type Result } from '../../core/kernel/index.js';

export const USAGE = `usage: node verify-ledger.mjs FILE [options]
  FILE                         an export of a ledger: JSON Lines, or the single JSON document
  --expected-head HEAD         <hash> or <seq>:<hash>: the history holds this head
  --hmac-secret-file FILE      lines <kid> <64 hex digits>, or one line of 64 hex digits: checks who sealed
  --witness-keys FILE          one C2SP verifier key a line, of the log and of witnesses: checks who signed; with a
                               key of the log the file has to be of that log
  --witness-quorum N           so many of these witnesses on the newest witnessed head (default 1); not more than
                               different keys of witnesses are given
  --require-sealed             a ledger without sealed entries is a break
  --require-signatures         a seal that could not be checked is a break
  --json                       one line of JSON on standard output
  --no-progress                no progress bar
  --threads N                  worker threads for large files (default: one a processor, at most 4; 0 = none)
  --help                       this text
exit: 0 verified, 1 the first break, 2 not a readable export or unusable options`;

export interface Arguments {
  readonly file: string;
  readonly options: VerifierOptions;
  /** The options that were used, as people read them. */
  readonly used: readonly string[];
  readonly progress: boolean;
  /** Null = as many as fit the machine. */
  readonly threads: ThreadPlan | null;
}

export interface ThreadPlan {
  readonly count: number;
  /** Bytes that a thread is given at once; null = the usual ones, for files that are worth it. */
  readonly chunkBytes: number | null;
}

const FLAGS = ['--require-sealed', '--require-signatures', '--json', '--no-progress'];
const VALUED = [
  '--expected-head',
  '--hmac-secret-file',
  '--witness-keys',
  '--witness-quorum',
  '--threads',
];
const QUORUM = /^[1-9][0-9]{0,8}$/;
const THREADS = /^([0-9]{1,2})(?::([1-9][0-9]{0,8}))?$/;

type ReadFile = (file: string) => Result<Uint8Array, string>;

export const wantsJson = (given: readonly string[]): boolean => given.includes('--json');

/** Reads the command line and the files it names; `read` gives the bytes of a file, or why there are none. */
export function parseArguments(
  given: readonly string[],
  read: ReadFile,
): Result<Arguments, string> {
  const split = splitArguments(given);
  if (!split.ok) return split;
  const { file, values } = split.value;
  const options = readOptions(values, read);
  if (!options.ok) return options;
  const threads = values.get('--threads');
  const [, count, chunkBytes] = THREADS.exec(threads ?? '') ?? [];
  if (threads !== undefined && count === undefined) return err('--threads takes a small number');
  return ok({
    file,
    options: options.value,
    used: [...values.keys()]
      .filter((name) => !['--json', '--no-progress', '--threads'].includes(name))
      .map((name) => (VALUED.includes(name) ? `${name} ${values.get(name) ?? ''}` : name)),
    progress: !values.has('--no-progress'),
    threads:
      count === undefined
        ? null
        : {
            count: Number(count),
            chunkBytes: chunkBytes === undefined ? null : Number(chunkBytes),
          },
  });
}

interface Split {
  readonly file: string;
  /** By option; flags have an empty value. */
  readonly values: ReadonlyMap<string, string>;
}

function splitArguments(given: readonly string[]): Result<Split, string> {
  const files: string[] = [];
  const values = new Map<string, string>();
  for (let index = 0; index < given.length; index += 1) {
    const argument = given[index] ?? '';
    if (!argument.startsWith('-')) {
      files.push(argument);
      continue;
    }
    const [name = '', ...rest] = argument.split('=');
    if (values.has(name)) return err(`${name} is given twice`);
    if (FLAGS.includes(argument)) values.set(name, '');
    else if (VALUED.includes(name)) {
      const value = rest.length > 0 ? rest.join('=') : given[(index += 1)];
      if (value === undefined || value === '') return err(`${name} takes a value`);
      values.set(name, value);
    } else return err(`there is no option ${visible(name)}\n${USAGE}`);
  }
  const [file, ...others] = files;
  return file === undefined || others.length > 0
    ? err(`one file is verified at a time\n${USAGE}`)
    : ok({ file, values });
}

function readOptions(
  values: ReadonlyMap<string, string>,
  read: ReadFile,
): Result<VerifierOptions, string> {
  const head = optional(values.get('--expected-head'), parseExpectedHead);
  if (!head.ok) return head;
  const secrets = optional(values.get('--hmac-secret-file'), (file) =>
    named('--hmac-secret-file', read(file), parseSecrets),
  );
  if (!secrets.ok) return secrets;
  const keys = optional(values.get('--witness-keys'), (file) =>
    named('--witness-keys', read(file), parseWitnessKeys),
  );
  if (!keys.ok) return keys;
  const quorum = values.get('--witness-quorum');
  if (quorum !== undefined && (!QUORUM.test(quorum) || keys.value === null))
    return err('--witness-quorum takes a number from 1 on, and needs --witness-keys');
  const fault = quorum === undefined ? null : quorumFault(Number(quorum), keys.value ?? []);
  if (fault !== null) return err(fault);
  return ok({
    ...NO_OPTIONS,
    expectedHead: head.value,
    secrets: secrets.value,
    witnessKeys: keys.value,
    witnessQuorum: Number(quorum ?? NO_OPTIONS.witnessQuorum),
    requireSealed: values.has('--require-sealed'),
    requireSignatures: values.has('--require-signatures'),
  });
}

const optional = <Value>(
  given: string | undefined,
  parse: (given: string) => Result<Value, string>,
): Result<Value | null, string> => (given === undefined ? ok(null) : parse(given));

function named<Value>(
  option: string,
  bytes: Result<Uint8Array, string>,
  parse: (text: string) => Result<Value, string>,
): Result<Value, string> {
  if (!bytes.ok) return err(`${option}: ${bytes.error}`);
  const text = decodeUtf8(bytes.value);
  const parsed = text === null ? err('the file is no UTF-8 text') : parse(text);
  return parsed.ok ? parsed : err(`${option}: ${parsed.error}`);
}
