import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from './config.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arbiter-policy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (environment: Readonly<Record<string, string>> = {}) =>
  loadConfig({
    environment: { DATABASE_URL: 'postgres://localhost/x', DATA_DIR: folder, ...environment },
  });

describe('WITNESS_POLICY_FILE', () => {
  test('left out: no policy, and a name that is drawn', () => {
    expect(load()).toMatchObject({
      witnessPolicy: null,
      ledgerLogName: null,
      witnessingIntervalSeconds: 60,
    });
  });

  test('is read at the start', () => {
    const path = join(folder, 'policy');
    writeFileSync(path, '# nobody is asked\nquorum none\n');
    expect(load({ WITNESS_POLICY_FILE: path }).witnessPolicy).toMatchObject({
      witnesses: [],
      quorum: null,
    });
  });

  test('that is missing or wrong stops the start with one line', () => {
    const path = join(folder, 'wrong');
    writeFileSync(path, 'witness w1\n');
    expect(() => load({ WITNESS_POLICY_FILE: path })).toThrow(
      `WITNESS_POLICY_FILE ${path} is no policy (C2SP tlog-policy): line 1: `,
    );
    const missing = join(folder, 'missing');
    expect(() => load({ WITNESS_POLICY_FILE: missing })).toThrow(
      `WITNESS_POLICY_FILE ${missing} cannot be read (`,
    );
  });
});
