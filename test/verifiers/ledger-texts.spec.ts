import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changed } from '../chain/cases.js';
import { type ExportFile, fileOf, redigest } from '../chain/export-file.js';
import { honest } from '../chain/honest.js';
import { logKeyOf, originOf } from '../chain/ledgers.js';
import { WITNESSES } from '../chain/signers.js';
import { hasPython } from '../chain/verifiers.js';

/** What the verifiers say to people about the log that a file names. */

const folder = mkdtempSync(join(tmpdir(), 'ledger-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAMS = [
  [process.execPath, resolve('scripts/verify-ledger.mjs')] as const,
  ...(hasPython() ? [['python3', resolve('scripts/verify_ledger.py')] as const] : []),
];

const BIRTH = honest('sealed from birth');
const UNSEALED = honest('unsealed');
const WITNESS_KEYS = WITNESSES.map(({ key }) => key.text);
const WARNING = 'no key of the log was given: another log of the same operator would pass';

const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe.each(PROGRAMS)('%s %s', (program, script) => {
  const linesOf = (file: ExportFile, keys: readonly string[] = []): string[] => {
    const given = [
      put('export', fileOf(file, 'lines')),
      ...(keys.length === 0 ? [] : ['--witness-keys', put('keys', keys.join('\n'))]),
    ];
    const { stdout } = spawnSync(program, [script, ...given], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
    });
    return stdout.trimEnd().split('\n');
  };

  it('names the log behind what it verified', () => {
    const [first, second] = linesOf(BIRTH.file);
    expect(first).toMatch(/^verified: 10 entries/);
    expect(second).toBe(`log: ${originOf(BIRTH.plan.tenantId)}`);
    expect(linesOf(UNSEALED.file)[1]).toBe('log: none');
  });

  it('warns when only keys of witnesses were given, and never else', () => {
    expect(linesOf(BIRTH.file, WITNESS_KEYS)).toContain(WARNING);
    expect(linesOf(BIRTH.file)).not.toContain(WARNING);
    const all = linesOf(BIRTH.file, [logKeyOf(BIRTH), ...WITNESS_KEYS]);
    expect(all[0]).toMatch(/^verified: /);
    expect(all).not.toContain(WARNING);
  });

  it('names the log of a file that is not of the given one', () => {
    const [first, , third] = linesOf(BIRTH.file, [logKeyOf(honest('sealed late'))]);
    expect(first).toBe('checkpoint_signature at seq 9');
    expect(third).toBe(`log: ${originOf(BIRTH.plan.tenantId)}`);
  });

  it('lets no name of a log command a terminal', () => {
    const origin = 'a\u001b[2J\n\u009b\u202eb\u2028';
    const file = changed(UNSEALED.file, (copy) => {
      copy.header['origin'] = origin;
      redigest(copy);
    });
    const lines = linesOf(file);
    expect(lines[1]).toMatch(/^log: a\\\S+$/);
    expect(lines.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});
