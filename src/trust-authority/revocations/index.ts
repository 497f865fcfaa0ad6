export { statusOf } from './change-status.js';
export { changeStatusRoute } from './revocations.contract.js';
export { RevocationsController, printRevoked } from './revocations.controller.js';
export {
  AuthorityRevocations,
  type AuthorityRevocationsParts,
  type RevocationRequest,
  type Revoked,
} from './revocations.js';
