import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_TYPES } from '../src/base/outbox/index.js';
import { freshDatabase } from './support/database.js';
import { startTestService } from './support/service.js';

/**
 * The blocks of pages under docs/ that speak to the demo tenant, run by a shell as they stand there; the last line of
 * a block that shows an answer has to be that answer, but for what is drawn.
 */

const ROOT = new URL('../', import.meta.url).pathname;
const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const MARK = '---- next block ----';

const published = textOf('README.md').match(/^export (?!API)[A-Z]+=ak_\S+$/gm) ?? [];

interface Block {
  readonly command: string;
  /** Null: the page shows no answer to this block. */
  readonly answer: string | null;
}

/** A block's answer stands in the next fence, before the next block. */
const blocksOf = (page: string): readonly Block[] =>
  textOf(page)
    .split('```sh\n')
    .slice(1)
    .map((part) => {
      const [command = '', ...rest] = part.split('\n```\n');
      const answer = /```json\n([\s\S]*?)\n```/.exec(`${rest.join('\n```\n')}\n\`\`\`\n`)?.[1];
      return { command, answer: answer ?? null };
    });

/** Ids, secrets, commitments and what carries real time differ at every run. */
const comparable = (answer: string): unknown =>
  JSON.parse(answer, (name, value: unknown) =>
    typeof value !== 'string'
      ? value
      : name === 'url' || name === 'created_at' || name === 'kid' || name === 'x'
        ? '...'
        : value
            .replace(/^(?!agt_)([a-z]+_)?[0-9a-f]{12,64}$/, '$1...')
            .replace(/^evt_\d+$/, 'evt_...'),
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

describe.skipIf(!hasTools)('a page shows what is answered (needs bash and curl)', () => {
  it.each([
    'docs/sandbox.md',
    'docs/personal-data.md',
    'docs/webhooks.md',
    'docs/storefront.md',
    'docs/a2a.md',
    'docs/signatures.md',
  ])('%s', async (page) => {
    const { connectionString } = await freshDatabase();
    const { baseUrl } = await startTestService({
      DATABASE_URL: connectionString,
      SEED_DEMO: 'on',
      JOBS: 'on',
      ALLOW_LOOPBACK_PEERS: 'true',
    });
    const api = baseUrl.replace('127.0.0.1', 'localhost');
    const blocks = blocksOf(page);
    expect(blocks.filter(({ answer }) => answer !== null).length).toBeGreaterThan(1);
    const script = [
      `export API=${api}`,
      ...published,
      ...blocks.map(({ command }) => `${command}\necho '\n${MARK}'`),
    ]
      .join('\n')
      .replaceAll('http://localhost:8080', api)
      .replaceAll('3999', String(await freePort()));
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] },
    });
    expect(stderr).toBe('');
    const printed = stdout.split(`${MARK}\n`);
    for (const [index, { command, answer }] of blocks.entries()) {
      if (answer === null) continue;
      const last = printed[index]?.trim().split('\n').at(-1) ?? '';
      expect(comparable(last), command).toEqual(comparable(answer));
    }
  });
});

it('docs/webhooks.md names every type an endpoint can subscribe to', () => {
  const rows = [...textOf('docs/webhooks.md').matchAll(/^\| `([a-z]+\.[a-z]+)` +\| (.*?) +\|$/gm)];
  expect(Object.fromEntries(rows.map(([, type = '', text = '']) => [type, text]))).toEqual(
    WEBHOOK_TYPES,
  );
});
