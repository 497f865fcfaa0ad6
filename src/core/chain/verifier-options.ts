import { err, ok, type Result } from '../kernel/index.js';
import { isDigestHex, isKeyId } from './entry-bytes.js';
import { parseVkey, type VerifierKey } from './vkey.js';

/** A head that somebody was told in public; seq null = the place is not known. */
export interface ExpectedHead {
  readonly seq: number | null;
  readonly hash: string;
}

/** Derived HMAC keys by key id; `only` = the key of the one key id of the export, whatever it is. */
export type Secrets =
  | { readonly kind: 'byKid'; readonly keys: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'only'; readonly key: Uint8Array };

export interface VerifierOptions {
  readonly expectedHead: ExpectedHead | null;
  /** Null = macs are not checked. */
  readonly secrets: Secrets | null;
  /** Null = signatures of notes are not checked. */
  readonly witnessKeys: readonly VerifierKey[] | null;
  /** How many different witness keys the newest witnessed head must carry; counts only with witness keys. */
  readonly witnessQuorum: number;
  readonly requireSealed: boolean;
  readonly requireSignatures: boolean;
}

export const NO_OPTIONS: VerifierOptions = {
  expectedHead: null,
  secrets: null,
  witnessKeys: null,
  witnessQuorum: 1,
  requireSealed: false,
  requireSignatures: false,
};

const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;
const SECRET = /^[0-9a-fA-F]{64}$/;
const SECRET_LINE = /^(\S+)[ \t]+([0-9a-fA-F]{64})$/;

/** `<hash>` or `<seq>:<hash>`; the hash is 64 lowercase hex digits. */
export function parseExpectedHead(text: string): Result<ExpectedHead, string> {
  const [first = '', second, ...rest] = text.split(':');
  const hash = second ?? first;
  const seq = second === undefined ? null : Number(first);
  const isSeq = seq === null || (DECIMAL.test(first) && Number.isSafeInteger(seq));
  return rest.length === 0 && isSeq && isDigestHex(hash)
    ? ok({ seq, hash })
    : err('--expected-head is <hash> or <seq>:<hash>, the hash in 64 lowercase hex digits');
}

/** Lines that say something: trimmed, no comments, not empty; with their numbers. */
const linesOf = (text: string): [number, string][] =>
  text
    .split('\n')
    .map((line, index): [number, string] => [index + 1, line.replace(/^[ \t\r]+|[ \t\r]+$/g, '')])
    .filter(([, line]) => line !== '' && !line.startsWith('#'));

/**
 * A file of derived keys: lines `<kid> <64 hex digits>`, or one line of 64 hex digits alone. The error names the line and
 * never what stands in it.
 */
export function parseSecrets(text: string): Result<Secrets, string> {
  const lines = linesOf(text);
  const [[, only = ''] = []] = lines;
  if (lines.length === 1 && SECRET.test(only))
    return ok({ kind: 'only', key: Buffer.from(only, 'hex') });
  const keys = new Map<string, Uint8Array>();
  for (const [number, line] of lines) {
    const [, kid = '', secret = ''] = SECRET_LINE.exec(line) ?? [];
    if (!isKeyId(kid)) return err(`line ${number} is not <kid> <64 hex digits>`);
    if (keys.has(kid)) return err(`line ${number} names a key id that has a key already`);
    keys.set(kid, Buffer.from(secret, 'hex'));
  }
  return keys.size === 0 ? err('there is no key in it') : ok({ kind: 'byKid', keys });
}

/** A file of C2SP verifier keys, one a line. The error names the line. */
export function parseWitnessKeys(text: string): Result<readonly VerifierKey[], string> {
  const keys: VerifierKey[] = [];
  for (const [number, line] of linesOf(text)) {
    const key = parseVkey(line);
    if (!key.ok) return err(`line ${number}: ${key.error}`);
    const { name, keyId } = key.value;
    if (keys.some((other) => other.name === name && other.keyId === keyId))
      return err(`line ${number} gives a key a second time`);
    keys.push(key.value);
  }
  return keys.length === 0 ? err('there is no key in it') : ok(keys);
}

/** How many different witnesses (type 04) there are: one key under two names is one, a cosignature names no cosigner. */
export const witnessCount = (keys: readonly VerifierKey[]): number =>
  new Set(
    keys
      .filter(({ kind }) => kind === 'cosignature')
      .map(({ publicKey }) => Buffer.from(publicKey).toString('hex')),
  ).size;

/** Who of the witnesses given signed; one key under two names is one. */
export interface Quorum {
  readonly given: number;
  readonly signed: number;
  /** Names of those that did not. */
  readonly missing: readonly string[];
}

export function quorumOf(given: readonly VerifierKey[], signed: readonly VerifierKey[]): Quorum {
  const has = ({ publicKey }: VerifierKey): boolean =>
    signed.some((key) => Buffer.compare(key.publicKey, publicKey) === 0);
  const missing = given.filter((key) => key.kind === 'cosignature' && !has(key));
  return {
    given: witnessCount(given),
    signed: witnessCount(signed),
    missing: [...new Set(missing.map(({ name }) => name))],
  };
}

/** A quorum above the witnesses whose keys were given: null = it can be met. */
export function quorumFault(quorum: number, keys: readonly VerifierKey[]): string | null {
  const count = witnessCount(keys);
  return quorum <= count
    ? null
    : `--witness-quorum ${quorum} asks for more than the ${count} different witness ${count === 1 ? 'key' : 'keys'} given`;
}

/** The HMAC keys for an export with these key ids. Refused: one key without key id for several, or for none. */
export function keysFor(
  secrets: Secrets | null,
  kids: readonly string[],
): Result<ReadonlyMap<string, Uint8Array>, string> {
  if (secrets === null) return ok(new Map());
  if (secrets.kind === 'byKid') return ok(secrets.keys);
  const [kid, ...others] = new Set(kids);
  return kid !== undefined && others.length === 0
    ? ok(new Map([[kid, secrets.key]]))
    : err('the secret file names no key id, and the export has not exactly one');
}
