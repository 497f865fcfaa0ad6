import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../start-refused.js';

/** The unprivileged user that PostgreSQL runs as when this process is root, which PostgreSQL refuses to be. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', 'nobody'] as const;

/**
 * Who shall own `folder` and run PostgreSQL over it; null = this process's own user.
 * As root: the owner of the folder when it exists (so that a folder first used by an ordinary user keeps working),
 * otherwise `postgres`, otherwise `nobody`. No user is ever created.
 */
export function databaseUser(folder: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = ownerOf(folder);
  if (owner !== null && owner.uid !== 0) return owner;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of CANDIDATES) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined)
      return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  return { uid: 65534, gid: 65534 };
}

/** Owner of a path, or null when there is nothing at it. */
export function ownerOf(path: string): SystemUser | null {
  try {
    const { uid, gid } = statSync(path);
    return { uid, gid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Whether `user` may enter `folder`: asked of the kernel by a real child of that user, not computed from mode bits. */
export function canEnter(user: SystemUser | null, folder: string): boolean {
  const child = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    cwd: '/',
    env: {},
    stdio: 'ignore',
    ...(user ?? {}),
  });
  return child.status === 0;
}

/** The nearest folder on the way up from `path` that exists. */
export function nearestExisting(path: string): string {
  let folder = path;
  while (ownerOf(folder) === null && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
