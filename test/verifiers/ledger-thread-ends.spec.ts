import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  entryBodyText,
  ExportVerifier,
  NO_OPTIONS,
  type VerifierAnswer,
} from '../../src/core/chain/index.js';
import { ExportFile } from '../../src/verifiers/ledger/export-file.js';
import { ProgressBar } from '../../src/verifiers/ledger/progress-bar.js';
import { readWithThreads } from '../../src/verifiers/ledger/threads.js';
import { at, changed } from '../chain/cases.js';
import { type ExportFile as Export, fileOf, textIn } from '../chain/export-file.js';
import { honest } from '../chain/honest.js';
import { ledgerOf } from '../chain/ledgers.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VERIFIER = resolve('scripts/verify-ledger.mjs');

const written = (name: string, file: Export): string => {
  const path = join(folder, name);
  writeFileSync(path, fileOf(file, 'lines'));
  return path;
};

const LONG = honest('300 rows').file;
const FILES = {
  honest: written('honest', LONG),
  changed: written(
    'changed',
    changed(LONG, ({ rows }) => {
      const row = at(rows, 200);
      row['body'] = textIn(row, 'body').replace('req_', 'req_x');
    }),
  ),
};

/** What the program says of a file when its threads run this module. */
async function answerWith(path: string, count: number, module: URL): Promise<VerifierAnswer> {
  const file = new ExportFile(path);
  const verifier = new ExportVerifier(NO_OPTIONS);
  try {
    file.lines((...line) => verifier.line(...line) && verifier.rowContext === null);
    await readWithThreads({
      ...{ file, verifier, module },
      plan: { count, chunkBytes: 5_000 },
      bar: new ProgressBar(process.stderr, null),
    });
    file.lines((...line) => verifier.line(...line));
    return verifier.end();
  } finally {
    file.close();
  }
}

const moduleOf = (text: string): URL =>
  new URL(`data:text/javascript,${encodeURIComponent(`${text}; export {};`)}`);

const FILLS_ITS_MEMORY = 'const all = []; for (;;) all.push(new Array(100_000).fill(all.length));';

/** Judges chunks as the verifier does, up to this one. */
const behindChunk = (number: number, end: string): string => `
  import ${JSON.stringify(pathToFileURL(VERIFIER).href)};
  import { parentPort } from 'node:worker_threads';
  let count = 0;
  parentPort.on('message', () => { count += 1; if (count === ${number}) { ${end} } })`;

const ENDS = {
  'out of memory at its start': FILLS_ITS_MEMORY,
  'out of memory behind its first chunk': behindChunk(1, FILLS_ITS_MEMORY),
  'out of memory behind its ninth chunk': behindChunk(9, FILLS_ITS_MEMORY),
  'an error at its start': 'throw new Error("gone")',
  'an error behind its second chunk': behindChunk(2, 'throw new Error("gone")'),
  'silence behind its second chunk': behindChunk(2, 'process.exit(0)'),
};

describe('a thread that ends too early', () => {
  it.each(Object.entries(ENDS))('changes no answer: %s', { timeout: 60_000 }, async (_, text) => {
    for (const path of Object.values(FILES)) {
      const alone = await answerWith(path, 0, moduleOf(text));
      expect(await answerWith(path, 2, moduleOf(text))).toEqual(alone);
      expect(await answerWith(path, 1, moduleOf(text))).toEqual(alone);
    }
  });

  it('is not all of them: the others go on', { timeout: 60_000 }, async () => {
    const mark = JSON.stringify(join(folder, 'the first one'));
    const oneLives = `import { writeFileSync } from 'node:fs';
      ${behindChunk(1, `try { writeFileSync(${mark}, '', { flag: 'wx' }); } catch { ${FILLS_ITS_MEMORY} }`)}`;
    const { result } = await answerWith(FILES.honest, 3, moduleOf(oneLives));
    expect(result).toBe('verified');
  });
});

describe('an entry about sealing with very large data', () => {
  const kid = 'k1';
  const emptyLists = `[${'[],'.repeat(4_000_000)}[]]`;
  const body = entryBodyText({
    ...{ id: 'ent_3', type: 'ledger.sealing_switched', atMs: 3, requestId: 'req_3' },
    actor: { role: 'system', id: 'test' },
    data: { filler: 0, kid, on: true },
  }).replace('"filler":0', () => `"filler":${emptyLists}`);
  const { file } = ledgerOf({
    ...{ name: 'large', tenantId: 'tnt_large', anchoredAt: [], witnessedAt: [] },
    sealing: { enabled: true, sinceSeq: 0 },
    drafts: [
      { type: 'ledger.opened', data: { sealing: { on: true, kid } }, kid },
      ...[{ kid }, { kid }, { kid, body }, { kid }, { kid }],
    ],
  });
  const path = written('large', file);

  it.each(['0', '2:6000000'])(
    'takes no more memory than its line, with --threads %s',
    { timeout: 60_000 },
    (threads) => {
      const { status, stderr } = spawnSync(process.execPath, [
        '--max-old-space-size=48',
        ...[VERIFIER, path, '--threads', threads],
      ]);
      expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
    },
  );
});
