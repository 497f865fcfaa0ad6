export { RevocationModule, REVOCATIONS } from './revocation.module.js';
export { type Revocation, type RevocationRequest, Revocations } from './revocations.js';
