import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';
import { findBinaries, type Binaries } from './binaries.js';
import { DATABASE_NAME, DATABASE_ROLE, ensureCluster } from './cluster.js';
import { attach, leave, type Keeper } from './keeper.js';
import {
  endOrphans,
  isAlive,
  isPostmasterOf,
  readPostmasterFile,
  removeForeignPostmasterFile,
  stopPostmaster,
  type PostmasterFile,
} from './postmaster.js';
import { SOCKET_PORT, socketFolder } from './socket-folder.js';
import { canEnter, databaseUser, ownerOf, type SystemUser } from './system-user.js';

export const EMBEDDED_START_TIMEOUT_MS = 60_000;
/** The service and the authority beside it take about 40 together; several services may share one folder. */
export const EMBEDDED_MAX_CONNECTIONS = 200;
/** How long a living postmaster may be without a socket (somebody cleaned the folder) before it is started anew. */
const SILENCE_TIMEOUT_MS = 3_000;
/** How long processes of a dead postmaster may take to notice it; then they are ended. */
const ORPHANS_TIMEOUT_MS = 3_000;
const POLL_MS = 25;
const REVIVE_PAUSE_MS = 1_000;
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
/** What PostgreSQL says of processes that outlived their postmaster. */
const ORPHANS = /pre-existing shared memory/i;
/** Words of a refused start that pass by themselves: another start is a moment ahead, or children of a killed one still end. */
const PASSING = /lock file|pre-existing shared memory|is another postmaster|still in use/i;

export interface EmbeddedOptions {
  readonly dataFolder: string;
  /** Receives one line on what the operator should know: adoption, a restart after a loss. */
  readonly report?: (line: string) => void;
}

export interface EmbeddedServer {
  readonly connectionString: string;
  readonly postmasterPid: () => number;
  /** Resolves, with a line for the operator, when the data folder is gone: nothing can be served from it any more. */
  readonly gone: Promise<string>;
  /** Stops the server if no other process uses it; otherwise leaves it to the last one. */
  close(): Promise<void>;
}

interface Site {
  readonly dataFolder: string;
  readonly clusterFolder: string;
  readonly socketFolder: string;
  readonly logFile: string;
  readonly user: SystemUser | null;
  readonly binaries: Binaries;
  readonly report: (line: string) => void;
}

interface Running {
  readonly pid: number;
  readonly socketFolder: string;
  readonly keeper: Keeper;
}

/**
 * A real PostgreSQL of our own over `dataFolder`, reachable only through a socket in a 0700 folder.
 *
 * Survives the kill of everything: a server that outlived its service is used again, a dead one is started and
 * recovers. Any number of processes may use one folder at once; the last to close stops the server. When the server
 * is lost while in use, each user sees its connections fail and one of them starts it again.
 * The folder belongs to one machine at a time: two machines or two pid namespaces over one folder are not detected.
 *
 * Throws StartRefused, one line, when the folder or the programs cannot be used.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const site = prepare(options);
  let running = await ensureRunning(site);
  let closing = false;
  let reviving: Promise<void> = Promise.resolve();
  let tellGone: (line: string) => void = () => undefined;
  const gone = new Promise<string>((resolve) => (tellGone = resolve));

  const watch = (): void => {
    void running.keeper.lost.then(() => {
      if (!closing) reviving = revive();
    });
  };
  const revive = async (): Promise<void> => {
    site.report('The embedded PostgreSQL was lost; it is looked for and started again.');
    while (!closing) {
      if (isGone(site)) {
        tellGone(
          `DATA_DIR ${site.dataFolder} is gone, and the ledger with it: the service stops; the next start is a fresh one.`,
        );
        return;
      }
      try {
        running = await ensureRunning(site);
        watch();
        return;
      } catch (error) {
        site.report(messageOf(error));
        await sleep(REVIVE_PAUSE_MS, undefined, { ref: false });
      }
    }
  };
  watch();

  return {
    connectionString: connectionString(running.socketFolder),
    postmasterPid: () => running.pid,
    gone,
    close: async () => {
      closing = true;
      await reviving;
      await depart(running, site);
    },
  };
}

/** Somebody deleted the folder, or what is in it: every cluster has this file from its first moment to its last. */
const isGone = ({ clusterFolder }: Site): boolean => !existsSync(join(clusterFolder, 'PG_VERSION'));

