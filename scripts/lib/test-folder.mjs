import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';

// All of it without a wait that gives way: it also runs while a process exits, where nothing later would.

export const TEST_FOLDER_PREFIX = 'arbiter-test-';

const STOP_AT_ONCE_MS = 10_000;
const KILL_MS = 5_000;
const POLL_MS = 20;

/** A folder for the temporary files of one run; other users may enter it, as PostgreSQL is one of them under root. */
export function makeTestFolder() {
  const folder = mkdtempSync(join(tmpdir(), `${TEST_FOLDER_PREFIX}${process.pid}-`));
  chmodSync(folder, 0o711);
  return folder;
}

export function removeTestFolder(folder) {
  endProcessesOf(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

export function removeAbandonedTestFolders() {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(TEST_FOLDER_PREFIX))) {
    const pid = Number(name.slice(TEST_FOLDER_PREFIX.length).split('-')[0]);
    if (Number.isSafeInteger(pid) && pid > 1 && !isAlive(pid))
      removeTestFolder(join(tmpdir(), name));
  }
}

/**
 * First those that would start a lost PostgreSQL again. PostgreSQL itself gets SIGQUIT: it ends at once and takes its
 * shared memory and its own children along, which after a SIGKILL would stay.
 */
function endProcessesOf(folder) {
  // The end of the name is drawn: what names it, as it is or escaped in a URL, belongs to this run.
  const name = basename(folder);
  signalAll(
    processesOf(name).filter(({ isPostgres }) => !isPostgres),
    'SIGKILL',
  );
  signalAll(
    processesOf(name).filter(({ isPostmaster }) => isPostmaster),
    'SIGQUIT',
  );
  if (waitUntilNone(name, STOP_AT_ONCE_MS)) return;
  signalAll(processesOf(name), 'SIGKILL');
  waitUntilNone(name, KILL_MS);
}

function signalAll(processes, signal) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // It went between the look and the signal.
    }
  }
}

function waitUntilNone(name, patienceMs) {
  const deadlineMs = performance.now() + patienceMs;
  while (processesOf(name).length > 0) {
    if (performance.now() > deadlineMs) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  return true;
}

/** PostgreSQL over a folder of this name, and what was started with the name in its environment; never this process. */
function processesOf(name) {
  const found = process.platform === 'linux' ? fromProc(name) : fromPs(name);
  return found.filter(({ pid }) => pid > 1 && pid !== process.pid);
}

function fromProc(name) {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => {
      const command = textOf(() => readFileSync(`/proc/${entry}/cmdline`, 'utf8'));
      const found = describe(Number(entry), command.replaceAll('\0', ' '));
      // Somebody who only looks at the folder, in a shell that stands in it, is left alone.
      const named = found.isPostgres
        ? command + textOf(() => readlinkSync(`/proc/${entry}/cwd`))
        : textOf(() => readFileSync(`/proc/${entry}/environ`, 'utf8'));
      return named.includes(name) ? found : null;
    })
    .filter((found) => found !== null);
}

function fromPs(name) {
  const { stdout } = spawnSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(name))
    .map((line) => describe(Number.parseInt(line, 10), line.trim().replace(/^\d+ +/, '')));
}

/** A postmaster keeps its command line; its children call themselves `postgres: what they do`. */
function describe(pid, command) {
  const isChild = command.startsWith('postgres: ');
  const isPostmaster = !isChild && /^\S*postgres -D /.test(command);
  return { pid, isPostgres: isChild || isPostmaster, isPostmaster };
}

function textOf(read) {
  try {
    return read();
  } catch {
    // Gone meanwhile, or somebody else's.
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
