// npm run bench [-- name ...]: installs when needed, builds src, bench and the tests' sample cases, and runs each
// benchmark in a process of its own. Every number is a ratio taken within one run; nothing here asserts a time.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([
  import('./lib/refusal.mjs'),
  import('./lib/install.mjs'),
  import('./lib/run-benches.mjs'),
]).then(([{ runScript }, { ensureInstalled }, { runBenches }]) =>
  runScript(async () => {
    await ensureInstalled();
    return runBenches(process.argv.slice(2));
  }),
);
