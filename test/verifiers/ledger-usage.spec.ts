import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileOf } from '../chain/export-file.js';
import { honest } from '../chain/honest.js';
import { logKeyOf } from '../chain/ledgers.js';
import { signerOf, WITNESSES } from '../chain/signers.js';
import { hasPython } from '../chain/verifiers.js';

/** What the verifiers say of how they are called, and of what was not given to them. */

const folder = mkdtempSync(join(tmpdir(), 'ledger-usage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAMS = [
  [process.execPath, resolve('scripts/verify-ledger.mjs')] as const,
  ...(hasPython() ? [['python3', resolve('scripts/verify_ledger.py')] as const] : []),
];

const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const birth = put('birth', fileOf(honest('sealed from birth').file, 'lines'));
/** Only the first of the witnesses cosigned its newest head. */
const late = put('late', fileOf(honest('sealed late').file, 'lines'));
const [first, second, third] = WITNESSES.map(({ key }) => key);
if (first === undefined || second === undefined || third === undefined) throw new Error('three');
let keyFiles = 0;
const keys = (...texts: readonly string[]): string =>
  put(`keys-${(keyFiles += 1)}`, texts.join('\n'));

describe.each(PROGRAMS)('%s %s', (program, script) => {
  const run = (...words: readonly string[]) => {
    const { status, stdout } = spawnSync(program, [script, ...words], { encoding: 'utf8' });
    return { status, stdout };
  };

  it.each([
    [['--help'], 2],
    [['-h'], 2],
    [[birth, '--help', '--json'], 2],
    [['--expected-head', '--help'], 2],
  ] as const)('%j prints the usage, with exit code %d', (words, code) => {
    const { status, stdout } = run(...words);
    expect(status).toBe(code);
    expect(stdout).toMatch(/^usage: .*verify.ledger/);
    for (const option of ['--expected-head', '--witness-quorum', '--require-signatures', '--json'])
      expect(stdout).toContain(option);
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    ['no file', [], /one file|required: FILE/],
    ['an option that is none', [birth, '--frobnicate'], /--frobnicate/],
    ['an option without its value', [birth, '--expected-head'], /--expected-head/],
    [
      'an option twice',
      [birth, '--require-sealed', '--require-sealed'],
      /--require-sealed .*twice/,
    ],
    ['a file that is not there', [join(folder, 'nowhere')], /^there is no file \S+nowhere$/m],
    ['a folder', [folder], /^\S+ cannot be read \(EISDIR\)$/m],
    [
      'keys that are not there',
      [birth, '--witness-keys', 'gone'],
      /^--witness-keys: there is no file gone$/m,
    ],
    [
      'secrets that are not there',
      [birth, '--hmac-secret-file', 'gone'],
      /^--hmac-secret-file: there is no file gone$/m,
    ],
    [
      'a secret for no key of it',
      [
        put('none', fileOf(honest('unsealed').file, 'lines')),
        '--hmac-secret-file',
        put('one', 'f'.repeat(64)),
      ],
      /names no (?:kid|key id)/,
    ],
    [
      'a quorum above the different keys',
      [
        birth,
        '--witness-quorum',
        '3',
        '--witness-keys',
        keys(first.text, signerOf('cosignature', 'an.alias', first.name).key.text, second.text),
      ],
      /^--witness-quorum 3 asks for more than the 2 different witness keys given$/m,
    ],
  ])('exit code 2 says what is wrong: %s', (_name, words, said) => {
    const { status, stdout } = run(...words);
    expect(status).toBe(2);
    expect(stdout).toMatch(said);
    expect(stdout).not.toMatch(/^not a readable export/m);
    const [line = '', ...more] = run(...words, '--json')
      .stdout.trimEnd()
      .split('\n');
    expect(more).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      result: 'unreadable',
      message: expect.stringMatching(said) as string,
    });
  });

  it('exit code 2 of a file that is no export says that it is none', () => {
    const { status, stdout } = run(put('no-export', '{}\n'));
    expect([status, stdout]).toEqual([2, expect.stringMatching(/^not a readable export: /)]);
  });

  it.each([
    ['none', [], 'k1'],
    ['another', ['--hmac-secret-file', put('other', `k9 ${'f'.repeat(64)}\n`)], 'k1'],
  ])('names the key ids that no secret was given for: %s', (_name, words, kid) => {
    const { status, stdout } = run(birth, '--require-signatures', ...words);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^signatures_unverifiable at seq 9\n/);
    expect(stdout).toMatch(new RegExp(`given for ${kid}\\b[\\s\\S]*--hmac-secret-file`));
    expect(stdout).not.toMatch(/export .*again and compare/i);
  });

  it('counts the keys whose cosignature a head lacks, and names them', () => {
    const given = keys(logKeyOf(honest('sealed late')), first.text, second.text, third.text);
    const { status, stdout } = run(late, '--witness-keys', given, '--witness-quorum', '2');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^cosignature_quorum at seq 8\n/);
    expect(stdout).toMatch(/\b1 of 3 keys given/);
    expect(stdout).toContain(`missing: ${second.name}, ${third.name}`);
    expect(stdout).not.toMatch(/export .*again and compare/i);
  });
});
