export { API_KEY_ROLES, type ApiKeyRole, mayTouchMerchant, noSuchMerchant } from './access.js';
export { type Agent, noSuchAgent } from './agents.commands.js';
export { type AgentRow, agents } from './agents.ledger.js';
export { Agents } from './agents.js';
export {
  API_KEY_OVERLAP_SECONDS_DEFAULT,
  API_KEY_OVERLAP_SECONDS_MAX,
  type ApiKeyGrant,
  createApiKey,
  type NewApiKey,
  type ShownApiKey,
} from './api-keys.commands.js';
export { apiKeys } from './api-keys.ledger.js';
export type { ApiKey } from './api-keys.store.js';
export { ApiKeys } from './api-keys.js';
export { KNOWN_KEY_MS } from './authenticator.js';
export { isCountryCode } from './countries.js';
export { drawId, idAt } from './ids.js';
export type { LedgerHead } from './ledger-head.store.js';
export { LedgerSettings, TEST_CLOCK_AT_MS_MAX, type TestClock } from './ledger-settings.js';
export type { MerchantDraft } from './merchants.commands.js';
export {
  currentLimits,
  limitsOf,
  limitsVersions,
  type LimitsVersionRow,
  type MerchantRow,
  merchants,
} from './merchants.ledger.js';
export type { LimitsVersion, Merchant } from './merchants.store.js';
export { type MerchantReader, Merchants } from './merchants.js';
export { origins } from './origins.ledger.js';
export type { TenantOrigin } from './origins.store.js';
export { Origins, type Site } from './origins.js';
export { type Page, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type PageRequest } from './page.js';
export { type RbiProfile, type SwitchableRail, SWITCHABLE_RAILS } from './rbi-settings.js';
export { type Scope, SCOPES } from './scopes.js';
export type { SealingKeyInForce } from './sealing.commands.js';
export { sealingKeys } from './sealing.ledger.js';
export {
  SIGNATURE_MODES,
  type SignatureMode,
  signatureSettings,
} from './signature-settings.ledger.js';
export { SignatureSettings, type TenantSignatureSettings } from './signature-settings.js';
export { KNOWN_SITE_MS, type TenantSite, TenantSites } from './tenant-sites.js';
export { type TenantRow, tenants } from './tenants.ledger.js';
export type { Tenant } from './tenants.store.js';
export { type CreatedTenant, type TenantDraft, Tenants } from './tenants.js';
export {
  AGENTS,
  API_KEYS,
  LEDGER_SETTINGS,
  MERCHANTS,
  ORIGINS,
  SIGNATURE_SETTINGS,
  TENANT_SITES,
  TENANTS,
  TenantsModule,
  type TenantsRoom,
  tenantsRoom,
} from './tenants.module.js';
