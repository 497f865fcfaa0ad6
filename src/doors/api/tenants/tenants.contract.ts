import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { CreatedTenant, Tenant } from '../../../base/tenants/index.js';
import { WORLDS } from '../../../core/kernel/index.js';
import { shownApiKey } from './api-keys.contract.js';
import { label, tenantId } from './pieces.js';

const tenantView = z.strictObject({
  tenant_id: z.string(),
  world: z.enum(WORLDS),
  name: z.string(),
  sibling_tenant_id: z.string().nullable(),
  caller_asserted_allowed: z.boolean(),
  primary_origin: z.string().nullable(),
});

export const printTenant = (tenant: Tenant): z.input<typeof tenantView> => ({
  tenant_id: tenant.tenantId,
  world: tenant.world,
  name: tenant.name,
  sibling_tenant_id: tenant.siblingTenantId,
  caller_asserted_allowed: tenant.callerAssertedAllowed,
  primary_origin: tenant.primaryOrigin,
});

const createdTenantView = z.strictObject({ tenant: tenantView, admin_api_key: shownApiKey });

export const printCreatedTenant = ({
  tenant,
  adminKey,
}: CreatedTenant): z.input<typeof createdTenantView> => ({
  tenant: printTenant(tenant),
  admin_api_key: { api_key_id: adminKey.apiKeyId, api_key: adminKey.apiKey },
});

export const createTenant = route({
  method: 'POST',
  path: '/v1/tenants',
  summary: 'Create a tenant',
  description:
    'One organisation in one world; test and live are two tenants with keys, data and ledgers of their own. The answer holds ' +
    'the first administrator key, which is shown this once. A repeat makes another tenant.',
  tag: 'tenants',
  access: ['platform_admin'],
  idempotency: 'none',
  body: z.strictObject({
    world: z.enum(WORLDS),
    name: label,
    sibling_tenant_id: tenantId.nullable().default(null),
    caller_asserted_allowed: z.boolean().default(false),
  }),
  success: { status: 201, body: createdTenantView },
  problems: ['outcome_unknown'],
});

export const readTenant = route({
  method: 'GET',
  path: '/v1/tenant',
  summary: 'The tenant of this key',
  tag: 'tenants',
  access: ['tenant_admin', 'operator', 'auditor', 'merchant_system'],
  idempotency: 'none',
  success: { status: 200, body: tenantView },
  problems: ['not_found'],
});

export const changeTenant = route({
  method: 'PATCH',
  path: '/v1/tenant',
  summary: 'Change the name or the settings of the tenant',
  description:
    'caller_asserted_allowed lets rules look at authority that a caller only asserts; it exists in the test world only.',
  tag: 'tenants',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({
    name: label.optional(),
    caller_asserted_allowed: z.boolean().optional(),
  }),
  success: { status: 200, body: tenantView },
  problems: ['not_found'],
});
