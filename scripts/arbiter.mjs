// npm run arbiter -- <command>: the operator's command line, on the same settings as the service.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([import('./lib/prepare.mjs'), import('./lib/child.mjs')])
  .then(async ([{ prepare }, { runChild }]) => {
    await prepare();
    process.exitCode = await runChild([
      '--enable-source-maps',
      'dist/cli.js',
      ...process.argv.slice(2),
    ]);
  })
  .catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    // 1 means that something differs; whatever else goes wrong is "could not run".
    process.exitCode = 2;
  });
