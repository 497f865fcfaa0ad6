import { hash } from 'node:crypto';
import { err, ok, type Result } from '../kernel/index.js';
import { isSmallOrder, PUBLIC_KEY_BYTES } from './ed25519.js';
import { decodeBase64, encodeBase64 } from './wire-text.js';

/** `ed25519` signs the text of a note (type 01), `cosignature` a checkpoint and a time (type 04). */
export type VerifierKind = 'ed25519' | 'cosignature';

/** A public key with the name it signs under (C2SP signed-note). */
export interface VerifierKey {
  readonly name: string;
  /** 8 lowercase hex digits. */
  readonly keyId: string;
  readonly kind: VerifierKind;
  readonly publicKey: Uint8Array;
  /** `name+keyId+base64(type || public key)`. */
  readonly text: string;
}

const TYPE_BYTES: Readonly<Record<VerifierKind, number>> = { ed25519: 0x01, cosignature: 0x04 };
const FORM = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/su;
// eslint-disable-next-line no-control-regex -- a name that is printed on a line of its own
const NO_NAME = /[\p{White_Space}\p{Surrogate}+\u0000-\u001f]/u;

/** Names of signers: not empty, no white space, no plus sign, no control characters. */
export const isKeyName = (text: string): boolean => text !== '' && !NO_NAME.test(text);

/** The key of a name; the caller says that the name and the key are good ({@link isKeyName}, {@link isSmallOrder}). */
export function vkeyOf(kind: VerifierKind, name: string, publicKey: Uint8Array): VerifierKey {
  const typed = Buffer.concat([Buffer.of(TYPE_BYTES[kind]), publicKey]);
  const named = Buffer.concat([Buffer.from(`${name}\n`, 'utf8'), typed]);
  const keyId = hash('sha256', named, 'hex').slice(0, 8);
  return { name, keyId, kind, publicKey, text: `${name}+${keyId}+${encodeBase64(typed)}` };
}

/**
 * Reads a C2SP verifier key. Faults, in order: form (name, 8 lowercase hex digits, strict base64), type (only 01 and
 * 04 are verified), length, a key of small order, a key id that is not the one of this name, type and key.
 */
export function parseVkey(text: string): Result<VerifierKey, string> {
  const [, name = '', keyId, encoded = ''] = FORM.exec(text) ?? [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || bytes === null || bytes.length === 0)
    return err('a verifier key is name+id+base64, with 8 hex digits of id');
  const [type = 0] = bytes;
  const kind = type === 0x01 ? 'ed25519' : type === 0x04 ? 'cosignature' : null;
  const named = `type ${type.toString(16).padStart(2, '0')}`;
  if (kind === null)
    return err(
      `keys of ${named} are not verified here, only 01 (Ed25519) and 04 (Ed25519 cosignature)`,
    );
  const publicKey = bytes.subarray(1);
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    return err(`a key of ${named} has ${PUBLIC_KEY_BYTES} bytes`);
  if (isSmallOrder(publicKey))
    return err('the key is a point of small order: anybody signs for it');
  const key = vkeyOf(kind, name, publicKey);
  return key.keyId === keyId ? ok(key) : err('the key id is not the one of this name and key');
}
