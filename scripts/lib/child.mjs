import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { performance } from 'node:perf_hooks';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
/** One Ctrl-C reaches this process from the terminal and again from npm; a second one by hand comes later than this. */
const SAME_SIGNAL_MS = 300;

/**
 * Runs a program on this terminal and resolves to its exit code (128 + number when a signal ended it). It stands in a
 * process group of its own and gets each signal once, from here: for the service a second signal means "at once".
 * This process stays until the program has ended, so that nobody sees the end before it is one.
 */
export function runChild(args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      ...options,
    });
    const lastAtMs = new Map();
    const forward = (signal) => {
      const nowMs = performance.now();
      const again = nowMs - (lastAtMs.get(signal) ?? -SAME_SIGNAL_MS) < SAME_SIGNAL_MS;
      if (!again) child.kill(signal);
      lastAtMs.set(signal, nowMs);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
