// Installs the packages of the lock file unless node_modules fits it already.
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([import('./lib/refusal.mjs'), import('./lib/install.mjs')]).then(
  ([{ runScript }, { ensureInstalled }]) =>
    runScript(async () => {
      await ensureInstalled();
      return 0;
    }),
);
