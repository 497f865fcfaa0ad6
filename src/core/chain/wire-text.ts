/**
 * Bytes of standard base64 with its padding (RFC 4648 section 4), or null. Strict: no foreign letters, no bits set
 * behind the last byte, so one value has exactly one spelling.
 */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

export const encodeBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Largest size of a tree that the wire forms take. */
export const UINT64_MAX = 2n ** 64n - 1n;

const DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;

/** An unsigned 64-bit number in decimal digits without leading zeros, or null. */
export function parseUint64(text: string): bigint | null {
  if (!DECIMAL.test(text)) return null;
  const value = BigInt(text);
  return value <= UINT64_MAX ? value : null;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of these bytes, a BOM kept as a character; null = they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
}
