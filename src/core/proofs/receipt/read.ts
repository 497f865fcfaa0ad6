import {
  type Checkpoint,
  isDigestHex,
  parseCheckpoint,
  parseNote,
  parseTlogProof,
  parseVkey,
  type SignedNote,
  type TlogProof,
  type VerifierKey,
} from '../../chain/index.js';
import { err, ok, parseStrictJson, type Result } from '../../kernel/index.js';
import { parsePublicJwk, type VerificationKey } from '../jwk.js';
import { parseToken, type UncheckedToken } from '../jws.js';
import {
  closed,
  isCount,
  isFlag,
  isStatementClaims,
  isText,
  oneOf,
  orNull,
  type Receipt,
  RECEIPT_FORMAT,
  RECEIPT_TYP,
  RECEIPT_VERSION,
  type StatementClaims,
} from './statement.js';

/** Longest receipt that is read, in UTF-8 bytes; the body of a decision has at most some hundred thousand. */
export const RECEIPT_BYTES_MAX = 16 * 1024 * 1024;

/** A public key and the name it is known by. */
export interface NamedKey {
  readonly kid: string;
  readonly key: VerificationKey;
}

/** A receipt whose form is good. NOT yet verified. */
export interface ReadReceipt {
  readonly receipt: Receipt;
  readonly token: UncheckedToken;
  readonly claims: StatementClaims;
  readonly issuerKey: NamedKey;
  readonly proof: TlogProof;
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
  readonly logKey: VerifierKey;
}

const entryForm = closed({
  seq: isCount,
  kid: isText,
  prev: isText,
  mac: isText,
  link: isText,
  body: isText,
});

const JWK_NAMES = { kty: isText, crv: isText, x: isText, kid: isText, alg: isText, use: isText };
const isOkpForm = closed(JWK_NAMES);
const isEcForm = closed({ ...JWK_NAMES, y: isText });
const isJwkForm = (value: unknown): boolean => isOkpForm(value) || isEcForm(value);

const isReceipt = closed({
  format: oneOf(RECEIPT_FORMAT),
  version: oneOf(RECEIPT_VERSION),
  witnessed: isFlag,
  statement: isText,
  entry: orNull(entryForm),
  proof: isText,
  issuer_jwk: isJwkForm,
}) as (value: unknown) => value is Receipt;

/**
 * Reads the text of a receipt. Failures, one sentence each, in this order: too long, no strict JSON, not exactly the
 * members of a receipt, a statement that is no JWS with exactly its claims, a key that is none or unsafe, a proof, note
 * or checkpoint of another form.
 */
export function readReceipt(text: string): Result<ReadReceipt, string> {
  if (Buffer.byteLength(text, 'utf8') > RECEIPT_BYTES_MAX)
    return err(`it is longer than ${RECEIPT_BYTES_MAX} bytes`);
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return err(`it is no JSON: ${parsed.error.message} at ${parsed.error.offset}`);
  const receipt: unknown = parsed.value;
  if (!isReceipt(receipt))
    return err(`it has not exactly the members of ${RECEIPT_FORMAT} ${RECEIPT_VERSION}`);
  const token = parseToken(receipt.statement, [RECEIPT_TYP]);
  if (!token.ok) return err(`its statement is no signed token: ${token.error.detail}`);
  const { claims } = token.value;
  if (!isStatementClaims(claims) || !isDigestHex(claims.entry.link))
    return err('its statement has not exactly the claims of a receipt');
  const issuerKey = readIssuerKey(receipt.issuer_jwk);
  if (issuerKey === null) return err('issuer_jwk is no public key with a kid');
  const logKey = parseVkey(claims.log_key);
  if (!logKey.ok) return err(`the log key of its statement is none: ${logKey.error}`);
  if (logKey.value.kind !== 'ed25519') return err('the log key of its statement signs no notes');
  const proof = readProof(receipt.proof);
  if (!proof.ok) return proof;
  const key = { issuerKey, logKey: logKey.value };
  return ok({ receipt, token: token.value, claims, ...key, ...proof.value });
}

function readProof(
  text: string,
): Result<Pick<ReadReceipt, 'proof' | 'note' | 'checkpoint'>, string> {
  const proof = parseTlogProof(text);
  if (!proof.ok) return err(`its proof is of another form: ${proof.error}`);
  if (proof.value.extra !== null) return err('its proof holds an extra line');
  const note = parseNote(proof.value.checkpoint);
  if (!note.ok) return err(`its checkpoint is of another form: ${note.error}`);
  const checkpoint = parseCheckpoint(note.value.text);
  return checkpoint.ok
    ? ok({ proof: proof.value, note: note.value, checkpoint: checkpoint.value })
    : err(`its checkpoint is of another form: ${checkpoint.error}`);
}

/** A JWK with a `kid`, and nothing in it that this key does not have. */
export function readIssuerKey(jwk: unknown): NamedKey | null {
  const key = parsePublicJwk(jwk);
  if (!key.ok) return null;
  const { kid, use } = jwk as Readonly<Record<string, unknown>>;
  return typeof kid === 'string' && kid !== '' && (use === undefined || use === 'sig')
    ? { kid, key: key.value }
    : null;
}
