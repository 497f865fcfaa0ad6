import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant } from '../../core/kernel/index.js';

/** The folder of package.json: the same from `src` (tests) and from `dist` (service). */
export const PACKAGE_ROOT = findPackageRoot();

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    invariant(dirname(folder) !== folder, 'the program stands below its package.json');
    folder = dirname(folder);
  }
  return folder;
}
