// The second face of this room: what is registered, as it is stored. For trust/ and the list of all projections only;
// whoever else reads facts asks the rooms, which ask the StatusChecker (facts/arbiter.md A17, A18).
export { artifacts, currentArtifacts } from './artifacts.ledger.js';
export {
  catalogPolicies,
  catalogPrices,
  catalogProducts,
  catalogVariants,
} from './catalog/catalog.ledger.js';
export { factLineages } from './publishing/lineages.ledger.js';
