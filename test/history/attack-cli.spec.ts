import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileOf } from '../chain/export-file.js';
import { honest } from '../chain/honest.js';
import { arbiter } from '../cli/run.js';

const ASKED = `exp_${'a'.repeat(32)}`;
const OTHER = `exp_${'b'.repeat(32)}`;
const GOOD = fileOf(honest('sealed from birth').file, 'lines');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-attack-'));
  folders.push(folder);
  return folder;
}

/** `arbiter ledger export` against a service that answers everything with this body. */
async function exportFrom(body: string, out: string, exportId = ASKED) {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/jsonl',
      'arbiter-export-id': exportId,
      'arbiter-export-head': '9',
    });
    response.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  try {
    return await arbiter(['ledger', 'export', '--out', out], {
      environment: {
        ARBITER_URL: `http://127.0.0.1:${port}`,
        ARBITER_API_KEY: 'arb_test_0123456789abcdef',
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a service that answers an export with something else', () => {
  it.each([
    ['an end alone', ']\n'],
    ['a trailer alone', '{"kind":"trailer"}\n'],
    ['a front of texts', '{"counts":{"sealed":"1"},"head":{"seq":"9"}}\n{"kind":"trailer"}\n'],
    ['a front without counts', '{"head":{"hash":null,"seq":0}}\n{"kind":"trailer"}\n'],
    ['null', 'null\n]\n'],
    ['an array', '[1]\n]\n'],
  ])('%s: never takes the name of the file', async (_what, body) => {
    const folder = newFolder();
    const { code, err, out } = await exportFrom(body, join(folder, 'ledger.jsonl'));
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain('what has come is no export');
    expect(readdirSync(folder)).toEqual([`ledger.jsonl.${ASKED}.part`]);
  });

  it.each([
    [
      'lines, texts for counts',
      '{"kind":"trailer","counts":{"sealed":"1","unsealed":0},"head":{"seq":0,"hash":null}}',
    ],
    ['lines, no hash', '{"kind":"trailer","counts":{"sealed":1,"unsealed":0},"head":{"seq":0}}'],
    [
      'a document, half an entry',
      '],"trailer":{"counts":{"sealed":1,"unsealed":0},"head":{"seq":0.5,"hash":null}}}',
    ],
    ['a document, a number', '],"trailer":7}'],
  ])('%s at the end: the same', async (_what, end) => {
    const folder = newFolder();
    const { code, err } = await exportFrom(`{}\n${end}\n`, join(folder, 'ledger.jsonl'));
    expect([code, err]).toEqual([4, expect.stringContaining('what has come is no export')]);
  });

  it('another export than the one that was begun: nothing of it is written', async () => {
    const folder = newFolder();
    const part = join(folder, `ledger.jsonl.${OTHER}.part`);
    const begun = GOOD.split('\n').slice(0, 8).join('\n');
    writeFileSync(part, `${begun}\n`);
    const { code } = await exportFrom(GOOD, join(folder, 'ledger.jsonl'));
    expect(code).toBe(4);
    expect(readFileSync(part, 'utf8')).toBe(`${begun}\n`);
  });
});

it('a link in the place of what an earlier run left is not followed', async () => {
  const folder = newFolder();
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'precious\n');
  symlinkSync(victim, join(folder, `ledger.jsonl.${ASKED}.part`));
  const { code } = await exportFrom(GOOD, join(folder, 'ledger.jsonl'));
  expect(code).toBe(2);
  expect(readFileSync(victim, 'utf8')).toBe('precious\n');
});

it('a good answer is a file', async () => {
  const folder = newFolder();
  const { code } = await exportFrom(GOOD, join(folder, 'ledger.jsonl'));
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).toBe(GOOD);
});

it('a document with more signed heads before its rows than a line has bytes is a file, from wherever it was cut', async () => {
  const { header, rows, trailer } = honest('sealed from birth').file;
  const line = `\u2014 witness.example/${'w'.repeat(40)} ${'A'.repeat(100)}=\n`;
  const note = `ledgers.example\n\n${line.repeat(90)}`;
  const heads = Array(1_000).fill({ seq: 0, hash: '0'.repeat(64), size: 1, note });
  const front = `${JSON.stringify({ ...header, witnessed_heads: heads }).slice(0, -1)},"rows":[`;
  const lines = rows.map((row, index) => `${index === 0 ? '' : ','}${JSON.stringify(row)}`);
  const body = [front, ...lines, `],"trailer":${JSON.stringify(trailer)}}`, ''].join('\n');
  expect(front.length).toBeGreaterThan(12 * 1024 * 1024);
  for (const cut of [0, front.length - 9, front.length + 1]) {
    const folder = newFolder();
    const out = join(folder, 'ledger.json');
    if (cut > 0) writeFileSync(`${out}.${ASKED}.part`, Buffer.from(body).subarray(0, cut));
    const ended = await exportFrom(body, out);
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('sealed')]);
    expect(readFileSync(out, 'utf8') === body).toBe(true);
  }
});
