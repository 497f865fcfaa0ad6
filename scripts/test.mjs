// npm test: installs when needed, runs every test, and ends with one line of counts. Arguments go to vitest.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([
  import('./lib/refusal.mjs'),
  import('./lib/install.mjs'),
  import('./lib/run-tests.mjs'),
]).then(([{ runScript }, { ensureInstalled }, { runTests }]) =>
  runScript(async () => {
    await ensureInstalled();
    return runTests(process.argv.slice(2));
  }),
);
