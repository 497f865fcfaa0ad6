import type { Command } from 'commander';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { err, ok, type Result } from '../../core/kernel/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';

/** A new API key is shown once: on the terminal, or into a file that only its owner reads. */

export interface SecretPlace {
  readonly keyOut?: string;
}

interface ShownKey {
  readonly api_key_id: string;
  readonly api_key: string | null;
}

interface OpenPlace {
  /** Puts the secret away; what is left may be shown. */
  readonly keep: (key: ShownKey) => ShownKey;
  readonly exit: () => ExitCode;
}

export const withKeyOut = (command: Command): Command =>
  command.option('--key-out <path>', 'write the new key to this new file (0600), do not show it');

/**
 * The place is made before the key is: a key that cannot be kept shall not exist. A file that is there already is
 * refused. An empty file is left when the key was not made after all, and is taken away by `keep` when it never comes.
 */
export function secretPlace(
  session: Session,
  { keyOut }: SecretPlace,
): Result<OpenPlace, ExitCode> {
  if (keyOut === undefined) return ok({ keep: (key) => key, exit: () => EXIT.done });
  let file: number;
  try {
    file = openSync(keyOut, 'wx', 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    session.note(
      `error: --key-out ${keyOut} cannot be made (${code}): name a file that is not there.`,
    );
    return err(EXIT.usage);
  }
  let isKept = false;
  process.once('exit', () => {
    if (!isKept) rmSync(keyOut, { force: true });
  });
  return ok({
    keep: (key) => {
      if (key.api_key !== null) {
        writeSync(file, `${key.api_key}\n`);
        isKept = true;
      }
      closeSync(file);
      return { ...key, api_key: null };
    },
    exit: () => {
      if (isKept) return EXIT.done;
      session.note('The service shows a key once only, and had shown this one before: rotate it.');
      return EXIT.done;
    },
  });
}
