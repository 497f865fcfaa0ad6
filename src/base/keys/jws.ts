/** Protected header of a compact JWS as the caller gives it; `alg` and `kid` are always ours (RFC 7515 section 4.1). */
export interface ProtectedHeader {
  readonly typ?: string;
  readonly cty?: string;
  readonly [name: string]: unknown;
}

const encode = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** `BASE64URL(header) "." BASE64URL(payload)`: the ASCII text that is signed (RFC 7515 section 5.1). */
export const compactSigningInput = (
  header: Readonly<Record<string, unknown>>,
  payload: Uint8Array,
): string => `${encode(JSON.stringify(header))}.${encode(payload)}`;

/** The compact form, or the detached one with an empty middle part (RFC 7515 appendix F). */
export function compactJws(
  signingInput: string,
  { signature, detached }: { signature: Uint8Array; detached: boolean },
): string {
  const [header = ''] = signingInput.split('.', 1);
  return `${detached ? `${header}.` : signingInput}.${encode(signature)}`;
}
