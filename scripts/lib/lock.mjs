import { linkSync, readFileSync, rmSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { Refusal } from './refusal.mjs';

const POLL_MS = 100;
const PATIENCE_MS = 10 * 60 * 1000;
/** A wait that is noticed is explained. */
const SILENCE_MS = 1000;

/** Runs `work` while no other process holds the lock file `path`. A lock of a dead process is taken over. */
export async function withLock(path, work) {
  const mine = `${process.pid} ${randomUUID()}`;
  const began = Date.now();
  let isSilent = true;
  while (!tryLock(path, mine)) {
    takeAwayIfDead(path);
    const waitedMs = Date.now() - began;
    if (isSilent && waitedMs > SILENCE_MS) {
      console.error('Waiting for another process that installs or builds here ...');
      isSilent = false;
    }
    if (waitedMs > PATIENCE_MS)
      throw new Refusal(`${path} is held for ten minutes: end that process, or remove the file.`);
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if (read(path) === mine) rmSync(path, { force: true });
  }
}

/** The file appears whole (written beside, then linked), so that a reader never sees it without its owner. */
function tryLock(path, mine) {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, mine);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Refusal(
      `The folder of ${path} cannot be written (${error.code}): make it writable for this user.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

function takeAwayIfDead(path) {
  const seen = read(path);
  if (seen === null || isAlive(Number(seen.split(' ')[0]))) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    // Somebody was faster and holds a new lock: give it back its name.
    if (read(aside) !== seen) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
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
