import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What postmaster.pid says. Lines: pid, data folder, start (s), port, socket folder, TCP address, memory key, status. */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketFolder: string | null;
  readonly text: string;
}

const STOP_FAST_MS = 30_000;
const STOP_AT_ONCE_MS = 10_000;
const POLL_MS = 20;

export function readPostmasterFile(clusterFolder: string): PostmasterFile | null {
  const path = join(clusterFolder, 'postmaster.pid');
  if (!existsSync(path)) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  const socketFolder = lines[4]?.trim() ?? '';
  return { pid, socketFolder: socketFolder === '' ? null : socketFolder, text };
}

/**
 * Whether `pid` lives and is the postmaster of exactly this folder. A pid that was given to another program since, a
 * postmaster of another folder and a dead process that nobody collected are all "no".
 */
export function isPostmasterOf(pid: number, clusterFolder: string): boolean {
  if (process.platform === 'linux') {
    try {
      const program = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (basename(program[0] ?? '') !== 'postgres') return false;
      return program.includes(clusterFolder) || readlinkSync(`/proc/${pid}/cwd`) === clusterFolder;
    } catch {
      return false;
    }
  }
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(clusterFolder);
  } catch {
    return false;
  }
}

/** Whether any process has this pid. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Takes away a postmaster.pid whose pid now belongs to a program that is not our postmaster; PostgreSQL itself only
 * replaces files of dead processes. Renamed first and compared: a file written meanwhile by another start is put back.
 */
export function removeForeignPostmasterFile(clusterFolder: string, seen: PostmasterFile): void {
  const path = join(clusterFolder, 'postmaster.pid');
  const aside = join(clusterFolder, `postmaster.pid.foreign-${process.pid}`);
  renameSync(path, aside);
  if (readFileSync(aside, 'utf8') !== seen.text && !existsSync(path)) linkSync(aside, path);
  rmSync(aside);
}

/** Stops a postmaster: fast shutdown (SIGINT), then immediate shutdown (SIGQUIT). False when it lives through both. */
export async function stopPostmaster(pid: number, clusterFolder: string): Promise<boolean> {
  for (const [signal, patienceMs] of [
    ['SIGINT', STOP_FAST_MS],
    ['SIGQUIT', STOP_AT_ONCE_MS],
  ] as const) {
    if (!isPostmasterOf(pid, clusterFolder)) return true;
    signalIfAlive(pid, signal);
    if (await waitUntilGone(pid, clusterFolder, patienceMs)) return true;
  }
  return false;
}

export async function waitUntilGone(
  pid: number,
  clusterFolder: string,
  patienceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (!isPostmasterOf(pid, clusterFolder)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * Kills the processes of this folder whose postmaster is dead, and says how many. Safe: without a postmaster they serve
 * nobody, and the next start recovers from the log alone. Only on Linux; elsewhere it finds none.
 */
export function endOrphans(clusterFolder: string): number {
  if (process.platform !== 'linux') return 0;
  const orphans = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && isOrphanOf(pid, clusterFolder));
  for (const pid of orphans) signalIfAlive(pid, 'SIGKILL');
  return orphans.length;
}

function isOrphanOf(pid: number, clusterFolder: string): boolean {
  try {
    // A postmaster keeps its command line; its children call themselves `postgres: what they do`.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ')) return false;
    if (readlinkSync(`/proc/${pid}/cwd`) !== clusterFolder) return false;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return !isPostmasterOf(Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]), clusterFolder);
  } catch {
    return false;
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It went between the look and the signal; the caller looks again.
  }
}
