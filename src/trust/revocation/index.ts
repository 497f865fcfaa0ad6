export { revocationObservations } from './observations.ledger.js';
export { RevocationModule, REVOCATIONS } from './revocation.module.js';
export { type Revocation, type RevocationRequest, Revocations } from './revocations.js';
export { NAMED_KINDS, type RevocationTarget } from './targets.js';
