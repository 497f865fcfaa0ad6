import { createPrivateKey, createPublicKey, type JsonWebKey, KeyObject, sign } from 'node:crypto';
import { type HttpSignatureAlgorithm, PRIMITIVES, readPublicJwk } from '../core/httpsig/index.js';
import { SigningError } from './signing-error.js';

/** A private key with what a verifier will know it by. */
export interface SigningKey {
  /** RFC 7638 thumbprint, base64url. */
  readonly thumbprint: string;
  readonly algorithm: HttpSignatureAlgorithm;
  readonly sign: (base: Uint8Array) => Promise<Buffer>;
}

/**
 * A private key as a JWK or a KeyObject: Ed25519, P-256, P-384, or RSA of 2048 to 4096 bits with e = 65537 (PSS, SHA-512).
 * Throws a SigningError for everything else.
 */
export function signingKeyOf(key: JsonWebKey | KeyObject): SigningKey {
  const privateKey = privateKeyOf(key);
  const read = readPublicJwk(createPublicKey(privateKey).export({ format: 'jwk' }), {
    // Examples and tests sign with published keys; services refuse them.
    allowTestKeys: true,
  });
  if (!read.ok) throw new SigningError(`The key cannot be used for signatures: ${read.error}.`);
  const { thumbprint, algorithms } = read.value;
  const [algorithm] = algorithms;
  if (algorithm === undefined) throw new SigningError('The key has no algorithm.');
  const { digest, options } = PRIMITIVES[algorithm];
  const signBase = (base: Uint8Array): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      sign(digest, base, { key: privateKey, ...options }, (error, bytes) =>
        error === null ? resolve(bytes) : reject(error),
      );
    });
  return { thumbprint, algorithm, sign: signBase };
}

function privateKeyOf(key: JsonWebKey | KeyObject): KeyObject {
  if (key instanceof KeyObject) {
    if (key.type === 'private') return key;
    throw new SigningError('The key is not a private key.');
  }
  try {
    return createPrivateKey({ key, format: 'jwk' });
  } catch {
    throw new SigningError('The key is no private JWK of a known type.');
  }
}
