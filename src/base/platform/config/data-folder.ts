import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { canEnter, databaseUser, nearestExisting } from '../database/system-user.js';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';

/** Where root keeps the data of a checkout that the database's user cannot reach. */
export const ROOT_DATA_PARENT = '/var/lib/commerce-arbiter';

export interface DataFolderWish {
  /** DATA_DIR, or null when it was not given. */
  readonly given: string | null;
  readonly packageRoot: string;
  /** Whether PostgreSQL shall live in it. */
  readonly holdsDatabase: boolean;
  readonly report: (line: string) => void;
}

/**
 * The absolute data folder, made and writable. Without DATA_DIR it is `.data` beside package.json; as root, when the
 * unprivileged user of PostgreSQL cannot enter that (a checkout under a 0700 home), a folder under ROOT_DATA_PARENT
 * that is keyed by the path, said in one line. Throws StartRefused.
 */
export const dataFolder = (wish: DataFolderWish): string => made(existingDataFolder(wish));

/** The same folder, only named: nothing is made, and whether it is there is the caller's to see. */
export function existingDataFolder(wish: DataFolderWish): string {
  if (wish.given !== null) return resolve(wish.given);
  const near = join(wish.packageRoot, '.data');
  const cluster = join(near, 'postgres');
  if (!wish.holdsDatabase || canEnter(databaseUser(cluster), nearestExisting(near))) return near;
  if (existsSync(cluster)) {
    throw new StartRefused(
      `${near} holds a database, but the user that runs PostgreSQL can no longer enter it: open its parent folders for entering (chmod o+x), or move it and set DATA_DIR.`,
    );
  }
  const key = createHash('sha256').update(near).digest('hex').slice(0, 12);
  const far = join(ROOT_DATA_PARENT, key);
  wish.report(
    `The data is kept in ${far}: PostgreSQL does not run as root, and its user cannot enter ${wish.packageRoot}.`,
  );
  return far;
}

function made(folder: string): string {
  try {
    // Entered by the database's user when this process is root; what is secret in it has folders of its own.
    makeFolders(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw new StartRefused(
      `DATA_DIR ${folder} cannot be used (${messageOf(error)}): make it writable for this user, or set DATA_DIR to another folder.`,
    );
  }
}

/** Step by step from the top: the recursive form of mkdir never returns where a parent exists and refuses with ENOENT. */
function makeFolders(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
