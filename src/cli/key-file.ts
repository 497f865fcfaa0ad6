import { readFileSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../core/kernel/index.js';

/** Largest file that is read for a key, in bytes. */
const KEY_FILE_BYTES_MAX = 4_096;
const KEY = /^[\x21-\x7e]{8,300}$/;

export interface FoundKey {
  readonly apiKey: string;
  /** What the person at the terminal should know; null: nothing. */
  readonly warning: string | null;
}

/**
 * The key in a file, or from standard input for `-`; space around it is left out. A file that others can read is used
 * and warned about: whoever could read it may hold the key already. Failures: unreadable, too large, no key.
 */
export function readKeyFile(path: string): Result<FoundKey, string> {
  try {
    const isInput = path === '-';
    const { size, mode } = isInput ? { size: 0, mode: 0 } : statSync(path);
    if (size > KEY_FILE_BYTES_MAX) return err(`${path} is larger than a key.`);
    const apiKey = readFileSync(isInput ? 0 : path, 'utf8').trim();
    if (!KEY.test(apiKey)) return err(`${path} holds no key: one line of visible characters.`);
    const isShared = (mode & 0o077) !== 0;
    const warning = `${path} can be read by other users of this machine: chmod 0600 it, and renew the key if they are not trusted.`;
    return ok({ apiKey, warning: isShared ? warning : null });
  } catch (error) {
    return err(`${path} cannot be read (${codeOf(error)}).`);
  }
}

/** A key that was given as text. */
export const readKey = (text: string): Result<FoundKey, string> =>
  KEY.test(text)
    ? ok({ apiKey: text, warning: null })
    : err('holds no key: 8 to 300 visible characters without space.');

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
