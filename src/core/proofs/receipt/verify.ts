import { createPublicKey, verify } from 'node:crypto';
import {
  entryLink,
  leafHash,
  parseCosignature,
  type VerifierKey,
  quorumOf,
  verifyInclusion,
  verifyNote,
} from '../../chain/index.js';
import { canonicalize, type CanonicalValue } from '../../kernel/index.js';
import type { NamedKey, ReadReceipt } from './read.js';
import { claimsOfBody, type DecisionClaims, statedEntry } from './statement.js';

/** What the reader of a receipt trusts and asks for. */
export interface ReceiptOptions {
  /** Keys of the issuer from elsewhere; null = none were given, so the receipt's own is used and trusted by nobody. */
  readonly issuerKeys: readonly NamedKey[] | null;
  /** Keys of witnesses (type 04), and of the log (type 01) if they are pinned. Null = none were given. */
  readonly witnessKeys: readonly VerifierKey[] | null;
  /** How many different given witnesses have to have cosigned. */
  readonly witnessQuorum: number;
  readonly expectedTenant: string | null;
  readonly requireWitnessed: boolean;
}

/** A cosigner whose signature was verified. `isSelf` = the issuer says that it runs this witness itself. */
export interface VerifiedWitness {
  readonly name: string;
  readonly isSelf: boolean;
  readonly timeSeconds: number;
}

export interface ReceiptBreak {
  readonly code: ReceiptBreakCode;
  /** One sentence. */
  readonly detail: string;
}

export interface ReceiptVerdict {
  /** The first check that failed, in the order of {@link CHECKS}. */
  readonly fault: ReceiptBreak | null;
  /** In the order of the note; empty unless keys were given and nothing before the quorum failed. */
  readonly witnesses: readonly VerifiedWitness[];
}

type Check = (read: ReadReceipt, options: ReceiptOptions) => string | null;

/**
 * The checks in their order; the first that fails is the break that is told. Each answers with one sentence, or null.
 * Not checked: revocation of the issuer's key, the reader's clock, and (without the entry) what the link hides.
 */
const CHECKS = [
  ['key_untrusted', keyUntrusted],
  ['statement_signature', statementSignature],
  ['tenant_mismatch', tenantMismatch],
  ['statement_mismatch', statementMismatch],
  ['link_hash', linkHash],
  ['inclusion', inclusion],
  ['checkpoint_signature', checkpointSignature],
  ['witness_signature', witnessSignature],
  ['not_witnessed', notWitnessed],
  ['cosignature_quorum', cosignatureQuorum],
] as const satisfies readonly (readonly [string, Check])[];

export type ReceiptBreakCode = (typeof CHECKS)[number][0];

export const RECEIPT_BREAKS: readonly ReceiptBreakCode[] = CHECKS.map(([code]) => code);

/** Judges a receipt whose form is good. */
export function verifyReceipt(read: ReadReceipt, options: ReceiptOptions): ReceiptVerdict {
  for (const [code, check] of CHECKS) {
    const detail = check(read, options);
    if (detail === null) continue;
    const witnesses = code === 'cosignature_quorum' ? witnessesOf(read, options) : [];
    return { fault: { code, detail }, witnesses };
  }
  return { fault: null, witnesses: witnessesOf(read, options) };
}

function keyUntrusted(
  { token, issuerKey, claims, logKey }: ReadReceipt,
  { issuerKeys, witnessKeys }: ReceiptOptions,
): string | null {
  const { kid } = token.header;
  if (issuerKeys !== null) {
    const given = issuerKeys.find((key) => key.kid === kid);
    if (given === undefined) return `no given issuer key has the kid ${kid} of the statement`;
    if (given.kid !== issuerKey.kid || given.key.thumbprint !== issuerKey.key.thumbprint)
      return 'issuer_jwk is not the given key of its kid';
  }
  const pinned = keysOf('ed25519', witnessKeys).filter(({ name }) => name === claims.iss);
  return pinned.length > 0 && !pinned.some(({ text }) => text === logKey.text)
    ? 'the log key of the statement is none of the given ones'
    : null;
}

function statementSignature({ token, issuerKey }: ReadReceipt): string | null {
  const { header, signingInput, signature } = token;
  const { kid, key } = issuerKey;
  if (header.kid !== kid) return 'the statement was signed with another key than issuer_jwk';
  if (header.alg !== key.alg) return `the key signs by ${key.alg}, the header says ${header.alg}`;
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
  const input = Buffer.from(signingInput, 'latin1');
  const isGood =
    key.alg === 'EdDSA'
      ? verify(null, input, publicKey, signature)
      : verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  return isGood ? null : 'the signature of the statement is not of its key';
}

function tenantMismatch(
  { claims: { iss, tenant_id: tenantId } }: ReadReceipt,
  { expectedTenant }: ReceiptOptions,
): string | null {
  if (!iss.endsWith(`/${tenantId}`)) return 'the ledger it names is of another tenant';
  return expectedTenant === null || expectedTenant === tenantId
    ? null
    : `it is of ${tenantId}, not of ${expectedTenant}`;
}

