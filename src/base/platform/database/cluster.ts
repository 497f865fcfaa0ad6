import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, StartRefused } from '../start-refused.js';
import type { Binaries } from './binaries.js';
import { isAlive } from './postmaster.js';
import type { SystemUser } from './system-user.js';

/** Owner of the application's database: no superuser, so that migrations may do only what a given database allows. */
export const DATABASE_ROLE = 'arbiter';
export const DATABASE_NAME = 'arbiter';
export const SUPERUSER = 'postgres';
export const POSTGRES_MAJOR = '18';

export interface ClusterPlace {
  readonly folder: string;
  readonly user: SystemUser | null;
  readonly binaries: Binaries;
}

const draftsOfThisProcess = new Set<string>();

/**
 * Makes the cluster in `folder` once: UTF-8, data checksums, one collation everywhere (the builtin C.UTF-8), role and
 * database inside. It is made in a draft beside and renamed, so that the folder is whole or not there at all, whatever
 * is killed meanwhile; of two processes at once one rename wins and the other draft is thrown away.
 */
export function ensureCluster(place: ClusterPlace): void {
  removeAbandonedDrafts(place.folder);
  if (!existsSync(join(place.folder, 'PG_VERSION'))) makeCluster(place);
  if (!existsSync(join(place.folder, 'PG_VERSION'))) {
    throw new StartRefused(
      `${place.folder} is not empty and holds no PostgreSQL cluster: empty it, or choose another DATA_DIR.`,
    );
  }
  const version = readFileSync(join(place.folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== POSTGRES_MAJOR) {
    throw new StartRefused(
      `${place.folder} was written by PostgreSQL ${version}, this build brings ${POSTGRES_MAJOR}: dump and load it into another DATA_DIR, or set DATABASE_URL to a PostgreSQL ${version}.`,
    );
  }
}

function makeCluster(place: ClusterPlace): void {
  const draft = `${place.folder}.draft-${process.pid}-${randomUUID().slice(0, 8)}`;
  draftsOfThisProcess.add(draft);
  try {
    mkdirSync(draft, { mode: 0o700 });
    if (place.user) chownSync(draft, place.user.uid, place.user.gid);
    initialise(draft, place);
    createDatabase(draft, place);
    publish(draft, place.folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    draftsOfThisProcess.delete(draft);
  }
}

function initialise(draft: string, place: ClusterPlace): void {
  const names = ['--pgdata', draft, '--username', SUPERUSER, '--auth', 'trust'];
  const text = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin'];
  run(place, [
    place.binaries.initdb,
    ...names,
    ...text,
    '--builtin-locale',
    'C.UTF-8',
    '--data-checksums',
  ]);
}

function createDatabase(draft: string, place: ClusterPlace): void {
  const statements = [
    `CREATE ROLE ${DATABASE_ROLE} LOGIN CREATEDB`,
    `CREATE DATABASE ${DATABASE_NAME} OWNER ${DATABASE_ROLE}`,
  ];
  const input = statements.map((statement) => `${statement};\n`).join('');
  run(place, [place.binaries.postgres, '--single', '-D', draft, 'postgres'], input);
}

function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was first: its folder is whole, because it came by the same rename.
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return;
    throw error;
  }
  const parent = openSync(dirname(folder), 'r');
  fsyncSync(parent);
  closeSync(parent);
}

/** Drafts of processes that died while they made a cluster. */
function removeAbandonedDrafts(folder: string): void {
  const prefix = `${basename(folder)}.draft-`;
  for (const name of readdirSync(dirname(folder)).filter((entry) => entry.startsWith(prefix))) {
    const draft = join(dirname(folder), name);
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    const inUse = pid === process.pid ? draftsOfThisProcess.has(draft) : isAlive(pid);
    if (!inUse) rmSync(draft, { recursive: true, force: true });
  }
}

function run(place: ClusterPlace, command: readonly string[], input = ''): void {
  const [program = '', ...args] = command;
  const child = spawnSync(program, args, {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    input,
    encoding: 'utf8',
    ...(place.user ?? {}),
  });
  const complaint =
    child.stderr?.split('\n').find((line) => /error|fatal|panic|cannot open/i.test(line)) ?? '';
  if (child.error || child.status !== 0 || complaint !== '') {
    const reason = child.error ? messageOf(child.error) : complaint || `exit code ${child.status}`;
    throw new StartRefused(
      `The embedded PostgreSQL could not be set up in ${place.folder} (${basename(program)}: ${reason.trim()}): repair that, choose another DATA_DIR, or set DATABASE_URL.`,
    );
  }
}
