// npm run generate: builds, then writes the documents that are printed from the program (see src/generated-files.ts) and
// the offline verifiers (see lib/verifiers.mjs).
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { ROOT } from './lib/root.mjs';

await prepare();
const { GENERATED_FOLDERS, generatedFiles } = await import('../dist/generated-files.js');
const { CLIENT_TYPES, clientTypes } = await import('./lib/client-types.mjs');
const { bundledVerifiers } = await import('./lib/verifiers.mjs');
const files = generatedFiles();
files[CLIENT_TYPES] = await clientTypes(files['docs/openapi.json']);
Object.assign(files, await bundledVerifiers());
for (const folder of GENERATED_FOLDERS) {
  mkdirSync(join(ROOT, folder), { recursive: true });
  for (const name of readdirSync(join(ROOT, folder))) {
    if (!(`${folder}/${name}` in files)) rmSync(join(ROOT, folder, name));
  }
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
console.log(`${Object.keys(files).length} files written`);
