// npm run demo: installs and builds when needed, then takes the tour and ends. Exit 0 = every step was as expected.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([
  import('./lib/refusal.mjs'),
  import('./lib/prepare.mjs'),
  import('./lib/child.mjs'),
]).then(([{ runScript }, { prepare }, { runChild }]) =>
  runScript(async () => {
    await prepare();
    return runChild(['--enable-source-maps', 'dist/demo/main.js']);
  }),
);
