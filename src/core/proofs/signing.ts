import { createHash } from 'node:crypto';
import { type CanonicalValue, canonicalize } from '../kernel/index.js';
import { encodeBase64url } from './base64url.js';

/** Header of an object that is about to be signed. */
export interface SigningHeader {
  readonly alg: string;
  readonly kid?: string;
  readonly typ?: string;
}

/** The ASCII text a signer signs for a token: `BASE64URL(header) "." BASE64URL(JCS(claims))` (RFC 7515 section 5.1). */
export const tokenSigningInput = (header: SigningHeader, claims: CanonicalValue): string =>
  `${encodeBase64url(canonicalize({ ...header }))}.${encodeBase64url(canonicalize(claims))}`;

/** `signing input "." BASE64URL(signature)`. */
export const compactToken = (signingInput: string, signature: Uint8Array): string =>
  `${signingInput}.${encodeBase64url(signature)}`;

export type UnsignedArtifact = Readonly<Record<string, CanonicalValue>> & {
  readonly payload: CanonicalValue;
};

/**
 * Adds `payload_hash` and answers the text to sign: the canonical envelope without `signature` and `payload`
 * becomes the payload of a JWS whose middle part is left out on the wire (RFC 7515 appendix F).
 */
export function artifactSigningInput(
  header: SigningHeader,
  artifact: UnsignedArtifact,
): { readonly envelope: Readonly<Record<string, CanonicalValue>>; readonly signingInput: string } {
  const { payload, ...rest } = artifact;
  const payloadHash = createHash('sha256').update(canonicalize(payload), 'utf8').digest('hex');
  const signed = { ...rest, payload_hash: payloadHash };
  return { envelope: { ...signed, payload }, signingInput: tokenSigningInput(header, signed) };
}

/** The envelope with its detached signature `header..signature`. */
export function signedArtifact(
  envelope: Readonly<Record<string, CanonicalValue>>,
  { signingInput, signature }: { signingInput: string; signature: Uint8Array },
): Readonly<Record<string, CanonicalValue>> {
  const [header = ''] = signingInput.split('.', 1);
  return { ...envelope, signature: `${header}..${encodeBase64url(signature)}` };
}
