import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = new URL('../', import.meta.url).pathname;
const hasGit = spawnSync('git', ['--version']).status === 0;

const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Files of the current folder that commands of a page write: redirections, --out, the key that `sign.mjs` makes, a proof. */
const WRITES = [
  /[^<>&\d]>{1,2} ?([\w-][\w.-]*\.\w+)(?=[\s`;)])/g,
  /--out ([\w-][\w.-]*\.\w+)/g,
  /sign\.mjs \w+ ([\w-]+\.pem)/g,
  /timestamp \w+ (\S+\.ots)/g,
  /--limits ([\w-]+\.json)/g,
];

const written = [
  ...new Set(
    pages.flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return WRITES.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name));
    }),
  ),
].sort();

it.skipIf(!hasGit)('git ignores what the examples of the pages write (needs git)', () => {
  expect(written).toEqual(
    expect.arrayContaining([
      'head.json',
      'head.json.ots',
      'k1.secret',
      'ledger.jsonl',
      'my-shop.pem',
      'receipt.json',
    ]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-ignored-'));
  try {
    copyFileSync(join(ROOT, '.gitignore'), join(folder, '.gitignore'));
    const git = (...words: string[]) =>
      spawnSync('git', ['-C', folder, ...words], { encoding: 'utf8' });
    expect(git('init', '--quiet').status).toBe(0);
    const parts = written
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => `${name}.exp_1.part`);
    const all = [...written, ...parts];
    const ignored = git('check-ignore', '--no-index', ...all)
      .stdout.trim()
      .split('\n');
    expect(all.filter((name) => !ignored.includes(name))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
