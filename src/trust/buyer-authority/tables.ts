// The second face of this room: what is registered, as it is stored. For trust/ and the list of all projections only;
// whoever else reads mandates, consents and passports asks the rooms, which ask the StatusChecker (facts/arbiter.md A17).
export { ap2Objects } from './ap2.ledger.js';
export { consents, debitMandateBuyers, mandates, passports } from './credentials.ledger.js';
