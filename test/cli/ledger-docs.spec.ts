import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

/** The guide of docs/ledger.md: its examples by a shell, in their order, and its lists against the program. */

const file = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname;
const page = readFileSync(file('docs/ledger.md'), 'utf8');
const published = readFileSync(file('README.md'), 'utf8').match(/^export \w+=\S+$/gm) ?? [];

const examples = [
  ...page.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```\n\n```text\n((?:(?!```)[\s\S])*)\n```/g),
].map(([, block = '', shown = '']) => ({ block, shown }));

const END = '--- end of example ---';

/** Links depend on the installation's own secret, keys and names of logs on chance, numbers of entries on what was seeded. */
const comparable = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{16}\.ledger\.internal/g, '<log>')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b(exp|key|tnt)_[0-9a-f]{32}\b/g, '$1_...')
    .replace(/[A-Za-z0-9+/]{40,}={0,2}/g, '<base64>')
    .replace(/\b\d{2,3}\b/g, '<number>')
    .trim();

const hasTools = ['bash', 'python3'].every((tool) => spawnSync(tool, ['--version']).status === 0);

describe('docs/ledger.md', () => {
  it.skipIf(!hasTools)('shows what is printed (needs bash and python3)', async () => {
    const { connectionString } = await freshDatabase();
    const service = await startTestService({ DATABASE_URL: connectionString, SEED_DEMO: 'on' });
    const folder = temporaryDataFolder('arbiter-ledger-docs-');
    try {
      const program = join(folder, 'arbiter');
      const cli = join(await compiledSources(), 'cli.js');
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@" 2>&1\n`);
      chmodSync(program, 0o755);
      symlinkSync(file('scripts'), join(folder, 'scripts'));
      const script = [...published, ...examples.map(({ block }) => `${block}\necho '${END}'`)];
      const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script.join('\n')], {
        cwd: folder,
        env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ARBITER_URL: service.baseUrl },
      });
      const printed = stdout.split(`${END}\n`).slice(0, -1);
      expect(examples.length).toBeGreaterThan(5);
      expect(printed.map(comparable)).toEqual(examples.map(({ shown }) => comparable(shown)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says of every break what it means and what to do', () => {
    const source = readFileSync(file('scripts/verify_ledger.py'), 'utf8');
    const table = /MEANINGS = \{\n([\s\S]*?)\n\}/.exec(source)?.[1] ?? '';
    const known = [...table.matchAll(/^ {4}"(\w+)":/gm)].map(([, code = '']) => code);
    const told = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code = '']) => code);
    expect(known.length).toBeGreaterThan(15);
    expect(told.toSorted()).toEqual(known.toSorted());
  });
});
