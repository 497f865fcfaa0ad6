import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

/** After this, node_modules fits the lock and dist fits the sources. Throws a Refusal. */
export async function prepare() {
  await ensureInstalled();
  await ensureBuilt();
}
