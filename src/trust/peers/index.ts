export { withinDeadline } from './deadline.js';
export { type IssuerKey, issuerKeyOf, keyStateFault } from './issuer-key.js';
export { IssuerKeys } from './issuer-keys.js';
export {
  ISSUER_KEY_ROLES,
  issuerKeyIdOf,
  type IssuerKeyRole,
  issuerKeys,
} from './issuer-keys.ledger.js';
export { ISSUER_KEYS, PeersModule, SIGNATURE_CHECKER } from './peers.module.js';
export { SignatureChecker } from './signature-checker.js';
export { unverifiable } from './unverifiable.js';
export { PUBLISHED_KEY_THUMBPRINTS } from './published-keys.js';
