import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

const STAMP = join(ROOT, 'node_modules', '.arbiter-installed');
const NETWORK_WORDS =
  /ENOTFOUND|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/i;

/** Installs from the lock file unless what stands in node_modules fits it already. Offline when it fits. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(join(ROOT, '.setup.lock'), () => {
    // Another process may have installed while this one waited.
    if (!isInstalled()) install();
  });
}

export function isInstalled() {
  const wanted = stampText();
  if (read(STAMP) === wanted) return true;
  if (!fitsLock()) return false;
  writeStamp(wanted);
  return true;
}

/** An install that somebody made by hand: npm's own list of it holds every package of the lock at its version. */
function fitsLock() {
  const installed = parse(read(join(ROOT, 'node_modules', '.package-lock.json')))?.packages;
  const wanted = parse(read(join(ROOT, 'package-lock.json')))?.packages;
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    if (installed[path]) return installed[path].version === entry.version;
    return entry.optional === true && (!isForAMachine(entry) || !isForThisMachine(entry));
  });
}

/** An optional package that names no machine hangs below one that does, and npm leaves it out with it. */
function isForAMachine(entry) {
  return Boolean(entry.os ?? entry.cpu ?? entry.libc);
}

function isForThisMachine(entry) {
  const allows = (list, name) => !list || list.includes(name);
  // glibc is what this tells apart from musl: npm leaves out the packages of the other.
  const libc = process.report?.getReport?.().header?.glibcVersionRuntime ? 'glibc' : 'musl';
  return (
    allows(entry.os, process.platform) &&
    allows(entry.cpu, process.arch) &&
    (process.platform !== 'linux' || allows(entry.libc, libc))
  );
}

function install() {
  refuseUnwritable();
  console.error('Installing the packages of package-lock.json (once) ...');
  const cache = cacheFolder();
  const program = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--progress=false',
  ];
  const child = spawnSync(
    program[0],
    [...program.slice(1), ...options, ...(cache ? ['--cache', cache] : [])],
    {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  if (cache) rmSync(cache, { recursive: true, force: true });
  if (child.error)
    throw new Refusal(`npm cannot be run (${child.error.code}): install npm beside Node.`);
  if (child.status !== 0) throw new Refusal(explain(child.stderr));
  writeStamp(stampText());
}

function explain(output) {
  const line =
    output
      .split('\n')
      .find((text) => /^npm (error|ERR!)/.test(text) && !/^npm (error|ERR!) code/.test(text)) ?? '';
  const said = line.replace(/^npm (error|ERR!)\s*/, '').trim();
  if (NETWORK_WORDS.test(output))
    return `The package registry cannot be reached (${said}): check the network and npm's proxy and registry settings, then try again.`;
  return `npm ci failed: ${output.trim() || 'no message'}`;
}

function refuseUnwritable() {
  try {
    accessSync(ROOT, constants.W_OK);
  } catch (error) {
    throw new Refusal(
      `The folder ${ROOT} cannot be written (${error.code}), and its packages are not installed: make it writable for this user.`,
    );
  }
}

/** A cache of its own when there is no home to keep npm's in; null = npm's default. */
function cacheFolder() {
  if (process.env.npm_config_cache && isWritable(process.env.npm_config_cache)) return null;
  const home = process.env.HOME === '' ? '' : homedir();
  return home !== '' && isWritable(home) ? null : mkdtempSync(join(tmpdir(), 'arbiter-npm-'));
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function stampText() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  return `${lock} ${process.platform}-${process.arch} ${process.versions.modules}\n`;
}

function writeStamp(text) {
  try {
    writeFileSync(STAMP, text);
  } catch {
    // Somebody else's folder that fits: it is compared again the next time.
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function parse(text) {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
