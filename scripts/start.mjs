// npm start: installs and builds when needed, then runs the service until it is stopped.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([
  import('./lib/refusal.mjs'),
  import('./lib/prepare.mjs'),
  import('./lib/child.mjs'),
]).then(([{ runScript }, { prepare }, { runChild }]) =>
  runScript(async () => {
    await prepare();
    return runChild(['--enable-source-maps', 'dist/main.js', ...process.argv.slice(2)]);
  }),
);
