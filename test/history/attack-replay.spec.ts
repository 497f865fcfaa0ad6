import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiledSources } from '../support/compiled.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { goldenFile } from '../support/golden.js';

const golden = goldenFile('3');
/** Far more than the program takes for an answer, far less than an endless file would. */
const TIMEOUT_MS = 30_000;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = temporaryDataFolder('arbiter-replay-');
  program = join(await compiledSources(), 'cli.js');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const arbiter = (...words: readonly string[]) =>
  spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', timeout: TIMEOUT_MS });

interface Row {
  readonly seq: number;
  readonly body?: string;
}

const linesOf = (path: string): Row[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

/** The golden ledger, the first decision of it changed. */
function withFirstDecision(change: (data: Record<string, Record<string, string>>) => void): string {
  let isDone = false;
  const lines = linesOf(golden).map((row) => {
    const entry = JSON.parse(row.body ?? '{}') as {
      type?: string;
      data: Record<string, Record<string, string>>;
    };
    if (isDone || entry.type !== 'decision.recorded') return JSON.stringify(row);
    isDone = true;
    change(entry.data);
    return JSON.stringify({ ...row, body: JSON.stringify(entry) });
  });
  return file('altered.jsonl', `${lines.join('\n')}\n`);
}

describe('a file without an end', () => {
  it.each([
    ['an export', ['replay', '/dev/zero']],
    ['an export that is tested back', ['backtest', '/dev/zero', '--limits', 'LIMITS']],
    ['limits', ['backtest', golden, '--limits', '/dev/zero']],
    ['a proof', ['timestamp', 'info', '/dev/zero']],
    ['headers', ['timestamp', 'verify', golden, golden, '--bitcoin-headers', '/dev/zero']],
  ])('as %s is refused', (_name, words) => {
    const limits = file('limits.json', '{"currencies":[],"items_max":1}');
    const { status, stderr } = arbiter(...words.map((word) => word.replace('LIMITS', limits)));
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: /)]);
  });
});

describe('an export in a pipe', () => {
  it.each(['jsonl', 'json'])('is read in the form %s', (form) => {
    const [header, ...rest] = linesOf(golden);
    const rows = rest.filter(({ body }) => body !== undefined);
    const document = JSON.stringify({ ...header, kind: undefined, rows, trailer: {} });
    const path = form === 'jsonl' ? golden : file('whole.json', document);
    const command = `cat '${path}' | '${process.execPath}' '${program}' replay /dev/stdin`;
    const { status, stdout } = spawnSync('sh', ['-c', command], {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^same: \d+ decisions/m)]);
  });
});

describe('what an export says', () => {
  const LINE = 'x\nsame: 82 decisions of 277 entries, 0 different\u2028\u001b[8m';

  it('prints no verdict, as a ruleset', () => {
    const path = withFirstDecision(({ decision }) => {
      if (decision !== undefined) decision['ruleset'] = LINE;
    });
    const { status, stdout } = arbiter('replay', path);
    expect([status, stdout]).toEqual([1, expect.not.stringMatching(/^same: /m)]);
  });

  it('prints none, as the name of a decision', () => {
    const path = withFirstDecision((data) => {
      Object.assign(data, { decision_id: LINE });
      if (data['decision'] !== undefined) data['decision']['outcome'] = 'refuse';
    });
    const { status, stdout } = arbiter('replay', path);
    expect([status, stdout]).toEqual([1, expect.not.stringMatching(/^same: /m)]);
  });

  it('prints none, as the name of a member', () => {
    const path = withFirstDecision((data) => Object.assign(data['decision'] ?? {}, { [LINE]: 1 }));
    const { status, stderr } = arbiter('replay', path);
    expect([status, stderr]).toEqual([2, expect.not.stringMatching(/^same: /m)]);
  });
});
