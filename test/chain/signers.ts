import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  checkpointText,
  cosignatureMessage,
  cosignatureSignature,
  formatNote,
  signatureLine,
  type VerifierKey,
  type VerifierKind,
  vkeyOf,
} from '../../src/core/chain/index.js';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A log or a witness of the tests; the same name always has the same key. */
export interface Signer {
  readonly name: string;
  readonly key: VerifierKey;
  readonly privateKey: KeyObject;
}

export function signerOf(kind: VerifierKind, name: string, seedOf = name): Signer {
  const seed = createHash('sha256').update(`test key of ${seedOf}`).digest();
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { name, key: vkeyOf(kind, name, spki.subarray(-32)), privateKey };
}

/** The log of an origin: it signs under that name. */
export const logOf = (origin: string): Signer => signerOf('ed25519', origin);
export const WITNESSES = [
  signerOf('cosignature', 'authority.example/witness'),
  signerOf('cosignature', 'witness.example/w2'),
  signerOf('cosignature', 'witness.example/größe-₹'),
] as const;
/** Runs beside the log itself. */
export const SELF_WITNESS = WITNESSES[0];

export const COSIGNED_AT_S = 1_800_000_000;

/** By default the line of the log whose checkpoint it is: its name stands in the first line. */
export const logLine = (text: string, log = logOf(text.slice(0, text.indexOf('\n')))): string =>
  signatureLine(log.name, log.key.keyId, sign(null, Buffer.from(text), log.privateKey));

export const cosignatureLine = (
  text: string,
  witness: Signer,
  timeSeconds = COSIGNED_AT_S,
): string =>
  signatureLine(
    witness.name,
    witness.key.keyId,
    cosignatureSignature(
      timeSeconds,
      sign(null, cosignatureMessage(timeSeconds, text), witness.privateKey),
    ),
  );

interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** A checkpoint with the log's line and those of the witnesses. */
export function noteOf(head: TreeHead, witnesses: readonly Signer[]): string {
  const text = checkpointText({ ...head, size: BigInt(head.size), extensions: [] });
  const cosignatures = witnesses.map((witness, index) =>
    cosignatureLine(text, witness, COSIGNED_AT_S + index),
  );
  return formatNote(text, [logLine(text), ...cosignatures]);
}
