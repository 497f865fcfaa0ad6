// npm run start:authority: installs and builds when needed, then runs the trust authority alone until it is stopped.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([
  import('./lib/refusal.mjs'),
  import('./lib/prepare.mjs'),
  import('./lib/child.mjs'),
]).then(([{ runScript }, { prepare }, { runChild }]) =>
  runScript(async () => {
    await prepare();
    return runChild(['--enable-source-maps', 'dist/authority.js', ...process.argv.slice(2)]);
  }),
);
