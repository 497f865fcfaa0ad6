import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import {
  deriveLedgerKey,
  ExportVerifier,
  NO_OPTIONS,
  parseSecrets,
  parseWitnessKeys,
  type VerifierOptions,
} from '../../../src/core/chain/index.js';
import { TEST_MASTER_SECRET, type TestTenant, valueOf } from '../../support/tenants.js';
import { checkLedger, WHOLE } from '../../support/whole-ledger.js';
import { linksOf, treeOver } from '../house.js';
import { checkHistory } from '../whole-history.js';
import type { FailureHouse } from './failure-house.js';

export interface Expected {
  readonly sealed: number;
  /** Key ids that ever sealed. */
  readonly kids: readonly string[];
  /** Whether a witness cosigned a head that is in the file. */
  readonly isWitnessed: boolean;
}

/** All bytes of an export. */
export async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/**
 * The whole log of a tenant, as anybody outside judges it: the real export of a process that met no fault, then the verifier
 * in this process and the one in Python, with every key that there is. Besides, from the inside: every checkpoint and
 * cosignature that is stored is of the entries as they stand, and every table is the fold of the ledger.
 */
export async function judgeLog(
  judge: FailureHouse,
  tenant: Pick<TestTenant, 'tenantId' | 'context'>,
  expected: Expected,
): Promise<void> {
  const { tenantId } = tenant;
  const fixed = valueOf(await judge.exports.begin(tenant.context(), 'jsonl'));
  const headSeq = fixed.header.head.seq;
  const part = { afterSeq: null, throughSeq: headSeq };
  const file = await textOf(valueOf(judge.exports.read(fixed, part)));
  const secrets = expected.kids
    .map((kid) => `${kid} ${hexOf(deriveLedgerKey(TEST_MASTER_SECRET, tenantId, kid))}\n`)
    .join('');
  const keys = [
    ...(await judge.checkpoints.logKeys(tenantId)),
    ...valueOf(await judge.authority.witness()).vkeys,
  ].join('\n');

  const links = (await linksOf(judge.pool, tenantId)).slice(0, headSeq + 1);
  const tree = treeOver(links);
  expect(tree.size, 'sealed entries').toBe(expected.sealed);
  const root = hexOf(tree.rootAt(tree.size));
  const witnessKeys = expected.isWitnessed ? keys : null;
  expect(engineAnswer(file, { secrets, witnessKeys })).toMatchObject({
    result: 'verified',
    found: null,
    sealedCount: expected.sealed,
    unsealedCount: links.length - expected.sealed,
    head: { seq: headSeq },
    tree: { size: tree.size, rootHex: root },
    signatures: 'verified',
    witnesses: expected.isWitnessed ? [{ name: expect.any(String) }] : [],
  });
  const given = read(parseWitnessKeys(keys)).filter(({ kind }) => kind === 'cosignature');
  const { pool, house } = judge;
  const [told, differences] = await Promise.all([
    programAnswer(file, { secrets, witnessKeys }),
    checkLedger(tenantId, { pool, connectionString: house.connectionString }),
    checkHistory(judge, tenantId, given),
  ]);
  expect(differences).toEqual(WHOLE);
  if (told !== null)
    expect(told).toMatchObject({
      exit: 0,
      answer: { result: 'verified', sealed: expected.sealed, tree: { size: tree.size, root } },
    });
}

interface GivenKeys {
  readonly secrets: string;
  /** Null = notes are not checked. */
  readonly witnessKeys: string | null;
}

function engineAnswer(file: string, { secrets, witnessKeys }: GivenKeys) {
  const options: VerifierOptions = {
    ...NO_OPTIONS,
    secrets: read(parseSecrets(secrets)),
    witnessKeys: witnessKeys === null ? null : read(parseWitnessKeys(witnessKeys)),
    requireSealed: true,
    requireSignatures: true,
  };
  const verifier = new ExportVerifier(options);
  const bytes = Buffer.from(file);
  for (let begin = 0; begin < bytes.length;) {
    const end = bytes.indexOf('\n', begin);
    if (!verifier.line(bytes, begin, end)) break;
    begin = end + 1;
  }
  return verifier.end();
}

/** What the other implementation says, in Python; null where there is none. */
async function programAnswer(file: string, { secrets, witnessKeys }: GivenKeys) {
  if (!HAS_PYTHON) return null;
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-judged-'));
  try {
    const put = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const child = spawn('python3', [
      ...['scripts/verify_ledger.py', put('export', file), '--json'],
      ...[
        '--require-sealed',
        '--require-signatures',
        '--hmac-secret-file',
        put('secrets', secrets),
      ],
      ...(witnessKeys === null ? [] : ['--witness-keys', put('witnesses', witnessKeys)]),
    ]);
    const [answer, [exit]] = await Promise.all([
      textOf(child.stdout),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { exit, answer: JSON.parse(answer) as unknown };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function read<Value>(
  result:
    { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: string },
): Value {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
