export { BuyerAuthorityModule, CREDENTIALS } from './buyer-authority.module.js';
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
  type MandateRow,
  mandates,
  type PassportRow,
  passports,
} from './credentials.ledger.js';
export { findSubtreeIds } from './credentials.store.js';
export { MANDATE_TREE_MAX } from './register-credential.js';
export { AuthorityVerifier } from './resolve-authority.js';
export { buyerCommitment, buyerReferenceWrite, buyerSalt } from './buyers.store.js';