function statementMismatch(read: ReadReceipt): string | null {
  const { receipt, claims, checkpoint, proof, logKey } = read;
  if (receipt.witnessed !== claims.witnessed)
    return 'witnessed is not what the signed statement says';
  if (checkpoint.origin !== claims.iss) return 'the checkpoint is of another ledger';
  if (logKey.name !== claims.iss) return 'the log key is of another ledger';
  // A leaf is a sealed entry, and no entry comes before its own number.
  if (proof.index > BigInt(claims.entry.seq)) return 'the proof is of a later entry';
  const { entry } = receipt;
  if (entry === null)
    return claims.entry.mac === null && claims.entry.body_sha256 === null
      ? null
      : 'the entry that the statement describes was left out';
  if (!isSame(statedEntry(entry, true), claims.entry))
    return 'the entry is not the one of the statement';
  const told = claimsOfBody(entry.body);
  if (!told.ok) return told.error;
  const other = Object.entries(told.value).find(
    ([name, value]) => !isSame(value as CanonicalValue, stated(claims, told.value, name)),
  );
  return other === undefined ? null : `${other[0]} of the statement is not what the entry says`;
}

/** The reason that a countersignature takes away: it comes after the entry of the decision, as one of its own. */
const UNTIL_COUNTERSIGNED = 'grantex_countersignature_missing';

/** A claim as the entry would have to say it. A decision that was countersigned later is usable by that. */
function stated(
  claims: ReadReceipt['claims'],
  entry: DecisionClaims,
  name: string,
): CanonicalValue {
  const countersigned =
    claims.usable && claims.usable_reason === null && entry.usable_reason === UNTIL_COUNTERSIGNED;
  const compared = countersigned
    ? { ...claims, usable: entry.usable, usable_reason: entry.usable_reason }
    : claims;
  return compared[name as keyof DecisionClaims];
}

const isSame = (one: CanonicalValue | object, other: CanonicalValue | object): boolean =>
  canonicalize(one as CanonicalValue) === canonicalize(other as CanonicalValue);

function linkHash({ receipt: { entry }, claims }: ReadReceipt): string | null {
  if (entry === null) return null;
  return entryLink({ ...entry, tenantId: claims.tenant_id }, entry.mac) === entry.link
    ? null
    : 'the link is not the hash of the entry';
}

function inclusion({ claims, proof, checkpoint }: ReadReceipt): string | null {
  const isIncluded = verifyInclusion({
    index: proof.index,
    size: checkpoint.size,
    leafHash: leafHash(Buffer.from(claims.entry.link, 'hex')),
    proof: proof.hashes,
    root: checkpoint.root,
  });
  return isIncluded ? null : 'the proof does not lead from the entry to the root of the checkpoint';
}

function checkpointSignature({ note, logKey }: ReadReceipt): string | null {
  const verified = verifyNote(note, [logKey]);
  if (!verified.ok) return 'the signature of the checkpoint is not of the log key';
  return verified.value.verified.length > 0 ? null : 'the log key did not sign the checkpoint';
}

function witnessSignature({ note }: ReadReceipt, { witnessKeys }: ReceiptOptions): string | null {
  const verified = verifyNote(note, keysOf('cosignature', witnessKeys));
  return verified.ok ? null : `the cosignature of ${verified.error.key.name} is not of its key`;
}

function notWitnessed(
  { claims }: ReadReceipt,
  { witnessKeys, requireWitnessed }: ReceiptOptions,
): string | null {
  const isAsked = requireWitnessed || keysOf('cosignature', witnessKeys).length > 0;
  return isAsked && !claims.witnessed
    ? 'it says itself that no quorum of witnesses cosigned'
    : null;
}

function cosignatureQuorum(read: ReadReceipt, options: ReceiptOptions): string | null {
  const { witnessKeys, witnessQuorum, requireWitnessed } = options;
  if (!requireWitnessed && keysOf('cosignature', witnessKeys).length === 0) return null;
  const given = witnessKeys ?? [];
  const { signed, ...quorum } = quorumOf(given, cosignersOf(read, given));
  if (signed >= witnessQuorum) return null;
  const missing = quorum.missing.join(', ') || 'none';
  return `${signed} of ${quorum.given} witness keys given cosigned, ${witnessQuorum} are asked for; missing: ${missing}`;
}

function cosignersOf({ note }: ReadReceipt, given: readonly VerifierKey[]): readonly VerifierKey[] {
  const verified = verifyNote(note, keysOf('cosignature', given));
  return verified.ok ? verified.value.verified : [];
}

/** Lines of the checkpoint that have the form of a cosignature. None of them is verified here. */
export const carriedCosignatures = ({ note, logKey }: ReadReceipt): number =>
  note.signatures.filter(
    ({ name, keyId, signature }) =>
      !(name === logKey.name && keyId === logKey.keyId) && parseCosignature(signature) !== null,
  ).length;

/** The verified cosigners, each public key once: a cosignature does not name its cosigner. */
function witnessesOf(
  read: ReadReceipt,
  { witnessKeys }: ReceiptOptions,
): readonly VerifiedWitness[] {
  const { note, claims } = read;
  const byKey = new Map(
    cosignersOf(read, witnessKeys ?? []).map((key) => [
      Buffer.from(key.publicKey).toString('hex'),
      key,
    ]),
  );
  return [...byKey.values()].map(({ name, keyId }) => {
    const line = note.signatures.find((each) => each.name === name && each.keyId === keyId);
    return {
      name,
      isSelf: claims.self_witnesses.includes(name),
      timeSeconds: line === undefined ? 0 : (parseCosignature(line.signature)?.timeSeconds ?? 0),
    };
  });
}

const keysOf = (
  kind: VerifierKey['kind'],
  keys: readonly VerifierKey[] | null,
): readonly VerifierKey[] => (keys ?? []).filter((key) => key.kind === kind);
