export { Artifacts, type ArtifactView } from './artifacts.js';
export { type ArtifactRow, artifacts, currentArtifacts } from './artifacts.ledger.js';
export {
  ARTIFACT_RESOLVER,
  type ArtifactRequest,
  type ArtifactResolver,
  NAMED_ARTIFACTS_MAX,
  type ResolvedArtifacts,
} from './contract.js';
export { ARTIFACTS, FactsModule } from './facts.module.js';
export { StoredArtifactResolver } from './resolve-artifacts.js';
export { type SetStock, Stock, STOCK } from './stock.js';
export {
  availableOf,
  type HeldPieces,
  heldStock,
  holdStock,
  returnStock,
  type ShortStock,
  stockCells,
  type StockHold,
  stockSeen,
  takeStock,
} from './stock-holds.js';
export { ON_HAND_MAX, stock, type StockRow } from './stock.ledger.js';
