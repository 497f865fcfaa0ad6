import { constants, type SigningOptions } from 'node:crypto';

/** Algorithms a key may be used with, by their names in RFC 9421 section 6.2.2; `rsa-pss-sha256` is in no registry. */
export const HTTP_SIGNATURE_ALGORITHMS = [
  'ed25519',
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-pss-sha512',
  'rsa-pss-sha256',
] as const;
export type HttpSignatureAlgorithm = (typeof HTTP_SIGNATURE_ALGORITHMS)[number];

/** How node:crypto computes an algorithm. */
export interface Primitive {
  readonly digest: string | null;
  /** Null: as long as the modulus. */
  readonly signatureBytes: number | null;
  readonly options: SigningOptions | null;
}

const pss = (saltLength: number): SigningOptions => ({
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength,
});

export const PRIMITIVES: Readonly<Record<HttpSignatureAlgorithm, Primitive>> = {
  ed25519: { digest: null, signatureBytes: 64, options: null },
  'ecdsa-p256-sha256': {
    digest: 'sha256',
    signatureBytes: 64,
    options: { dsaEncoding: 'ieee-p1363' },
  },
  'ecdsa-p384-sha384': {
    digest: 'sha384',
    signatureBytes: 96,
    options: { dsaEncoding: 'ieee-p1363' },
  },
  // INVARIANT: the salt of rsa-pss-sha512 is 64 bytes (RFC 9421 section 3.3.1); node would take any.
  'rsa-pss-sha512': { digest: 'sha512', signatureBytes: null, options: pss(64) },
  'rsa-pss-sha256': {
    digest: 'sha256',
    signatureBytes: null,
    options: pss(constants.RSA_PSS_SALTLEN_AUTO),
  },
};
