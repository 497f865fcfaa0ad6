import { decodeUtf8, parseVkey, quorumFault, type VerifierKey } from '../core/chain/index.js';
import { err, formatInstant, ok, parseStrictJson, type Result } from '../core/kernel/index.js';
import {
  carriedCosignatures,
  type NamedKey,
  readIssuerKey,
  type ReadReceipt,
  readReceipt,
  RECEIPT_BYTES_MAX,
  type ReceiptOptions,
  type ReceiptVerdict,
  verifyReceipt,
} from '../core/proofs/index.js';
import { readBounded } from './bounded-file.js';
import { asksForHelp, HELP_EXIT_CODE, readFault } from './read-fault.js';

/**
 * Checks a decision receipt offline. Exit code 0: verified; 1: the first check that failed is named; 2: no readable
 * receipt, or options that cannot be used. Asks no network and no database.
 */
const USAGE = `usage: verify-receipt.mjs RECEIPT.json [--issuer-keys JWKS.json] [--witness-keys FILE] [--witness-quorum n]
       [--expected-tenant T] [--require-witnessed] [--json] [--help]

--issuer-keys      the issuer's JWK Set from elsewhere: without it nobody says whose signature it is
--witness-keys     C2SP verifier keys of witnesses you trust (and of the log, to pin it), one a line; with it at least
                   --witness-quorum of them (default 1) have to have cosigned
--expected-tenant  the tenant the receipt has to be of
--require-witnessed  a receipt that no quorum cosigned is not enough; needs --witness-keys`;

const EXIT = { verified: 0, broken: 1, unreadable: 2 } as const;

interface Wish {
  readonly file: string;
  readonly json: boolean;
  readonly options: ReceiptOptions;
}

const WITH_VALUE = ['--issuer-keys', '--witness-keys', '--witness-quorum', '--expected-tenant'];
const FLAGS = ['--require-witnessed', '--json'];

function readArguments(words: readonly string[]): Result<Wish, string> {
  const given = new Map<string, string>();
  const files: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [name = '', ...rest] = (words[at] ?? '').split('=');
    const isFlag = FLAGS.includes(name) && rest.length === 0;
    if (!name.startsWith('--')) files.push(words[at] ?? '');
    else if (!isFlag && !WITH_VALUE.includes(name)) return err(`there is no option ${name}`);
    else if (given.has(name)) return err(`${name} is given twice`);
    else if (isFlag) given.set(name, '');
    else {
      const value = rest.length > 0 ? rest.join('=') : words[(at += 1)];
      if (value === undefined || value === '') return err(`${name} needs a value`);
      given.set(name, value);
    }
  }
  const [file, another] = files;
  if (file === undefined || another !== undefined) return err('name one receipt');
  const options = readOptions(given);
  return options.ok ? ok({ file, json: given.has('--json'), options: options.value }) : options;
}

function readOptions(given: ReadonlyMap<string, string>): Result<ReceiptOptions, string> {
  const issuerKeys = readKeys(given.get('--issuer-keys'), issuerKeysOf);
  if (!issuerKeys.ok) return issuerKeys;
  const witnessKeys = readKeys(given.get('--witness-keys'), witnessKeysOf);
  if (!witnessKeys.ok) return witnessKeys;
  const quorum = given.get('--witness-quorum') ?? '1';
  if (!/^[1-9]\d{0,8}$/.test(quorum)) return err('--witness-quorum is a whole number from 1 on');
  const requireWitnessed = given.has('--require-witnessed');
  const needsWitnesses = requireWitnessed || given.has('--witness-quorum');
  const hasWitnesses = witnessKeys.value?.some(({ kind }) => kind === 'cosignature') === true;
  if (needsWitnesses && !hasWitnesses)
    return err(
      'give the keys of witnesses with --witness-keys: without them no cosignature is checked',
    );
  const fault = needsWitnesses ? quorumFault(Number(quorum), witnessKeys.value ?? []) : null;
  if (fault !== null) return err(fault);
  return ok({
    issuerKeys: issuerKeys.value,
    witnessKeys: witnessKeys.value,
    witnessQuorum: Number(quorum),
    expectedTenant: given.get('--expected-tenant') ?? null,
    requireWitnessed,
  });
}

