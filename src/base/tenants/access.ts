import {
  err,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
  type Role,
  type TenantId,
} from '../../core/kernel/index.js';

/**
 * Roles a key of a tenant may have. The platform administrator has no tenant and no key in a table.
 *
 * tenant_admin    everything of its tenant but what only agents may ask;
 * operator        day-to-day: switches, revocations, notes, review; changes no keys and no limits;
 * auditor         reads, the ledger included; changes nothing;
 * merchant_system a merchant's own backend: its merchants' decisions, captures, facts;
 * agent           asks for decisions as one agent; sees no trace, no simulation, no limits;
 * psp             reports captures and evidence.
 */
export const API_KEY_ROLES = [
  'tenant_admin',
  'operator',
  'auditor',
  'merchant_system',
  'agent',
  'psp',
] as const satisfies readonly Role[];
export type ApiKeyRole = (typeof API_KEY_ROLES)[number];

/** Stands where a platform administrator's tenant would stand. No tenant has it: theirs end in 32 hex digits. */
export const NO_TENANT: TenantId = 'tnt_none';

/** The context of everything the platform administrator causes. */
export const PLATFORM_ADMIN_ID = 'key_platform';

/** Whether this key may touch this merchant at all: keys can be bound to merchants (decisions 1.2). */
export const mayTouchMerchant = (
  { merchantIds }: Pick<Principal, 'merchantIds'>,
  merchantId: string,
): boolean => merchantIds === null || merchantIds.includes(merchantId);

/**
 * For every use case that names a merchant: a merchant outside the key's binding is answered exactly like one that
 * does not exist. Problem: not_found.
 */
export const requireMerchant = (
  principal: Pick<Principal, 'merchantIds'>,
  merchantId: string,
): Result<null, Problem> =>
  mayTouchMerchant(principal, merchantId) ? ok(null) : err(noSuchMerchant(merchantId));

export const noSuchMerchant = (merchantId: string, field: string | null = null): Problem =>
  problem('not_found', `There is no merchant ${merchantId} here.`, {
    fix: 'Name a merchant that GET /v1/merchants lists for this key.',
    field,
  });