/** The string every PostgreSQL client understands; no password, because only the folder's owner reaches the socket. */
const connectionString = (folder: string): string =>
  `postgresql://${DATABASE_ROLE}@localhost:${SOCKET_PORT}/${DATABASE_NAME}?host=${encodeURIComponent(folder)}&sslmode=disable`;

function prepare(options: EmbeddedOptions): Site {
  const dataFolder = realpathSync(options.dataFolder);
  const clusterFolder = join(dataFolder, 'postgres');
  const user = databaseUser(clusterFolder);
  refuseForeignFolder(clusterFolder, user);
  if (!canEnter(user, dataFolder)) {
    throw new StartRefused(
      `DATA_DIR ${dataFolder} cannot be entered by the user that runs PostgreSQL (uid ${user?.uid ?? process.getuid?.()}): open its parent folders for entering (chmod o+x), or choose another DATA_DIR.`,
    );
  }
  const cacheFolder =
    process.getuid?.() === 0 ? '/var/cache/commerce-arbiter' : join(dataFolder, 'programs');
  const binaries = findBinaries({ user, cacheFolder });
  try {
    ensureCluster({ folder: clusterFolder, user, binaries });
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(
      `DATA_DIR ${dataFolder} cannot be used (${codeOf(error) ?? messageOf(error)}): make it writable for uid ${process.getuid?.()}, or choose another DATA_DIR.`,
    );
  }
  return {
    dataFolder,
    clusterFolder,
    socketFolder: socketFolder(dataFolder, user),
    logFile: join(dataFolder, 'postgres.log'),
    user,
    binaries,
    report: options.report ?? (() => undefined),
  };
}

function refuseForeignFolder(clusterFolder: string, user: SystemUser | null): void {
  const owner = ownerOf(clusterFolder);
  const self = user?.uid ?? process.getuid?.();
  if (owner !== null && owner.uid !== self) {
    throw new StartRefused(
      `${clusterFolder} belongs to uid ${owner.uid}, but PostgreSQL would run as uid ${self}: start as the user that made it, chown it, or choose another DATA_DIR.`,
    );
  }
}

async function ensureRunning(site: Site): Promise<Running> {
  const deadline = performance.now() + EMBEDDED_START_TIMEOUT_MS;
  const silence = { pid: 0, sinceMs: 0 };
  let attempt: Attempt | null = null;
  let reason = 'it did not start';
  let orphansSinceMs = Infinity;
  while (performance.now() < deadline) {
    const file = readPostmasterFile(site.clusterFolder);
    if (file !== null && isPostmasterOf(file.pid, site.clusterFolder)) {
      const folder = file.socketFolder ?? site.socketFolder;
      const attachment = await attach(folder, site.clusterFolder);
      if (attachment.kind === 'attached')
        return { pid: file.pid, socketFolder: folder, keeper: attachment.keeper };
      reason = attachment.reason;
      if (attachment.kind === 'silent') await endSilence(file.pid, silence, site);
      else silence.pid = 0;
    } else if (attempt === null || attempt.hasEnded()) {
      if (attempt !== null) {
        reason = attempt.refuseUnlessPassing();
        if (ORPHANS.test(reason)) orphansSinceMs = endOrphansSince(orphansSinceMs, site);
      }
      if (file !== null && isAlive(file.pid)) removeForeignFileOf(site, file);
      attempt = launch(site);
    }
    await sleep(POLL_MS);
  }
  throw new StartRefused(
    `The embedded PostgreSQL in ${site.clusterFolder} is not ready after ${EMBEDDED_START_TIMEOUT_MS / 1000} s (${reason}): read ${site.logFile}.`,
  );
}

