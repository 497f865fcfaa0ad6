export { type AuthorityConfig, loadAuthorityConfig } from './config/authority-config.js';
export type { NamedDirectory, SignatureSources } from './config/signature-sources.js';
export { authorityEnvironment } from './config/child-environment.js';
export { type Config, type GivenAuthority, loadCheckConfig, loadConfig } from './config/config.js';
export { type Database, openDatabase } from './database/database.js';
export { migrate } from './database/migrate.js';
export { createPool, type Pool, type PoolClient } from './database/pool.js';
export {
  bindSecrets,
  type DeploymentSecrets,
  otherSecrets,
} from './deployment/deployment-secrets.js';
export { PACKAGE_ROOT } from './package-root.js';
export { codeOf, messageOf, StartRefused } from './start-refused.js';
export { EXIT, stopWhenTold } from './stop-when-told.js';
export { AUTHORITY_ADDRESS, CONFIG, DATABASE, HEALTH, METRICS, STARTUP_NOTES } from './tokens.js';
export type { AuthorityAddress } from './authority-address.js';
export { type HealthCheck, type HealthFinding, HealthRegistry } from './health/health.js';
export { MetricsModule } from './metrics/metrics.module.js';
export { PlatformModule, type PlatformParts } from './platform.module.js';
export { type StartupNote, StartupNotes } from './startup-notes.js';
export { HealthController } from './health/health.controller.js';
export type { Queryable } from './database/queryable.js';
export * from './http/index.js';
export * from './documentation/index.js';
export { SERVICE_VERSION } from './service-version.js';
export * from './outbound/index.js';
