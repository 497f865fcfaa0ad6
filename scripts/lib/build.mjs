import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

const DIST = join(ROOT, 'dist');
const STAMP_NAME = '.sources';
const TEST_CACHE = join(ROOT, 'node_modules', '.cache', 'commerce-arbiter');
const TEST_CACHE_KEPT_MS = 60 * 60 * 1000;

/** Compiles src to dist unless dist was made from exactly these sources. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withLock(join(ROOT, '.setup.lock'), () => {
    if (isBuilt()) return;
    const draft = `${DIST}.${randomUUID().slice(0, 8)}`;
    compile(draft);
    const old = `${draft}.old`;
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(draft, DIST);
    rmSync(old, { recursive: true, force: true });
  });
}

/** Compiled sources for tests that need processes of their own: a folder that no later build touches. */
export function compiledForTests() {
  const folder = join(TEST_CACHE, sourcesHash());
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${randomUUID().slice(0, 8)}`;
  mkdirSync(TEST_CACHE, { recursive: true });
  compile(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another test compiled the same sources a moment before.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  for (const name of readdirSync(TEST_CACHE)) {
    const path = join(TEST_CACHE, name);
    // Another test's draft may become a folder, or go, at this moment.
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (path !== folder && Date.now() - changedMs > TEST_CACHE_KEPT_MS)
      rmSync(path, { recursive: true, force: true });
  }
  return folder;
}

function isBuilt() {
  const stamp = join(DIST, STAMP_NAME);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash();
}

function compile(folder) {
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const options = ['src', '--out-dir', folder, '--strip-leading-paths'];
  const child = spawnSync(process.execPath, [swc, ...options], { cwd: ROOT, encoding: 'utf8' });
  if (child.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Refusal(`The sources cannot be compiled:\n${child.stdout}${child.stderr}`);
  }
  writeFileSync(join(folder, STAMP_NAME), sourcesHash());
}

/** Over path and bytes of every source, the compiler's settings and the packages. */
function sourcesHash() {
  const hash = createHash('sha256');
  for (const path of [
    ...filesBelow(join(ROOT, 'src')),
    join(ROOT, '.swcrc'),
    join(ROOT, 'package-lock.json'),
  ]) {
    hash
      .update(`${path.slice(ROOT.length)}\n`)
      .update(createHash('sha256').update(readFileSync(path)).digest('hex'));
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath ?? dirname(entry.path), entry.name))
    .sort();
}
