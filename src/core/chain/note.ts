import { err, ok, type Result } from '../kernel/index.js';
import { cosignatureMessage, parseCosignature } from './cosignature.js';
import { verifyEd25519 } from './ed25519.js';
import { isKeyName, type VerifierKey } from './vkey.js';
import { decodeBase64, encodeBase64 } from './wire-text.js';

/** More signatures than this on one note are refused. */
export const NOTE_SIGNATURES_MAX = 100;

const KEY_ID_BYTES = 4;
// eslint-disable-next-line no-control-regex -- C2SP signed-note: no control characters but the line feed
const NO_NOTE_TEXT = /[\u0000-\u0009\u000b-\u001f]|\p{Surrogate}/u;
const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)$/u;

export interface NoteSignature {
  readonly name: string;
  /** 8 lowercase hex digits. */
  readonly keyId: string;
  /** The bytes behind the key id. */
  readonly signature: Uint8Array;
  /** The line as it stands in the note, without its LF. */
  readonly line: string;
}

/** A text and its signature lines (C2SP signed-note). NOT yet verified: see {@link verifyNote}. */
export interface SignedNote {
  /** What is signed: everything before the last blank line, its own LF included. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** `EM DASH, space, name, space, base64(key id || signature)`, without LF. */
export const signatureLine = (name: string, keyId: string, signature: Uint8Array): string =>
  `\u2014 ${name} ${encodeBase64(Buffer.concat([Buffer.from(keyId, 'hex'), signature]))}`;

/** The note of a text that ends in LF and of signature lines without LF. */
export const formatNote = (text: string, lines: readonly string[]): string =>
  `${text}\n${lines.map((line) => `${line}\n`).join('')}`;

/** One signature line without its LF, or null. */
export function parseSignatureLine(line: string): NoteSignature | null {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  if (name === undefined || encoded === undefined || !isKeyName(name)) return null;
  const bytes = decodeBase64(encoded);
  if (bytes === null || bytes.length <= KEY_ID_BYTES) return null;
  return {
    name,
    keyId: bytes.toString('hex', 0, KEY_ID_BYTES),
    signature: bytes.subarray(KEY_ID_BYTES),
    line,
  };
}

/**
 * Reads a signed note. Refused: control characters but LF, lone surrogates, no blank line, no signature line, more
 * than {@link NOTE_SIGNATURES_MAX}, a line that is no signature line, a missing last LF.
 */
export function parseNote(text: string): Result<SignedNote, string> {
  if (NO_NOTE_TEXT.test(text)) return err('a note holds no control characters but line feeds');
  const split = text.lastIndexOf('\n\n');
  if (split < 0) return err('a note has a blank line before its signatures');
  const block = text.slice(split + 2);
  if (!block.endsWith('\n')) return err('a note ends with a line feed after its last signature');
  const lines = block.slice(0, -1).split('\n');
  if (lines.length > NOTE_SIGNATURES_MAX)
    return err(`a note has at most ${NOTE_SIGNATURES_MAX} signatures`);
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignatureLine(line);
    if (signature === null)
      return err('a signature line is an em dash, a name and base64 with padding');
    signatures.push(signature);
  }
  return ok({ text: text.slice(0, split + 1), signatures });
}

export interface NoteFault {
  readonly code: 'bad_signature' | 'ambiguous_key';
  readonly key: VerifierKey;
}

/**
 * Which of the keys signed the note, each once, in the order of the lines. Lines of keys that are not given are passed
 * over; a line of a given key that does not verify rejects the whole note, as do two given keys of one name and id when
 * a line uses them. `verified` may be empty: what is enough is the caller's to say.
 */
export function verifyNote(
  note: SignedNote,
  keys: readonly VerifierKey[],
): Result<{ readonly verified: readonly VerifierKey[] }, NoteFault> {
  const verified = new Set<VerifierKey>();
  const seenLines = new Set<string>();
  for (const signature of note.signatures) {
    // Verifying is slow, and anybody can write a good line a hundred times.
    if (seenLines.has(signature.line)) continue;
    seenLines.add(signature.line);
    const [key, another] = keys.filter(
      ({ name, keyId }) => name === signature.name && keyId === signature.keyId,
    );
    if (key === undefined) continue;
    if (another !== undefined) return err({ code: 'ambiguous_key', key });
    if (!verifySignature(key, note.text, signature.signature))
      return err({ code: 'bad_signature', key });
    verified.add(key);
  }
  return ok({ verified: [...verified] });
}

function verifySignature(key: VerifierKey, text: string, bytes: Uint8Array): boolean {
  if (key.kind === 'ed25519') return verifyEd25519(key.publicKey, Buffer.from(text, 'utf8'), bytes);
  const cosignature = parseCosignature(bytes);
  if (cosignature === null) return false;
  const message = cosignatureMessage(cosignature.timeSeconds, text);
  return verifyEd25519(key.publicKey, message, cosignature.signature);
}
