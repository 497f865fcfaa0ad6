export {
  AP2_OBJECTS,
  BuyerAuthorityModule,
  BUYERS,
  CREDENTIALS,
  PASSPORT_VERIFIER,
} from './buyer-authority.module.js';
export { type Ap2ObjectView, Ap2Objects } from './register-ap2.js';
export { type PassportVerification, PassportVerifier } from './verify-passport.js';
export {
  AUTHORITY_RESOLVER,
  type AssertedAuthority,
  type AuthorityEvidence,
  type AuthorityRequest,
  type AuthorityResolver,
  EVIDENCE_MANDATES_MAX,
  type ForeignMandate,
  type RailClaims,
  type ResolvedAuthority,
} from './contract.js';
export type { TokenKind } from '../../core/proofs/index.js';
export { type CredentialView, Credentials, type Viewer } from './credentials.js';
export type { ConsentRow, MandateRow, PassportRow } from './credentials.ledger.js';
export { findSubtreeIds } from './credentials.store.js';
export { MANDATE_TREE_MAX } from './register-credential.js';
export { AuthorityVerifier } from './resolve-authority.js';
export { type BuyerName, Buyers, type Erasure } from './buyers.js';
export {
  anyErased,
  BUYER_CHANGED,
  buyerClash,
  erasedBuyerCells,
  erasedBuyers,
} from './buyers.ledger.js';
export {
  buyerCommitment,
  commitBuyers,
  type CommittedBuyer,
  referenceSalt,
} from './buyers.store.js';
export {
  audienceFault,
  inWhateverState,
  issuerFault,
  tokenLineage,
  type TokenTrust,
} from './verify-token.js';
