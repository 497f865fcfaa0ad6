import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

/** The examples of docs/cli.md by a shell, in their order; what they print has to be what docs/cli.md shows. */

const file = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname;
const page = readFileSync(file('docs/cli.md'), 'utf8');
const exports = readFileSync(file('README.md'), 'utf8').match(/^export \w+=\S+$/gm) ?? [];

const examples = [...page.matchAll(/```sh\n([\s\S]*?)\n```\n\n```text\n([\s\S]*?)\n```/g)].map(
  ([, block = '', shown = '']) => ({ block, shown }),
);

const END = '--- end of example ---';

/** Links depend on the installation's own secret, request ids on chance, and entries on what the seed wrote before. */
const comparable = (text: string): string =>
  text
    .replace(/link [0-9a-f]{64}/g, 'link ...')
    .replace(/^request: \S+$/gm, 'request: ...')
    .replace(/Entry \d+ of the ledger, \w+/g, 'Entry ...')
    .replace(/"seq":\d+/g, '"seq":0')
    .trim();

it.skipIf(spawnSync('bash', ['--version']).status !== 0)(
  'docs/cli.md shows what the command line prints (needs bash)',
  async () => {
    const { connectionString } = await freshDatabase();
    const service = await startTestService({ DATABASE_URL: connectionString, SEED_DEMO: 'on' });
    const folder = temporaryDataFolder('arbiter-cli-docs-');
    try {
      const program = join(folder, 'arbiter');
      const cli = join(await compiledSources(), 'cli.js');
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@" 2>&1\n`);
      chmodSync(program, 0o755);
      const script = [...exports, ...examples.map(({ block }) => `${block}\necho '${END}'`)];
      const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script.join('\n')], {
        env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ARBITER_URL: service.baseUrl },
      });
      const printed = stdout
        .replaceAll(service.baseUrl, 'http://127.0.0.1:8080')
        .split(`${END}\n`)
        .slice(0, -1);
      expect(examples.length).toBeGreaterThan(5);
      expect(printed.map(comparable)).toEqual(examples.map(({ shown }) => comparable(shown)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
