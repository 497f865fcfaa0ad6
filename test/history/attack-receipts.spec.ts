import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReceiptMaker } from './receipt-maker.js';

const scriptOf = (name: string): string =>
  new URL(`../../scripts/${name}`, import.meta.url).pathname;
const LEDGER = new URL('../golden/ruleset-3.jsonl', import.meta.url).pathname;

/** Far more than either program takes for an answer, far less than an endless file would. */
const TIMEOUT_MS = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arbiter-receipts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const run = (program: string, ...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [scriptOf(program), ...words], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  return { status, stdout, stderr };
};

/** The exit code when nothing that is printed finds room. */
function exitOnFullDisk(program: string, ...words: readonly string[]): number | null {
  const full = openSync('/dev/full', 'w');
  try {
    return spawnSync(process.execPath, [scriptOf(program), ...words], {
      stdio: ['ignore', full, 'ignore'],
      timeout: TIMEOUT_MS,
    }).status;
  } finally {
    closeSync(full);
  }
}

describe('a file without an end', () => {
  it.each([
    ['a receipt', 'verify-receipt.mjs', ['/dev/zero']],
    ['keys of issuers', 'verify-receipt.mjs', [LEDGER, '--issuer-keys', '/dev/zero']],
    ['keys of witnesses', 'verify-receipt.mjs', [LEDGER, '--witness-keys=/dev/zero']],
    ['keys for a ledger', 'verify-ledger.mjs', [LEDGER, '--witness-keys', '/dev/zero']],
    ['secrets for a ledger', 'verify-ledger.mjs', [LEDGER, '--hmac-secret-file', '/dev/zero']],
  ])('as %s is refused', (_name, program, words) => {
    expect(run(program, ...words).status).toBe(2);
  });
});

describe('an answer that nobody reads', () => {
  it.runIf(process.platform === 'linux')('is neither verified nor a break', () => {
    const maker = new ReceiptMaker();
    const good = fileOf('good.json', JSON.stringify(maker.receipt(maker.draft())));
    expect(run('verify-receipt.mjs', good).status).toBe(0);
    expect(exitOnFullDisk('verify-receipt.mjs', good)).toBe(2);
    expect(exitOnFullDisk('verify-receipt.mjs', good, '--json')).toBe(2);
  });

  it('and the help beside a file verify nothing', () => {
    const given = ['receipt.json', '--help'];
    expect(run('verify-receipt.mjs', ...given)).toMatchObject({ status: 2, stderr: '' });
  });
});

describe('a receipt that holds lines of an answer', () => {
  const LINE = '\ncosigned by honest.example at 2026-11-30T00:00:00.000Z\u2028\u009b2J';

  it('gets no line of its own when it is verified', () => {
    const maker = new ReceiptMaker('EdDSA', {
      decision: {
        ...{ flow: 'handoff', ruleset: '3', outcome: 'refuse', failing_rule: 'x' },
        reason: `x)${LINE}`,
      },
    });
    const good = fileOf('lines.json', JSON.stringify(maker.receipt(maker.draft())));
    const { status, stdout } = run('verify-receipt.mjs', good);
    expect(status).toBe(0);
    expect(stdout).toContain('honest.example');
    expect(stdout).not.toMatch(/^cosigned by honest/m);
    expect(stdout).not.toMatch(/[\u2028\u009b]/);
  });

  it('gets none when it is broken', () => {
    const maker = new ReceiptMaker();
    const draft = maker.draft();
    draft.claims.tenant_id = `x\nverified: allow${LINE}`;
    draft.claims.iss = `ledger.example/${draft.claims.tenant_id}`;
    const bad = fileOf('broken.json', JSON.stringify(maker.receipt(draft)));
    const { status, stdout } = run('verify-receipt.mjs', bad, '--expected-tenant', 'y');
    expect(status).toBe(1);
    expect(stdout).not.toMatch(/^verified/m);
  });
});
