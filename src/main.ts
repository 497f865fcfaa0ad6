import { messageOf, StartRefused } from './base/platform/index.js';
import { type RunningService, startService } from './service.js';

/**
 * 0: stopped as asked. 1: could not start. 3: stopped, but requests in flight were cut off. 70: a bug ended the process.
 * 74: the data was deleted under the service.
 */
const EXIT = { stopped: 0, refused: 1, cutOff: 3, broken: 70, dataGone: 74 } as const;

async function main(): Promise<void> {
  let service: RunningService;
  try {
    service = await startService({ report: (line) => console.error(line) });
  } catch (error) {
    console.error(error instanceof StartRefused ? error.message : error);
    process.exitCode = error instanceof StartRefused ? EXIT.refused : EXIT.broken;
    return;
  }
  stopWhenTold(service);
  const notes = await service.notes();
  console.log(
    [
      `The commerce arbiter listens on ${service.baseUrl}`,
      `  API page  ${service.baseUrl}/docs`,
      `  OpenAPI   ${service.baseUrl}/openapi.json`,
      `  health    ${service.baseUrl}/health/ready`,
      ...(notes.length === 0 ? [] : ['', ...notes]),
    ].join('\n'),
  );
}

/** The first signal stops in order; a second one ends the process at once. Without its data the service stops by itself. */
function stopWhenTold(service: RunningService): void {
  const stop = (whenStopped: number): void => {
    service.stop().then(
      (drained) =>
        process.exit(drained || whenStopped !== EXIT.stopped ? whenStopped : EXIT.cutOff),
      (error: unknown) => {
        console.error(`The service did not stop in order: ${messageOf(error)}`);
        process.exit(EXIT.broken);
      },
    );
  };
  // WHY: whoever read what is printed may be gone; saying so would fail again, for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let signalled = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (signalled) process.exit(EXIT.cutOff);
      signalled = true;
      stop(EXIT.stopped);
    });
  }
  void service.gone.then((line) => {
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
