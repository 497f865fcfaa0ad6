import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { Refusal } from './refusal.mjs';
import { ROOT } from './root.mjs';

const OUT = join(ROOT, 'dist-bench');

/** Compiles afresh and runs the named benchmarks, or all of them; resolves to the first exit code that is not 0. */
export async function runBenches(wanted) {
  const names = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => file.replace(/\.bench\.ts$/, ''));
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Refusal(`no benchmark is called ${unknown}; there are ${names.join(', ')}`);
  }
  rmSync(OUT, { recursive: true, force: true });
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const options = { cwd: ROOT };
  const built = await runChild([swc, 'src', 'bench', 'test', '--out-dir', OUT, '--quiet'], options);
  if (built !== 0) return built;
  for (const name of wanted.length === 0 ? names : wanted) {
    const code = await runChild([join(OUT, 'bench', `${name}.bench.js`)], options);
    if (code !== 0) return code;
  }
  return 0;
}
