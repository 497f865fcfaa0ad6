import { EXIT, StartRefused, stopWhenTold } from './base/platform/index.js';
import { type RunningAuthority, startAuthority } from './trust-authority/start.js';

/** How long a child without its parent may take to stop in order, in milliseconds. */
const ORPHAN_MS_MAX = 15_000;

/**
 * The process of the trust authority. As a child of the service it says `{type: 'ready', url, origin}` (or
 * `{type: 'refused', line}`) to its parent and stops when the parent is gone; alone it prints one line.
 */
async function main(): Promise<void> {
  let authority: RunningAuthority;
  try {
    authority = await startAuthority({ report: (line) => console.error(line) });
  } catch (error) {
    const isRefusal = error instanceof StartRefused;
    console.error(isRefusal ? error.message : error);
    if (isRefusal) process.send?.({ type: 'refused', line: error.message });
    process.exitCode = isRefusal ? EXIT.refused : EXIT.broken;
    if (process.connected) process.disconnect();
    return;
  }
  const { url, origin } = authority;
  watch(authority);
  if (process.send === undefined) {
    console.log(`The trust authority ${origin} listens on ${url}`);
  } else {
    process.send({ type: 'ready', url, origin });
  }
}

function watch(authority: RunningAuthority): void {
  const isChild = process.send !== undefined;
  const stop = stopWhenTold(authority, {
    name: 'authority',
    signals: isChild ? ['SIGTERM'] : ['SIGINT', 'SIGTERM'],
    say: console.error,
  });
  // WHY: a terminal's Ctrl-C goes to the whole group; the service stops its child last, after what it still asks of it.
  if (isChild) process.on('SIGINT', () => undefined);
  // The parent died: nobody would ever stop this child, and the next service starts one of its own.
  process.on('disconnect', () => {
    // A database that is gone with the parent must not keep it either.
    setTimeout(() => process.exit(EXIT.cutOff), ORPHAN_MS_MAX).unref();
    stop(EXIT.stopped);
  });
}

await main();
