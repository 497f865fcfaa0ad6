// npm run arbiter -- <command>: the command line (docs/cli.md). It ends with the codes of src/cli/exit-codes.ts.
import { join } from 'node:path';
import { refuseOldNode } from './lib/node-version.mjs';

refuseOldNode();
Promise.all([import('./lib/prepare.mjs'), import('./lib/child.mjs'), import('./lib/root.mjs')])
  .then(async ([{ prepare }, { runChild }, { ROOT }]) => {
    await prepare();
    const cli = join(ROOT, 'dist', 'cli.js');
    // A process group of its own cannot read from the terminal; a file or a pipe it can.
    const input = process.stdin.isTTY ? 'ignore' : 'inherit';
    process.exitCode = await runChild(['--enable-source-maps', cli, ...process.argv.slice(2)], {
      stdio: [input, 'inherit', 'inherit'],
    });
  })
  .catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    // 1 means "no"; what could not be started is "could not run".
    process.exitCode = 2;
  });