function readKeys<Key>(
  path: string | undefined,
  parse: (text: string) => Result<readonly Key[], string>,
): Result<readonly Key[] | null, string> {
  if (path === undefined) return ok(null);
  const text = readText(path);
  if (!text.ok) return text;
  const keys = parse(text.value);
  return keys.ok ? keys : err(`${path}: ${keys.error}`);
}

/** A JWK Set (RFC 7517 section 5). A key that is of no use for receipts makes no fault: sets hold others too. */
function issuerKeysOf(text: string): Result<readonly NamedKey[], string> {
  const parsed = parseStrictJson(text);
  const set = parsed.ok ? (parsed.value as Readonly<Record<string, unknown>> | null) : null;
  const listed: unknown = set?.['keys'];
  if (!Array.isArray(listed)) return err('it is no JWK Set {"keys":[...]}');
  const keys = listed.flatMap((jwk: unknown) => readIssuerKey(jwk) ?? []);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) return err('a kid is there twice');
  return keys.length > 0 ? ok(keys) : err('it holds no public key with a kid');
}

/** One C2SP verifier key a line, `#` comments. */
function witnessKeysOf(text: string): Result<readonly VerifierKey[], string> {
  const keys: VerifierKey[] = [];
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const key = parseVkey(line);
    if (!key.ok) return err(`line ${index + 1}: ${key.error}`);
    const { name, keyId } = key.value;
    if (keys.some((other) => other.name === name && other.keyId === keyId))
      return err(`line ${index + 1}: this key is there twice`);
    keys.push(key.value);
  }
  return keys.length > 0 ? ok(keys) : err('it holds no key');
}

function readText(path: string): Result<string, string> {
  try {
    const bytes = readBounded(path, RECEIPT_BYTES_MAX);
    if (bytes === null) return err(`${path} is longer than ${RECEIPT_BYTES_MAX} bytes`);
    const text = decodeUtf8(bytes);
    return text === null ? err(`${path} is no UTF-8 text`) : ok(text);
  } catch (error) {
    return err(readFault(path, error));
  }
}

const instant = (seconds: number): string => {
  const atMs = seconds * 1_000;
  return atMs <= Date.UTC(9999, 11, 31) ? formatInstant(atMs) : `second ${seconds}`;
};

function documentOf(read: ReadReceipt, { fault, witnesses }: ReceiptVerdict, wish: Wish): object {
  const { claims, checkpoint, proof, receipt } = read;
  return {
    result: fault === null ? 'verified' : 'broken',
    break: fault?.code ?? null,
    decision_id: claims.sub,
    tenant_id: claims.tenant_id,
    world: claims.world,
    outcome: claims.outcome,
    issuer: wish.options.issuerKeys === null ? 'untrusted' : 'given',
    entry: receipt.entry === null ? 'link' : 'whole',
    checkpoint: {
      origin: checkpoint.origin,
      size: checkpoint.size.toString(),
      index: proof.index.toString(),
      root: Buffer.from(checkpoint.root).toString('hex'),
    },
    witnessed: claims.witnessed,
    carried_cosignatures: carriedCosignatures(read),
    witnesses: witnesses.map(({ name, isSelf, timeSeconds }) => ({
      name,
      self: isSelf,
      cosigned_at: instant(timeSeconds),
    })),
    message: fault?.detail ?? null,
  };
}

