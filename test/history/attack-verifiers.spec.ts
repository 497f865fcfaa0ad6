import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ExportVerifier,
  NO_OPTIONS,
  parseWitnessKeys,
  type VerifierOptions,
} from '../../src/core/chain/index.js';
import { changed } from '../chain/cases.js';
import { linesOf, type Members, redigest, textIn, textOfLines } from '../chain/export-file.js';
import { honest } from '../chain/honest.js';
import { logKeyOf } from '../chain/ledgers.js';
import { WITNESSES } from '../chain/signers.js';
import { hasPython } from '../chain/verifiers.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-attack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PYTHON = resolve('scripts/verify_ledger.py');
const NODE = resolve('scripts/verify-ledger.mjs');
const python = hasPython();

const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const LEDGER = honest('sealed from birth');
const KEYS = [logKeyOf(LEDGER), ...WITNESSES.map(({ key }) => key.text)].join('\n');

describe('an option that verifies nothing, beside a file', () => {
  const file = fileOf('torn', linesOf(LEDGER.file).join('\n').slice(0, -1));
  const programs = new Map([
    [NODE, process.execPath],
    ...(python ? [[PYTHON, 'python3'] as const] : []),
  ]);

  it.each([...programs])('is never answered with 0: %s', (script, program) => {
    for (const help of ['--help', '-h']) {
      for (const given of [
        [file, help],
        [help, file],
        [file, '--json', help],
      ]) {
        const { status } = spawnSync(program, [script, ...given]);
        expect([given, status]).toEqual([given, 2]);
      }
    }
  });
});

describe('checkpoints that say the same a thousand times, each with a hundred signatures', () => {
  /** Every copy is another note: the lines stand in another order. None of it needs a secret. */
  const text = textOfLines(
    linesOf(
      changed(LEDGER.file, (copy) => {
        const newest = copy.points.filter(({ kind }) => kind === 'witnessed_head').at(-1);
        if (newest === undefined) throw new Error('no witnessed head');
        const [signed = '', lines = ''] = textIn(newest, 'note').split('\n\n');
        const honestLines = lines.trimEnd().split('\n');
        // The first is the log's, the others are witnesses'.
        const lineOf = (index: number, place: number): string =>
          honestLines[place === 0 ? 1 : (index >> (place % 10)) & 1] ?? '';
        const noteOf = (index: number): string =>
          Array.from({ length: 100 }, (_, place) => lineOf(index, place)).join('\n');
        const copies = Array.from({ length: 1_000 }, (_, index): Members => ({
          ...newest,
          note: `${signed}\n\n${noteOf(index)}\n`,
        }));
        const place = copy.points.indexOf(newest);
        copies.sort((left, right) => (textIn(left, 'note') < textIn(right, 'note') ? -1 : 1));
        copy.points.splice(place, 1, ...copies);
        redigest(copy);
      }),
    ),
  );

  it('are as many signatures as there are: JavaScript', { timeout: 60_000 }, () => {
    const keys = parseWitnessKeys(KEYS);
    if (!keys.ok) throw new Error(keys.error);
    const options: VerifierOptions = { ...NO_OPTIONS, witnessKeys: keys.value };
    const verifier = new ExportVerifier(options);
    const started = process.cpuUsage();
    for (const line of text.trimEnd().split('\n')) {
      const bytes = Buffer.from(line);
      verifier.line(bytes, 0, bytes.length);
    }
    expect(verifier.end()).toMatchObject({ result: 'verified' });
    // Of the processor, however busy the machine is. A hundred thousand verifications take four times as long.
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  it.runIf(python)('are as many signatures as there are: Python', { timeout: 60_000 }, () => {
    const given = [PYTHON, fileOf('many', text), '--witness-keys', fileOf('keys', KEYS)];
    const { status } = spawnSync('python3', given, { timeout: 30_000 });
    expect(status).toBe(0);
  });
});
