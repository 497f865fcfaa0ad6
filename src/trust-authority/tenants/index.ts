export { commerceTime } from './clock.store.js';
export { AuthorityTenants, type ServedTenant, SYSTEM_TENANT } from './tenants.js';
export { TenantsController } from './tenants.controller.js';
