import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { CanonicalValue } from '../core/kernel/index.js';
import {
  artifactSigningInput,
  compactToken,
  signedArtifact,
  tokenSigningInput,
  type UnsignedArtifact,
} from '../core/proofs/index.js';

/** Anybody can make these keys: they vouch for nothing, and only demo tenants of the test world know them. */
const PUBLISHED_SEED = 'commerce-arbiter demo keys, published on purpose';

/** PKCS #8 of an Ed25519 key up to its 32 private bytes (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

type Signed = Readonly<Record<string, CanonicalValue>>;

/**
 * One party of the demo with a key that follows from the published seed and its name. Ed25519, because its signatures
 * are the same every time.
 */
export class DemoIssuer {
  readonly #privateKey: KeyObject;

  constructor(
    readonly issuer: string,
    readonly kid: string,
  ) {
    const secret = createHash('sha256').update(`${PUBLISHED_SEED}\n${issuer}\n${kid}`).digest();
    this.#privateKey = createPrivateKey({
      key: Buffer.concat([PKCS8_PREFIX, secret]),
      format: 'der',
      type: 'pkcs8',
    });
  }

  /** The public key, as a tenant is told to believe it. */
  get jwk(): Signed {
    const { kty, crv, x } = createPublicKey(this.#privateKey).export({ format: 'jwk' });
    return { kty: String(kty), crv: String(crv), x: String(x) };
  }

  /** A token of RFC 7515 in compact form. */
  token(typ: string, claims: Signed): string {
    const input = tokenSigningInput({ alg: 'EdDSA', kid: this.kid, typ }, claims);
    return compactToken(input, this.#signature(input));
  }

  /** A merchant fact with its detached signature. */
  artifact(unsigned: UnsignedArtifact): Signed {
    const { envelope, signingInput } = artifactSigningInput(
      { alg: 'EdDSA', kid: this.kid },
      unsigned,
    );
    return signedArtifact(envelope, { signingInput, signature: this.#signature(signingInput) });
  }

  #signature(signingInput: string): Uint8Array {
    return sign(null, Buffer.from(signingInput, 'ascii'), this.#privateKey);
  }
}
