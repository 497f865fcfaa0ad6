export { Artifacts, type ArtifactView } from './artifacts.js';
export type { ArtifactRow } from './artifacts.ledger.js';
export {
  ARTIFACT_RESOLVER,
  type ArtifactRequest,
  type ArtifactResolver,
  NAMED_ARTIFACTS_MAX,
  type ResolvedArtifacts,
} from './contract.js';
export { Catalog, CATALOG, type CatalogRows } from './catalog/catalog.js';
export { type CatalogChange, CHANGE_ROWS_MAX, NO_CHANGE } from './catalog/catalog-change.js';
export { type Policies, PRICE_AMOUNT_MINOR_MAX } from './catalog/catalog.ledger.js';
export { ROWS_PER_ENTRY_MAX } from './catalog/change-catalog.js';
export { ARTIFACTS, FactsModule } from './facts.module.js';
export {
  CACHED_FACTS,
  type CachedFact,
  CachedFacts,
  type ListedFact,
} from './publishing/cached-facts.js';
export { FACT_LIFE_MS, tenantIssuer } from './publishing/envelope.js';
export { FactPublisher, publisherContext } from './publishing/fact-publisher.js';
export { FactRenewals } from './publishing/fact-renewals.js';
export {
  FACTS_PER_ENTRY_MAX,
  PUBLISHED_TYPES,
  type PublishedType,
} from './publishing/lineages.ledger.js';
export { type PublicationPage, PUBLICATIONS, Publications } from './publishing/publications.js';
export { PublishedFacts } from './publishing/published-facts.js';
export { FACT_PUBLISHER, FACT_RENEWALS, PUBLISHED_FACTS } from './publishing/publishing.module.js';
export type { FactPlace } from './publishing/sources.js';
export { ShopJudge } from './shop/shop-judge.js';
export type { Availability, ShopFact, ShopProduct, ShopVariant } from './shop/shop-product.js';
export {
  CHAPTER_PRODUCTS,
  SHOP_FOUND_MAX,
  SHOP_PRODUCTS_PER_PAGE_MAX,
  SHOP_READING,
  type ShopPage,
  ShopReading,
  type ShopWanted,
} from './shop/shop-reading.js';
export { SHOP_VARIANTS_MAX } from './shop/shop.store.js';
export { SLUG_CHARACTERS_MAX } from './shop/slug.js';
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
