import { EXIT, StartRefused, stopWhenTold } from './base/platform/index.js';
import { type RunningService, startService } from './service.js';

async function main(): Promise<void> {
  let service: RunningService;
  try {
    service = await startService({ report: (line) => console.error(line) });
  } catch (error) {
    console.error(error instanceof StartRefused ? error.message : error);
    process.exitCode = error instanceof StartRefused ? EXIT.refused : EXIT.broken;
    return;
  }
  stopWhenTold(service, {
    name: 'service',
    signals: ['SIGINT', 'SIGTERM'],
    say: console.error,
  });
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

await main();
