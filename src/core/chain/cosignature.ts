import { SIGNATURE_BYTES } from './ed25519.js';

/** Bytes of a timestamped cosignature: the time, then the Ed25519 signature (C2SP tlog-cosignature, type 04). */
export const COSIGNATURE_BYTES = 8 + SIGNATURE_BYTES;

/** What a cosigner signs: the time in seconds since 1970 and the whole text of the checkpoint, its last LF included. */
export const cosignatureMessage = (timeSeconds: number, checkpointText: string): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${timeSeconds}\n${checkpointText}`, 'utf8');

/** The bytes that stand behind the key id in a cosigner's line. */
export function cosignatureSignature(timeSeconds: number, signature: Uint8Array): Buffer {
  const bytes = Buffer.alloc(COSIGNATURE_BYTES);
  bytes.writeBigUInt64BE(BigInt(timeSeconds));
  bytes.set(signature, 8);
  return bytes;
}

/** The two parts of a cosignature; null = another length, or a time beyond 2^53 - 1 seconds. */
export function parseCosignature(
  bytes: Uint8Array,
): { readonly timeSeconds: number; readonly signature: Buffer } | null {
  if (bytes.length !== COSIGNATURE_BYTES) return null;
  const all = Buffer.from(bytes);
  const timeSeconds = Number(all.readBigUInt64BE());
  return Number.isSafeInteger(timeSeconds) ? { timeSeconds, signature: all.subarray(8) } : null;
}
