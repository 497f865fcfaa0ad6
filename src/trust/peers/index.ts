export { withinDeadline } from './deadline.js';
export { type IssuerKey, issuerKeyOf, keyStateFault } from './issuer-key.js';
export { IssuerKeys } from './issuer-keys.js';
export {
  ISSUER_KEY_ROLES,
  issuerKeyIdOf,
  type IssuerKeyRole,
  issuerKeys,
} from './issuer-keys.ledger.js';
export { KeyDirectories, SIGNATURE_WAIT_MS } from './directories/key-directories.js';
export type {
  DirectoryFetch,
  DirectoryNotes,
  KeyDirectoryOptions,
  ResolvedKey,
  ResolveOptions,
  UnresolvedReason,
} from './directories/ports.js';
export {
  ISSUER_KEYS,
  KEY_DIRECTORIES,
  PeersModule,
  SIGNATURE_CHECKER,
  SIGNATURE_NONCES,
} from './peers.module.js';
export { SignatureChecker } from './signature-checker.js';
export { unverifiable } from './unverifiable.js';
export { PUBLISHED_KEY_THUMBPRINTS } from './published-keys.js';
export {
  type ClaimOutcome,
  NONCE_FLUSH_MAX,
  NONCE_FLUSHES_MAX,
  NONCE_GRACE_MS,
  NONCE_LIFE_MS_MAX,
  NONCE_SWEEP_DELAY_MS,
  NONCES_WAITING_MAX,
  SignatureNonces,
} from './nonces/signature-nonces.js';
