import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vkeyOf } from '../../src/core/chain/index.js';
import {
  type Receipt,
  RECEIPT_BREAKS,
  readReceipt,
  type ReceiptBreakCode,
  type ReceiptOptions,
  statedEntry,
  verifyReceipt,
} from '../../src/core/proofs/index.js';
import { COSIGNED_AT_S, type Draft, ORIGIN, ReceiptMaker, TENANT } from './receipt-maker.js';

const maker = new ReceiptMaker();

function outcomeOf(text: string, options: ReceiptOptions): string {
  const read = readReceipt(text);
  if (!read.ok) return 'unreadable';
  return verifyReceipt(read.value, options).fault?.code ?? 'verified';
}

const judged = (receipt: Receipt, options: ReceiptOptions = maker.options()): string =>
  outcomeOf(JSON.stringify(receipt), options);

type Options = ReturnType<ReceiptMaker['options']>;

/** One damage for each break, such that any two of them can be done together. */
const DAMAGES: Readonly<Record<ReceiptBreakCode, (draft: Draft, options: Options) => void>> = {
  key_untrusted: (_, options) => (options.issuerKeys = [maker.otherIssuerKey]),
  statement_signature: (draft) => draft.wrongly.add('statement'),
  tenant_mismatch: (_, options) => (options.expectedTenant = 'tnt_other'),
  statement_mismatch: (draft) => (draft.claims.outcome = 'refuse'),
  link_hash: (draft) => {
    if (draft.entry !== null) draft.entry.mac = 'f'.repeat(64);
    draft.claims.entry = { ...draft.claims.entry, mac: 'f'.repeat(64) };
  },
  inclusion: (draft) => draft.hashes.reverse(),
  checkpoint_signature: (draft) => draft.wrongly.add('log'),
  witness_signature: (draft) => draft.wrongly.add('witness'),
  not_witnessed: (draft) => {
    draft.claims.witnessed = false;
    draft.witnessed = false;
  },
  cosignature_quorum: (_, options) => (options.witnessQuorum = 3),
};

describe('a receipt', () => {
  it.each(['EdDSA', 'ES256'] as const)('of a key for %s is verified', (alg) => {
    const made = new ReceiptMaker(alg);
    for (const isOpen of [true, false]) {
      const read = readReceipt(JSON.stringify(made.receipt(made.draft(isOpen))));
      expect(read).toMatchObject({ ok: true });
      if (!read.ok) return;
      expect(verifyReceipt(read.value, made.options())).toEqual({
        fault: null,
        witnesses: [
          { name: 'witness-0.example', isSelf: true, timeSeconds: COSIGNED_AT_S },
          { name: 'witness-1.example', isSelf: false, timeSeconds: COSIGNED_AT_S + 1 },
        ],
      });
    }
  });

  it.each<readonly [string | null, boolean, string | null, string]>([
    // What the entry says, then what the statement says of the time of the receipt.
    ['grantex_countersignature_missing', false, 'grantex_countersignature_missing', 'verified'],
    ['grantex_countersignature_missing', true, null, 'verified'],
    [
      'grantex_countersignature_missing',
      true,
      'grantex_countersignature_missing',
      'statement_mismatch',
    ],
    ['grantex_countersignature_missing', false, null, 'statement_mismatch'],
    ['agent_executed_payment_disabled', true, null, 'statement_mismatch'],
    [null, false, null, 'statement_mismatch'],
  ])(
    'an entry not usable by %s is stated as usable %s, %s: %s',
    (inEntry, usable, reason, expected) => {
      const made = new ReceiptMaker('EdDSA', { usable: inEntry === null, usable_reason: inEntry });
      const draft = made.draft();
      draft.claims.usable = usable;
      draft.claims.usable_reason = reason;
      expect(judged(made.receipt(draft), made.options())).toBe(expected);
    },
  );

  it.each([
    ['of another type', 'decision.recorded', 'decision.recorder'],
    ['without a member', '"dry_run"', '"dry_ruin"'],
    ['that is no JSON', '{"actor"', '{actor"'],
  ])('an entry %s is no decision', (_, from, to) => {
    const draft = maker.draft();
    if (draft.entry === null) throw new Error('no entry');
    draft.entry.body = draft.entry.body.replace(from, to);
    draft.claims.entry = statedEntry(draft.entry, true);
    expect(judged(maker.receipt(draft))).toBe('statement_mismatch');
  });

  it('what holds no key of a witness asks for none', () => {
    const draft = maker.draft();
    DAMAGES.not_witnessed(draft, maker.options());
    const options = { ...maker.options(), witnessKeys: null, requireWitnessed: false };
    expect(judged(maker.receipt(draft), options)).toBe('verified');
    expect(judged(maker.receipt(draft), { ...options, requireWitnessed: true })).toBe(
      'not_witnessed',
    );
  });

  it('one key under two names is one witness', () => {
    const [first] = maker.witnessKeys;
    if (first === undefined) throw new Error('no witness');
    const twin = vkeyOf('cosignature', 'twin.example', first.publicKey);
    const draft = maker.draft();
    draft.twin = twin;
    const options = { ...maker.options(), witnessKeys: [first, twin] };
    expect(judged(maker.receipt(draft), options)).toBe('cosignature_quorum');
    expect(judged(maker.receipt(draft), { ...options, witnessQuorum: 1 })).toBe('verified');
  });

  it('a log key that is pinned has to be the one', () => {
    const other = new ReceiptMaker();
    const options = { ...maker.options(), witnessKeys: [other.logKey, ...maker.witnessKeys] };
    expect(judged(maker.receipt(maker.draft()), options)).toBe('key_untrusted');
  });
});