/**
 * Whoever waits for a lock of a killed process waits forever, and nobody starts while it lives. Answers since when there
 * are orphans.
 */
function endOrphansSince(sinceMs: number, site: Site): number {
  const nowMs = performance.now();
  if (nowMs - Math.min(sinceMs, nowMs) < ORPHANS_TIMEOUT_MS) return Math.min(sinceMs, nowMs);
  const count = endOrphans(site.clusterFolder);
  if (count > 0)
    site.report(`Processes of a PostgreSQL that was killed did not end; they are ended: ${count}.`);
  return sinceMs;
}

function removeForeignFileOf(site: Site, file: PostmasterFile): void {
  site.report(
    `A stale postmaster.pid names process ${file.pid}, which is another program; it is set aside.`,
  );
  removeForeignPostmasterFile(site.clusterFolder, file);
}

async function endSilence(
  pid: number,
  silence: { pid: number; sinceMs: number },
  site: Site,
): Promise<void> {
  if (silence.pid !== pid) {
    silence.pid = pid;
    silence.sinceMs = performance.now();
  }
  if (performance.now() - silence.sinceMs < SILENCE_TIMEOUT_MS) return;
  site.report(
    `The PostgreSQL process ${pid} of this data folder does not answer; it is stopped and started anew.`,
  );
  if (!(await stopPostmaster(pid, site.clusterFolder))) {
    throw new StartRefused(
      `The PostgreSQL process ${pid} of ${site.clusterFolder} neither answers nor stops: end it by hand.`,
    );
  }
}

interface Attempt {
  hasEnded(): boolean;
  /** What this start said when it gave up; throws StartRefused when trying again cannot help. */
  refuseUnlessPassing(): string;
}

function launch(site: Site): Attempt {
  if (existsSync(site.logFile) && statSync(site.logFile).size > LOG_LIMIT_BYTES)
    truncateSync(site.logFile);
  const log = openSync(site.logFile, 'a', 0o600);
  const logStart = statSync(site.logFile).size;
  let failure: Error | null = null;
  const child: ChildProcess = spawn(site.binaries.postgres, serverArguments(site), {
    // A session of its own: Ctrl-C in the terminal reaches the service, which drains before it stops the server.
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
    ...(site.user ?? {}),
  });
  closeSync(log);
  child.on('error', (error) => (failure = error));
  child.unref();
  return {
    hasEnded: () => failure !== null || child.exitCode !== null || child.signalCode !== null,
    refuseUnlessPassing: () => {
      const said =
        failure?.message ?? readFileSync(site.logFile).subarray(logStart).toString('utf8');
      const fatal =
        said.split('\n').find((line) => /FATAL|PANIC|cannot|error/i.test(line)) ??
        said.slice(0, 200);
      if (PASSING.test(said)) return fatal;
      throw new StartRefused(
        `The embedded PostgreSQL in ${site.clusterFolder} does not start (${fatal.trim() || `exit code ${child.exitCode}`}): read ${site.logFile}.`,
      );
    },
  };
}

/** Given on the command line, so that what a human edits in the folder cannot make a commit less durable. */
function serverArguments(site: Site): string[] {
  const settings = {
    listen_addresses: '',
    port: SOCKET_PORT,
    unix_socket_directories: site.socketFolder,
    unix_socket_permissions: '0700',
    max_connections: EMBEDDED_MAX_CONNECTIONS,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // LOG, FATAL and PANIC only: an ERROR line would quote the data of the statement that failed.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
  return [
    '-D',
    site.clusterFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function depart(running: Running, site: Site): Promise<void> {
  let last = true;
  try {
    last = await leave(running.keeper);
  } catch {
    // The connection broke while we left: the server is gone or going; stopPostmaster looks.
  }
  if (last) await stopPostmaster(running.pid, site.clusterFolder);
  await running.keeper.client.end().catch(() => undefined);
}
