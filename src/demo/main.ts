import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../base/platform/index.js';
import { runDemo } from './run-demo.js';

/** `npm run demo`: a tour through a service of its own, in a temporary folder that is gone afterwards. */
async function main(): Promise<number> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'commerce-arbiter-demo-'));
  // PostgreSQL never runs as root; its own user has to be able to enter.
  chmodSync(dataFolder, 0o711);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    return await runDemo({ dataFolder, say });
  } catch (error) {
    say(`The demo could not run: ${messageOf(error)}`);
    return 1;
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
