import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import {
  endServices,
  type Environment,
  ServiceProcess,
  until,
} from '../endurance/service-process.js';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { freshDatabase } from '../support/database.js';

/** The guide of docs/ledger.md: its examples by a shell, in their order, and its lists against the program. */

const file = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname;
const page = readFileSync(file('docs/ledger.md'), 'utf8');
const published = readFileSync(file('README.md'), 'utf8').match(/^export \w+=\S+$/gm) ?? [];

/** Every example in its order; `shown` null = what it prints is not shown. */
const examples = [
  ...page.matchAll(/```sh\n((?:(?!```)[\s\S])*)\n```(?:\n\n```text\n((?:(?!```)[\s\S])*)\n```)?/g),
].map(({ index, 1: block = '', 2: shown = null }) => ({ index, block, shown }));
/** From here on the page speaks of a ledger that a witness cosigned. */
const witnessedFrom = page.indexOf('\n## Witnesses\n');

const END = '--- end of example ---';

/** Links depend on the installation's own secret, keys and names of logs on chance, numbers of entries on what was seeded. */
const comparable = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{16}\.(ledger|authority)\.internal/g, '<$1>')
    .replace(/\b\d{4}-\d\d-\d\dT[0-9:.]+Z/g, '<instant>')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b(exp|key|tnt)_[0-9a-f]{32}\b/g, '$1_...')
    .replace(/[A-Za-z0-9+/]{40,}={0,2}/g, '<base64>')
    .replace(/\b\d{2,3}\b/g, '<number>')
    .trim();

const hasTools = ['bash', 'curl', 'python3'].every(
  (tool) => spawnSync(tool, ['--version']).status === 0,
);

/** Runs blocks in one shell of `folder`; answers with what each printed. */
async function shell(
  blocks: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: Environment },
): Promise<readonly string[]> {
  const script = blocks.map((block) => `${block}\necho '${END}'`).join('\n');
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: folder,
    env: { ...environment, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  expect(stderr).toBe('');
  return stdout.split(`${END}\n`).slice(0, -1);
}

/** Whether a witness cosigned the newest checkpoint of the tenant of this key. */
async function isWitnessed(baseUrl: string, apiKey: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${baseUrl}/v1/ledger/witnessing`, { headers });
  const { newest_checkpoint: newest } = (await answer.json()) as {
    newest_checkpoint: { quorum: boolean } | null;
  };
  return newest?.quorum === true;
}

describe('docs/ledger.md', () => {
  afterAll(endServices);

  it.skipIf(!hasTools)('shows what is printed (needs bash, curl and python3)', async () => {
    const { connectionString } = await freshDatabase();
    const folder = temporaryDataFolder('arbiter-ledger-docs-');
    try {
      const program = join(folder, 'arbiter');
      const cli = join(await compiledSources(), 'cli.js');
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@" 2>&1\n`);
      chmodSync(program, 0o755);
      symlinkSync(file('scripts'), join(folder, 'scripts'));
      // With an authority inside, as whoever follows the guide has it.
      const settings = { DATABASE_URL: connectionString, DATA_DIR: join(folder, 'data') };
      const at = { folder, environment: settings };
      const addressOf = ({ baseUrl }: ServiceProcess) => [
        ...published,
        `export API=${baseUrl} ARBITER_URL=${baseUrl}`,
      ];
      const blocksOf = (ofPart: typeof examples) => ofPart.map(({ block }) => block);

      const unwitnessed = await ServiceProcess.start({ ...settings, JOBS: 'off' });
      const before = examples.filter(({ index }) => index < witnessedFrom);
      const [, ...printedBefore] = await shell(
        [addressOf(unwitnessed).join('\n'), ...blocksOf(before)],
        at,
      );
      await unwitnessed.terminate();

      // One round at its start, and no other one while the test runs.
      const rounds = { JOBS: 'on', WITNESSING_INTERVAL_SECONDS: '3600' };
      const witnessing = await ServiceProcess.start({ ...settings, ...rounds });
      const [, adminKey = ''] = /^export ADMIN=(\S+)$/m.exec(published.join('\n')) ?? [];
      await until(() => isWitnessed(witnessing.baseUrl, adminKey));
      const kept = blocksOf(before).flatMap((block) => block.match(/^export .+$/gm) ?? []);
      const after = examples.filter(({ index }) => index > witnessedFrom);
      const [, ...printedAfter] = await shell(
        [[...addressOf(witnessing), ...kept].join('\n'), ...blocksOf(after)],
        at,
      );
      await witnessing.terminate();

      const printed = [...printedBefore, ...printedAfter];
      expect(printed.length).toBe(examples.length);
      expect(examples.filter(({ shown }) => shown !== null).length).toBeGreaterThan(8);
      expect(printed.map(comparable)).toEqual(
        examples.map(({ shown }, index) => comparable(shown ?? printed[index] ?? '')),
      );
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
