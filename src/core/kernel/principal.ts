import type { AgentId, ApiKeyId, MerchantId, TenantId } from './ids.js';

/** Two worlds with separate keys, data and chains. "Production" in a rule means `live` (decisions 1.1). */
export const WORLDS = ['test', 'live'] as const;
export type World = (typeof WORLDS)[number];

/** An unknown environment name counts as live (mission F6, decisions 1.1). */
export const worldOf = (name: string): World => (name === 'test' ? 'test' : 'live');

/** Who may call. The published table of routes and roles stands in base/tenants. */
export const ROLES = [
  'tenant_admin',
  'operator',
  'auditor',
  'merchant_system',
  'agent',
  'psp',
  'platform_admin',
] as const;
export type Role = (typeof ROLES)[number];

/**
 * The caller, as proved by an API key. `merchantIds` null = every merchant of the tenant.
 * A platform administrator belongs to no tenant.
 */
export interface Principal {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly role: Role;
  readonly apiKeyId: ApiKeyId;
  readonly agentId: AgentId | null;
  readonly merchantIds: readonly MerchantId[] | null;
  /** Tags of the routes this key may call at all, within its role; null or absent = whatever its role may call. */
  readonly scopes?: readonly string[] | null;
}

/** Who caused an entry, as it stands in the entry. */
export interface Actor {
  readonly role: Role | 'system';
  readonly id: string;
}
