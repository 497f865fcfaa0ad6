import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';
import { canEnter, type SystemUser } from './system-user.js';

/** The kernel's limit of a socket path: 108 bytes with the closing zero on Linux, 104 on macOS; the lower holds. */
export const SOCKET_PATH_LIMIT_BYTES = 103;
export const SOCKET_PORT = 5432;
const SOCKET_NAME_BYTES = `/.s.PGSQL.${SOCKET_PORT}`.length;
/** PostgreSQL splits its list of socket folders at commas and reads quotes; such a path goes the short way. */
const PLAIN_PATH = /^[A-Za-z0-9/._-]+$/;

/**
 * The 0700 folder of the server's socket: `run` in the data folder, or, when that path is too long for a socket, a
 * short folder under the temporary one that is keyed by the data folder. Owned by the user PostgreSQL runs as:
 * whoever can enter it may become any database role, so a folder of somebody else is refused.
 */
export function socketFolder(dataFolder: string, user: SystemUser | null): string {
  const near = join(dataFolder, 'run');
  const fits =
    Buffer.byteLength(near) + SOCKET_NAME_BYTES <= SOCKET_PATH_LIMIT_BYTES && PLAIN_PATH.test(near);
  if (fits) return ownFolder(near, user);
  const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const parent = [tmpdir(), '/tmp'].find(
    (folder) =>
      PLAIN_PATH.test(folder) &&
      Buffer.byteLength(folder) + 32 + SOCKET_NAME_BYTES <= SOCKET_PATH_LIMIT_BYTES &&
      canEnter(user, folder),
  );
  return ownFolder(join(parent ?? '/tmp', `arbiter-${key}`), user);
}

function ownFolder(folder: string, user: SystemUser | null): string {
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (user) chownSync(folder, user.uid, user.gid);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw new StartRefused(
        `The folder ${folder} for the database's socket cannot be made (${messageOf(error)}): make its parent writable, or choose another DATA_DIR.`,
      );
    }
  }
  const self = process.getuid?.() ?? 0;
  const found = lstatSync(folder);
  const wanted = user?.uid ?? self;
  if (!found.isDirectory() || (found.uid !== wanted && found.uid !== self)) {
    throw new StartRefused(
      `${folder} belongs to somebody else (uid ${found.uid}), so the database's socket would not be private: remove it, or choose another DATA_DIR.`,
    );
  }
  if (found.uid !== wanted && user) chownSync(folder, user.uid, user.gid);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}
