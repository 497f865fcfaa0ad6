import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDataFolder } from './support/data-folder.js';
import { startTestService } from './support/service.js';

/** The blocks of docs/test-clock.md, run by a shell as they stand there; what they print has to be what it shows. */

const file = (path: string): string => new URL(`../${path}`, import.meta.url).pathname;
const textOf = (path: string): string => readFileSync(file(path), 'utf8');

/** Steps 1 to 3: a tenant, a merchant, an agent, a key for facts. */
const [beforehand = ''] = textOf('docs/first-allow.md').split('\n## 4.');
const preparation = [...beforehand.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

const shown = [
  ...textOf('docs/test-clock.md').matchAll(/```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g),
].map(([, block = '', output = '']) => ({ block, output }));

const MARK = '---- next block ----';

/** Ids are drawn; in the order of their first mention they are the same every time. */
function withNumberedIds(text: string): readonly string[] {
  const seen: string[] = [];
  const numbered = text.replace(/\b(?:arbdec|pay)_[0-9a-f]{12}\b/g, (id) => {
    if (!seen.includes(id)) seen.push(id);
    return `id ${seen.indexOf(id)}`;
  });
  return numbered.trim().split('\n');
}

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

it.skipIf(!hasTools)('docs/test-clock.md shows what happens (needs bash and curl)', async () => {
  const { baseUrl, platformAdminKey } = await startTestService({
    AGENT_EXECUTED_PAYMENT_ENABLED: 'true',
  });
  const folder = temporaryDataFolder('arbiter-test-clock-');
  cpSync(file('scripts/sign.mjs'), join(folder, 'scripts', 'sign.mjs'));
  expect(shown.length).toBeGreaterThan(5);
  const script = [...preparation, ...shown.map(({ block }) => `echo '${MARK}'\n${block}`)].join(
    '\n',
  );
  try {
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-c', script.replaceAll('http://localhost:8080', baseUrl)],
      { cwd: folder, env: { PATH: process.env['PATH'], PLATFORM_ADMIN_KEY: platformAdminKey } },
    );
    expect(stderr).toBe('');
    const [, ...printed] = stdout.split(`${MARK}\n`);
    expect(withNumberedIds(printed.join(''))).toEqual(
      withNumberedIds(shown.map(({ output }) => output).join('')),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
