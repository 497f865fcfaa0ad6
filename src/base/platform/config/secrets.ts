import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';
import { SECRET_KEY_BYTES } from './settings.js';

/**
 * The secrets that this installation made for itself: one file each, 0600, in a folder 0700.
 * Making is atomic: a whole file is written beside and linked to its name, so that two processes that start together
 * agree on the one that came first, and a kill never leaves half a secret.
 */
export class SecretFiles {
  constructor(private readonly folder: string) {}

  /** The secret, or null when it was never made. Throws StartRefused when others may read it or it cannot be read. */
  read(name: string): string | null {
    const path = join(this.folder, name);
    try {
      refuseShared(this.folder, '0700');
      refuseShared(path, '0600');
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw refusal(path, error);
    }
  }

  /** The secret; made now when there is none. */
  readOrMake(name: string): string {
    return this.read(name) ?? this.make(name);
  }

  private make(name: string): string {
    const path = join(this.folder, name);
    const draft = `${path}.${randomUUID()}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      refuseShared(this.folder, '0700');
      writeDurably(draft, `${randomBytes(SECRET_KEY_BYTES).toString('hex')}\n`);
      linkSync(draft, path);
      syncFolder(dirname(path));
    } catch (error) {
      // EEXIST: another process made it a moment before; its secret is the one.
      if (codeOf(error) !== 'EEXIST') throw refusal(path, error);
    } finally {
      rmSync(draft, { force: true });
    }
    const made = this.read(name);
    if (made === null) throw refusal(path, 'it vanished while it was made');
    return made;
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** INVARIANT: a secret that another user of the machine could have read is not used. */
function refuseShared(path: string, mode: '0600' | '0700'): void {
  if ((lstatSync(path).mode & 0o077) === 0) return;
  throw new StartRefused(
    `${path} can be read by other users: chmod ${mode} it, and renew the secret if they are not trusted.`,
  );
}

function refusal(path: string, error: unknown): StartRefused {
  if (error instanceof StartRefused) return error;
  return new StartRefused(
    `The secret ${path} cannot be used (${messageOf(error)}): make it readable for this user, or give it by its environment variable.`,
  );
}