/** What was proved, then what was not: a line each. */
function linesOf(
  read: ReadReceipt,
  { fault, witnesses }: ReceiptVerdict,
  wish: Wish,
): readonly string[] {
  const { claims, checkpoint, proof, receipt } = read;
  if (fault !== null)
    return [
      `${fault.code}: ${fault.detail}`,
      fault.code === 'cosignature_quorum'
        ? 'Do not rely on this receipt: ask its issuer for one that the missing witnesses cosigned.'
        : 'Do not rely on this receipt: ask its issuer for a new one and compare.',
    ];
  const { sub, outcome, reason, tenant_id: tenantId, world, decided_at: decidedAt } = claims;
  const { amount, currency } = claims.amount;
  const cosigners = witnesses.map(
    ({ name, isSelf, timeSeconds }) =>
      `${name}${isSelf ? ' (run by the issuer itself)' : ''} at ${instant(timeSeconds)}`,
  );
  const gaps = [
    ...(wish.options.issuerKeys === null
      ? ['whose signature it is: the key comes from the receipt itself, give --issuer-keys']
      : []),
    ...(witnesses.length > 0 ? [] : [unwitnessedText(read)]),
    ...(receipt.entry === null
      ? ['the rest of the entry: the receipt binds it by its link only']
      : []),
    ...(world === 'test' ? ['a real purchase: it is of the test world'] : []),
  ];
  return [
    `verified: ${outcome} ${sub}${reason === null ? '' : ` (${reason})`}, ${amount} minor units ${currency}, decided at ${decidedAt}`,
    `tenant ${tenantId}; entry ${claims.entry.seq} is leaf ${proof.index} of ${checkpoint.size} under ${checkpoint.origin}`,
    ...cosigners.map((line) => `cosigned by ${line}`),
    ...gaps.map((gap) => `not proved: ${gap}`),
  ];
}

/** No cosignature was checked: what the receipt says of them, and how many it has. */
function unwitnessedText(read: ReadReceipt): string {
  const count = carriedCosignatures(read);
  const carried = `it carries ${count} ${count === 1 ? 'cosignature' : 'cosignatures'}`;
  const said = read.claims.witnessed
    ? 'that a quorum of witnesses cosigned, as the receipt says'
    : 'anything by others: the receipt says that no quorum of witnesses cosigned';
  const unchecked = count === 0 ? '' : ', none of them was checked';
  return `${said}; ${carried}${unchecked}${read.claims.witnessed ? ': give --witness-keys' : ''}`;
}

function run(words: readonly string[]): number {
  const unreadable = (message: string): number => {
    if (words.includes('--json'))
      process.stdout.write(`${JSON.stringify({ result: 'unreadable', message })}\n`);
    else process.stderr.write(`${message}\n`);
    return EXIT.unreadable;
  };
  if (asksForHelp(words)) {
    process.stdout.write(`${USAGE}\n`);
    return HELP_EXIT_CODE;
  }
  const wish = readArguments(words);
  if (!wish.ok) return unreadable(`${wish.error}\n${USAGE}`);
  const text = readText(wish.value.file);
  if (!text.ok) return unreadable(text.error);
  const read = readReceipt(text.value);
  if (!read.ok) return unreadable(printable(`This is no readable receipt: ${read.error}.`));
  const verdict = verifyReceipt(read.value, wish.value.options);
  const answer = wish.value.json
    ? JSON.stringify(documentOf(read.value, verdict, wish.value))
    : linesOf(read.value, verdict, wish.value).map(printable).join('\n');
  process.stdout.write(`${answer}\n`);
  return verdict.fault === null ? EXIT.verified : EXIT.broken;
}

/** What is printed of a file that somebody else made steers no terminal, and begins no line that would look like ours. */
const printable = (line: string): string => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');

// Nobody reads the answer: a closed pipe, a full disk. Node would exit with 1, which means a break.
process.on('uncaughtException', () => process.exit(EXIT.unreadable));

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`A fault of this program: ${String(error)}\n`);
  process.exitCode = EXIT.unreadable;
}
