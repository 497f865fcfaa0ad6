import { draftSignature, type HttpMessage, type SignatureRequest } from '../core/httpsig/index.js';
import { SigningError } from './signing-error.js';

/** A signature with the bytes that were signed. */
export interface MadeSignature {
  /** Value of Signature-Input. */
  readonly signatureInput: string;
  /** Value of Signature. */
  readonly signature: string;
  /** The signature base, for whoever has to compare it. */
  readonly base: string;
}

export interface MessageToSign extends SignatureRequest {
  readonly sign: (base: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/**
 * Signs any message, request or response, with any components and parameters (RFC 9421 section 3.1). Throws a SigningError
 * when the message has no such component. Not checked: what a profile or a verifier demands.
 */
export async function signMessage(
  message: HttpMessage,
  { sign, ...wanted }: MessageToSign,
): Promise<MadeSignature> {
  const draft = draftSignature(message, wanted);
  if (!draft.ok) throw new SigningError(`${draft.error.reason}: ${draft.error.detail}`);
  const { base, signatureInput, signature } = draft.value;
  const bytes = await sign(base);
  return { signatureInput, signature: signature(bytes), base: base.toString('latin1') };
}
