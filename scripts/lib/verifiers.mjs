import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './root.mjs';

/** Offline verifiers: each a source of its own, bundled into one file that needs nothing but Node. */
const VERIFIERS = {
  'scripts/verify-ledger.mjs': 'src/verifiers/verify-ledger.ts',
  'scripts/verify-receipt.mjs': 'src/verifiers/verify-receipt.ts',
};

const HEAD = (source) =>
  `// Written by \`npm run generate\` from ${source}: runs alone, asks no network. Not edited by hand.\n`;

/** The text of every verifier by its path. The same sources give the same text. */
export async function bundledVerifiers() {
  const texts = {};
  for (const [path, source] of Object.entries(VERIFIERS))
    texts[path] = `${HEAD(source)}${await bundled(source)}`;
  return texts;
}

async function bundled(source) {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, source),
      target: 'node20',
      minify: false,
      write: false,
      // A room's face names more than a verifier uses, and nothing in core/ acts by being loaded.
      // A `var` for every constant would be read again in every turn of a loop.
      rollupOptions: {
        output: { format: 'es', topLevelVar: false },
        treeshake: { moduleSideEffects: false },
      },
    },
  });
  const [chunk, another] = result.output;
  if (another !== undefined) throw new Error(`${source} is bundled into more than one file`);
  return chunk.code;
}
