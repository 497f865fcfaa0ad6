/**
 * Bytes of unpadded base64url (RFC 7515 section 2), or null. Strict: no padding, no foreign letters, no bits set
 * behind the last byte, so one value has exactly one spelling.
 */
export function decodeBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

export const encodeBase64url = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes as string).toString('base64url');
