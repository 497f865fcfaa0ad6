export { AuthorityClient, type AuthorityClientParts } from './authority-client.js';
export { AuthorityModule } from './authority.module.js';
export { ClockForwarding } from './clock-forwarding.js';
export * from './contract.js';
export {
  type PassedAnswer,
  PUBLIC_AUTHORITY,
  PublicAuthority,
  type PublicQuestion,
} from './public-authority.js';
