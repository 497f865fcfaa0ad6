// npm run build: compiles src to dist unless dist was made from exactly these sources.
import { ensureBuilt } from './lib/build.mjs';
import { runScript } from './lib/refusal.mjs';

await runScript(async () => {
  await ensureBuilt();
  return 0;
});
