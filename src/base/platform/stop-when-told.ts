import { messageOf } from './start-refused.js';

/**
 * How a process of ours ends. 0: stopped as asked. 1: could not start. 3: stopped, but requests in flight were cut off.
 * 70: a bug ended it. 74: the data was deleted under it.
 */
export const EXIT = { stopped: 0, refused: 1, cutOff: 3, broken: 70, dataGone: 74 } as const;

export interface Stoppable {
  /** True when nothing had to be cut off. Repeated calls are one. */
  stop(): Promise<boolean>;
  /** Resolves, with a line for the operator, when only {@link stop} is left. */
  readonly gone: Promise<string>;
}

/**
 * Ends this process in order at the first of these signals, when its data is gone or after a bug; a second signal ends it
 * at once. Answers what does the same for a reason of the caller's own.
 */
export function stopWhenTold(
  running: Stoppable,
  { name, signals, say }: StopPolicy,
): (whenStopped: number) => void {
  const stop = (whenStopped: number): void => {
    running.stop().then(
      (drained) =>
        process.exit(drained || whenStopped !== EXIT.stopped ? whenStopped : EXIT.cutOff),
      (error: unknown) => {
        say(`The ${name} did not stop in order: ${messageOf(error)}`);
        process.exit(EXIT.broken);
      },
    );
  };
  // WHY: whoever read what is printed may be gone; saying so would fail again, for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let signalled = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (signalled) process.exit(EXIT.cutOff);
      signalled = true;
      stop(EXIT.stopped);
    });
  }
  void running.gone.then((line) => {
    say(line);
    stop(EXIT.dataGone);
  });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      say(error);
      stop(EXIT.broken);
    });
  }
  return stop;
}

export interface StopPolicy {
  /** What the operator knows it as. */
  readonly name: string;
  readonly signals: readonly NodeJS.Signals[];
  readonly say: (message: unknown) => void;
}
