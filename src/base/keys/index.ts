export type { ProtectedHeader } from './jws.js';
export { KeyWrapping, type WrappedKey } from './key-wrapping.js';
export { KeysModule, SIGNING_KEYS } from './keys.module.js';
export {
  AUTHORITY_PURPOSES,
  type PublicJwk,
  PURPOSE_ALGORITHMS,
  SIGNING_PURPOSES,
  type SigningAlgorithm,
  type SigningPurpose,
  TENANT_PURPOSES,
} from './purposes.js';
export { currentSigningKeys, signingKeys } from './signing-keys.ledger.js';
export {
  OVERLAP_SECONDS_MAX,
  OVERLAP_SECONDS_MIN,
  type Signature,
  type Signer,
  type SigningKey,
  SigningKeys,
  type SigningKeysDependencies,
} from './signing-keys.js';
