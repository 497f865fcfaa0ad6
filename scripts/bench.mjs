// npm run bench [-- name ...]: builds src and bench, runs each benchmark in a process of its own.
// Every number is a ratio taken within one run; nothing here asserts a time.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist-bench');
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

rmSync(out, { recursive: true, force: true });
run(process.execPath, [
  join(root, 'node_modules/@swc/cli/bin/swc.js'),
  'src',
  'bench',
  '--out-dir',
  out,
  '--quiet',
]);

const wanted = process.argv.slice(2);
const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace(/\.bench\.ts$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  console.error(`bench: no benchmark is called ${wanted.join(', ')}`);
  process.exit(2);
}
for (const name of names) run(process.execPath, [join(out, 'bench', `${name}.bench.js`)]);
