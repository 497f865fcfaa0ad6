import { messageOf, StartRefused } from './base/platform/index.js';
import { type RunningAuthority, startAuthority } from './trust-authority/start.js';

/** 0: stopped as asked. 1: could not start. 3: stopped, but requests were cut off. 70: a bug ended it. 74: its data is gone. */
const EXIT = { stopped: 0, refused: 1, cutOff: 3, broken: 70, dataGone: 74 } as const;

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
  stopWhenTold(authority);
  if (process.send === undefined) {
    console.log(`The trust authority ${origin} listens on ${url}`);
  } else {
    process.send({ type: 'ready', url, origin });
  }
}

function stopWhenTold(authority: RunningAuthority): void {
  const stop = (whenStopped: number): void => {
    authority.stop().then(
      (drained) =>
        process.exit(drained || whenStopped !== EXIT.stopped ? whenStopped : EXIT.cutOff),
      (error: unknown) => {
        console.error(`The authority did not stop in order: ${messageOf(error)}`);
        process.exit(EXIT.broken);
      },
    );
  };
  // WHY: whoever read what is printed may be gone; saying so would fail again, for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let signals = 0;
  // WHY: a terminal's Ctrl-C goes to the whole group; the service stops its child last, after what it still asks of it.
  if (process.send !== undefined) process.on('SIGINT', () => undefined);
  for (const signal of process.send === undefined ? ['SIGINT', 'SIGTERM'] : ['SIGTERM']) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(EXIT.cutOff);
      stop(EXIT.stopped);
    });
  }
  // The parent died: nobody would ever stop this child, and the next service starts one of its own.
  process.on('disconnect', () => {
    // A database that is gone with the parent must not keep it either.
    setTimeout(() => process.exit(EXIT.cutOff), ORPHAN_MS_MAX).unref();
    stop(EXIT.stopped);
  });
  void authority.gone.then((line) => {
    console.error(line);
    stop(EXIT.dataGone);
  });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      console.error(error);
      stop(EXIT.broken);
    });
  }
}

await main();