describe('the order of the breaks', () => {
  it.each(RECEIPT_BREAKS)('%s is told', (code) => {
    const [draft, options] = [maker.draft(), maker.options()];
    DAMAGES[code](draft, options);
    expect(judged(maker.receipt(draft), options)).toBe(code);
  });

  const pairs = RECEIPT_BREAKS.flatMap((first, place) =>
    RECEIPT_BREAKS.slice(place + 1).map((second) => [first, second] as const),
  );

  it.each(pairs)('%s before %s', (first, second) => {
    const [draft, options] = [maker.draft(), maker.options()];
    DAMAGES[second](draft, options);
    DAMAGES[first](draft, options);
    expect(judged(maker.receipt(draft), options)).toBe(first);
  });
});

/** Every leaf of a JSON value, by its path. */
function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
    : [path];
}

function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'boolean') return !value;
    return typeof value === 'string' ? `${value}x` : 'x';
  }
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [name]: changedAt(members[name], rest) };
}

describe('every member is bound', () => {
  const receipt = maker.receipt(maker.draft());

  it.each(leaves(receipt).map((path) => [path.join('.'), path] as const))(
    '%s of the document',
    (_, path) => {
      const text = JSON.stringify(changedAt(receipt, path));
      expect(outcomeOf(text, maker.options())).not.toBe('verified');
    },
  );

  const EXPECTED: Readonly<Record<string, string>> = {
    iss: 'key_untrusted',
    tenant_id: 'tenant_mismatch',
    log_key: 'unreadable',
    'entry.link': 'unreadable',
    // The issuer alone says these: nothing in the ledger does.
    iat: 'verified',
    world: 'unreadable',
    'self_witnesses.0': 'verified',
    outcome: 'unreadable',
  };
  const { claims } = maker.draft();

  it.each(leaves(claims).map((path) => [path.join('.'), path] as const))(
    '%s of the statement, signed again',
    (name, path) => {
      const draft = maker.draft();
      const signed = changedAt(claims, path) as Draft['claims'];
      // An array that was changed is still one.
      if (name.startsWith('self_witnesses')) signed.self_witnesses = ['x'];
      const options = name === 'iss' ? { ...maker.options(), witnessKeys: null } : maker.options();
      const outcome = judged(maker.receipt({ ...draft, claims: signed }), options);
      const expected = name === 'iss' ? 'tenant_mismatch' : EXPECTED[name];
      expect(outcome).toBe(expected ?? 'statement_mismatch');
    },
  );

  it('the name of the key too, when no key was given', () => {
    const draft = maker.draft();
    draft.issuerJwk = { ...draft.issuerJwk, kid: 'another' };
    const options = { ...maker.options(), issuerKeys: null };
    expect(judged(maker.receipt(draft), options)).toBe('statement_signature');
  });

  it('members that nobody knows are refused', () => {
    expect(outcomeOf(JSON.stringify({ ...receipt, note: '' }), maker.options())).toBe('unreadable');
    const draft = maker.draft();
    const more = { ...draft.claims, note: '' };
    expect(judged(maker.receipt({ ...draft, claims: more }))).toBe('unreadable');
  });

  it('a checkpoint of another ledger, and a later entry, are found', () => {
    const draft = maker.draft();
    expect(judged(maker.receipt({ ...draft, checkpointOrigin: `other/${TENANT}` }))).toBe(
      'statement_mismatch',
    );
    const foreign = vkeyOf('ed25519', `other/${TENANT}`, maker.logKey.publicKey).text;
    const named = { ...draft, claims: { ...draft.claims, log_key: foreign } };
    const unpinned = { ...maker.options(), witnessKeys: maker.witnessKeys };
    expect(judged(maker.receipt(named), unpinned)).toBe('statement_mismatch');
    expect(judged(maker.receipt({ ...draft, index: 7n }))).toBe('statement_mismatch');
    expect(judged(maker.receipt({ ...draft, index: 5n }))).toBe('inclusion');
    expect(judged(maker.receipt({ ...draft, entry: null }))).toBe('statement_mismatch');
  });

  it('any changed byte is found, or is without meaning', () => {
    const text = JSON.stringify(receipt, null, 1);
    const meaning = JSON.stringify(receipt);
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, change) => {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ change;
          const read = changed.toString('utf8');
          if (!Buffer.from(read).equals(changed)) return;
          if (outcomeOf(read, maker.options()) !== 'verified') return;
          expect(JSON.stringify(JSON.parse(read))).toBe(meaning);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('whatever the text is, it is answered', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(outcomeOf(text, maker.options())).toBe('unreadable');
      }),
    );
  });
});

