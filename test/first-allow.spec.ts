import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ARTIFACT_LIFETIME_MS_MAX, ARTIFACT_TYPES } from '../src/core/rules/index.js';
import { PAYLOAD_MEMBERS } from '../src/core/proofs/artifact-types.js';
import { temporaryDataFolder } from './support/data-folder.js';
import { startTestService } from './support/service.js';

/** The blocks of docs/first-allow.md, run by a shell as they stand there, against a fresh service. */

const file = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;

const walk = [
  ...readFileSync(file('docs/first-allow.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g),
]
  .map(([, block = '']) => block)
  .join('\n');

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

it.skipIf(!hasTools)('docs/first-allow.md leads to two allows (needs bash and curl)', async () => {
  const { baseUrl, config } = await startTestService();
  const folder = temporaryDataFolder('arbiter-first-allow-');
  // The signing script alone: it needs nothing else of this repository.
  cpSync(file('scripts/sign.mjs'), join(folder, 'scripts', 'sign.mjs'));
  const script = `set -eo pipefail\n${walk.replaceAll('http://localhost:8080', baseUrl)}`;
  try {
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DATA_DIR: config.dataDir },
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(answers.filter((answer) => 'decision_id' in answer)).toMatchObject([
      { flow: 'handoff', outcome: 'allow', usable: true },
      { flow: 'agent_payment', outcome: 'allow', usable_reason: 'agent_executed_payment_disabled' },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.each(ARTIFACT_TYPES)('docs/tokens.md says how long a %s lives and what is in it', (type) => {
  const row = readFileSync(file('docs/tokens.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${type}\` `));
  const [, life = '', payload = ''] = (row ?? '').split(' | ').map((cell) => cell.trim());
  expect(life).toBe(`${(ARTIFACT_LIFETIME_MS_MAX[type] / 1_000).toLocaleString('en')} s`);
  expect(payload.match(/`\w+`/g)).toEqual(
    Object.keys(PAYLOAD_MEMBERS[type]).map((name) => `\`${name}\``),
  );
});
