export { BuyerAuthorityModule, BUYERS, CREDENTIALS } from './buyer-authority.module.js';
export {
  AUTHORITY_RESOLVER,
  type AssertedAuthority,
  type AuthorityEvidence,
  type AuthorityRequest,
  type AuthorityResolver,
  EVIDENCE_MANDATES_MAX,
  type RailClaims,
  type ResolvedAuthority,
} from './contract.js';
export type { TokenKind } from '../../core/proofs/index.js';
export { type CredentialView, Credentials, type Viewer } from './credentials.js';
export {
  type ConsentRow,
  consents,
  debitMandateBuyers,
  type MandateRow,
  mandates,
  type PassportRow,
  passports,
} from './credentials.ledger.js';
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