describe('scripts/verify-receipt.mjs', () => {
  const program = new URL('../../scripts/verify-receipt.mjs', import.meta.url).pathname;
  let folder: string;
  const path = (name: string, text: string | Buffer): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  let good: string;
  let issuerKeys: string;
  let witnessKeys: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'arbiter-receipts-'));
    good = path('good.json', JSON.stringify(maker.receipt(maker.draft())));
    issuerKeys = path('jwks.json', maker.jwks());
    const keys = [maker.logKey, ...maker.witnessKeys].map(({ text }) => text);
    witnessKeys = path('witnesses', `# who is trusted\n\n${keys.join('\n')}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('0: says what is proved and what is not', () => {
    const trusting = run(good);
    expect(trusting).toMatchObject({ status: 0, stderr: '' });
    expect(trusting.stdout).toContain('verified: allow arbdec_0123456789ab');
    expect(trusting.stdout).toContain('not proved: whose signature it is');
    expect(trusting.stdout).toContain(
      'not proved: that a quorum of witnesses cosigned, as the receipt says; it carries 2 cosignatures, none of them was checked: give --witness-keys\n',
    );
    const careful = run(
      good,
      '--issuer-keys',
      issuerKeys,
      `--witness-keys=${witnessKeys}`,
      '--witness-quorum=2',
      '--expected-tenant',
      TENANT,
      '--require-witnessed',
    );
    expect(careful).toMatchObject({ status: 0, stderr: '' });
    expect(careful.stdout).not.toContain('not proved');
    expect(careful.stdout).toContain('cosigned by witness-0.example (run by the issuer itself) at');
  });

  it('0: without the entry it says that only its link is bound', () => {
    const short = path('short.json', JSON.stringify(maker.receipt(maker.draft(false))));
    expect(run(short).stdout).toContain('not proved: the rest of the entry');
  });

  it('1: names the first break', () => {
    for (const code of RECEIPT_BREAKS) {
      if (['key_untrusted', 'tenant_mismatch', 'cosignature_quorum'].includes(code)) continue;
      const draft = maker.draft();
      DAMAGES[code](draft, maker.options());
      const bad = path(`${code}.json`, JSON.stringify(maker.receipt(draft)));
      const ended = run(bad, '--issuer-keys', issuerKeys, '--witness-keys', witnessKeys, '--json');
      expect(ended.status).toBe(1);
      expect(JSON.parse(ended.stdout)).toMatchObject({ result: 'broken', break: code });
    }
    expect(run(good, '--expected-tenant', 'tnt_other').stdout).toMatch(/^tenant_mismatch: /);
    const others = path('others.json', new ReceiptMaker().jwks());
    expect(run(good, '--issuer-keys', others).stdout).toMatch(/^key_untrusted: /);
  });

  it('--json is one line with everything', () => {
    const { status, stdout } = run(good, '--json', '--witness-keys', witnessKeys);
    expect([status, stdout.split('\n').length]).toEqual([0, 2]);
    expect(JSON.parse(stdout)).toMatchObject({
      result: 'verified',
      break: null,
      decision_id: 'arbdec_0123456789ab',
      tenant_id: TENANT,
      world: 'live',
      outcome: 'allow',
      issuer: 'untrusted',
      entry: 'whole',
      checkpoint: { origin: ORIGIN, size: '11', index: '4' },
      witnessed: true,
      witnesses: [
        { name: 'witness-0.example', self: true, cosigned_at: '2026-11-30T00:53:20.000Z' },
        { name: 'witness-1.example', self: false, cosigned_at: '2026-11-30T00:53:21.000Z' },
      ],
      message: null,
    });
  });

  it('2: no receipt, or options that cannot be used', () => {
    const bad = (text: string | Buffer) => path('bad', text);
    const given = (name: string, text: string) => run(good, name, bad(text));
    const ends = [
      run(),
      run(good, good),
      run('/nowhere/receipt.json'),
      run(bad('{')),
      run(bad('{}')),
      run(bad(Buffer.from([0x7b, 0xff]))),
      run(bad(`\ufeff${JSON.stringify(maker.receipt(maker.draft()))}`)),
      run(good, '--frob'),
      run(good, '--json=yes'),
      run(good, '--json', '--json'),
      run(good, '--witness-quorum', '1'),
      run(good, '--require-witnessed'),
      run(good, '--witness-keys', witnessKeys, '--witness-quorum', '3'),
      run(good, '--witness-keys', witnessKeys, '--witness-quorum', '0'),
      run(good, '--issuer-keys'),
      given('--issuer-keys', '{}'),
      given('--issuer-keys', '{"keys":[]}'),
      given('--issuer-keys', maker.jwks().replace(/\[(.*)\]/, '[$1,$1]')),
      given('--witness-keys', ''),
      given('--witness-keys', 'x'),
      given('--witness-keys', `${maker.logKey.text}\n${maker.logKey.text}`),
    ];
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 2));
    for (const { stdout, stderr } of ends.filter((_, at) => at !== 9)) {
      expect(stdout).toBe('');
      expect(stderr).not.toContain('    at ');
    }
    const told = JSON.parse(run(bad('{}'), '--json').stdout) as unknown;
    expect(told).toMatchObject({ result: 'unreadable' });
  });
});
