import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { closeWhatFileOpened } from './closing.js';

// A setup file of vitest: it runs again before every test file, though a worker keeps the modules from file to file.

/** Servers, connections to the database, child processes. Sockets of `fetch` close by themselves when their server does. */
const COUNTED = /^(?:TCPServerWrap|PipeWrap|ProcessWrap)$/;
/** Shorter than the ten seconds after which a forgotten pool lets its idle connections go by itself. */
const CLOSING_TIMEOUT_MS = 5_000;
const POLL_MS = 5;

const openNow = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => COUNTED.test(name));

const before = openNow();

// Registered first, so it runs last: after the hooks of the file itself.
afterAll(async () => {
  await closeWhatFileOpened();
  const deadlineMs = performance.now() + CLOSING_TIMEOUT_MS;
  // What is closing is open for a moment more.
  while (openNow().length > before.length && performance.now() < deadlineMs) await pause(POLL_MS);
  const after = openNow();
  if (after.length > before.length)
    throw new Error(
      `this file left something open: ${after.join(', ')}; before: ${before.join(', ')}`,
    );
});
