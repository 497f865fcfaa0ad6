import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ReceiptMaker } from '../history/receipt-maker.js';

/** What scripts/verify-receipt.mjs says of how it is called, and of cosignatures that it did not check. */

const folder = mkdtempSync(join(tmpdir(), 'receipt-usage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const run = (...words: readonly string[]) => {
  const script = resolve('scripts/verify-receipt.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const maker = new ReceiptMaker();
const good = put('good', JSON.stringify(maker.receipt(maker.draft())));
/** Says itself that nobody cosigned. */
const draft = maker.draft();
draft.claims.witnessed = false;
draft.witnessed = false;
const unwitnessed = maker.receipt(draft);

it.each([
  [['--help'], 2],
  [['-h'], 2],
  [[good, '--help', '--json'], 2],
] as const)('%j is the usage, with exit code %d', (words, code) => {
  const { status, stdout } = run(...words);
  expect(status).toBe(code);
  expect(stdout).toMatch(/^usage: verify-receipt\.mjs /);
});

it('counts the cosignatures that it carries, when none was checked', () => {
  const lineOf = (path: string) => /^not proved: .*(?:quorum).*$/m.exec(run(path).stdout)?.[0];
  expect(lineOf(good)).toBe(
    'not proved: that a quorum of witnesses cosigned, as the receipt says; it carries 2 cosignatures, none of them was checked: give --witness-keys',
  );
  const refused =
    'not proved: anything by others: the receipt says that no quorum of witnesses cosigned';
  expect(lineOf(put('unwitnessed', JSON.stringify(unwitnessed)))).toBe(
    `${refused}; it carries 2 cosignatures, none of them was checked`,
  );
  const proof = unwitnessed.proof.replace(/\n\u2014 witness-[\s\S]*$/, '\n');
  const bare = put('bare', JSON.stringify({ ...unwitnessed, proof }));
  expect(lineOf(bare)).toBe(`${refused}; it carries 0 cosignatures`);
  expect(run(bare).stdout).not.toContain('cosigned by');
  expect(JSON.parse(run(bare, '--json').stdout)).toMatchObject({
    witnesses: [],
    carried_cosignatures: 0,
  });
});

it('names the witnesses that are missing', () => {
  const [stranger] = new ReceiptMaker().witnessKeys;
  const others = maker.witnessKeys.slice(1);
  // Of the same name, with another key.
  const keys = put('keys', [stranger, ...others].map((key) => key?.text ?? '').join('\n'));
  const { status, stdout } = run(good, '--witness-keys', keys, '--witness-quorum', '2');
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^cosignature_quorum: 1 of 2 witness keys given cosigned, 2 are asked for; missing: witness-0\.example\n/,
  );
  expect(stdout).not.toContain('and compare');
});

it('exit code 2 of a quorum above the different keys given', () => {
  const keys = put('two', maker.witnessKeys.map(({ text }) => text).join('\n'));
  const { status, stderr } = run(good, '--witness-keys', keys, '--witness-quorum', '3');
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^--witness-quorum 3 asks for more than the 2 different witness keys given$/m,
  );
});
