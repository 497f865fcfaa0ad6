export { AuthorityClient, type AuthorityClientParts } from './authority-client.js';
export { AuthorityModule } from './authority.module.js';
export { ClockForwarding } from './clock-forwarding.js';
export * from './contract.js';
