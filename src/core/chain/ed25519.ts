import { createPublicKey, verify } from 'node:crypto';

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The fixed head of a SubjectPublicKeyInfo that holds an Ed25519 key (RFC 8410 section 4). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The y of the eight points of small order, as keys are encoded (RFC 8032 section 5.1.2), the sign of x cleared:
 * 0, 1 and -1, the two y of the points of order 8, and 0 and 1 once more with p added, which decoders take too.
 */
const SMALL_ORDER_Y: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/**
 * Whether a key is one of the 14 encodings of a point of small order: for such keys a signature of zeros verifies for
 * many messages, so they are refused wherever a key is pinned. Not found: a key of mixed order.
 */
export function isSmallOrder(publicKey: Uint8Array): boolean {
  const bytes = Buffer.from(publicKey);
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) & 0x7f;
  return SMALL_ORDER_Y.has(bytes.toString('hex'));
}

/** RFC 8032 section 5.1.7. False for keys and signatures of another length, and for keys of small order. */
export function verifyEd25519(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  if (isSmallOrder(publicKey)) return false;
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, key, signature);
}
