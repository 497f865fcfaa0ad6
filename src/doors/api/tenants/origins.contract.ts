import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import type { TenantOrigin } from '../../../base/tenants/index.js';

const ORIGIN_CHARACTERS_MAX = 270;

const originText = z
  .string()
  .min(1)
  .max(ORIGIN_CHARACTERS_MAX)
  .meta({ example: 'https://shop.example' });

const originsView = z.strictObject({
  origins: z.array(z.strictObject({ origin: z.string(), primary: z.boolean() })),
});

export const printOrigins = (origins: readonly TenantOrigin[]): z.input<typeof originsView> => ({
  origins: origins.map(({ origin, primary }) => ({ origin, primary })),
});

export const addOrigin = route({
  method: 'POST',
  path: '/v1/origins',
  summary: 'Answer under an origin',
  description:
    'Merchant surfaces find their tenant by the Host header. An origin leads to one tenant; one of a tenant’s is its primary, ' +
    'at first the first.',
  tag: 'origins',
  access: ['tenant_admin'],
  idempotency: 'optional',
  body: z.strictObject({ origin: originText, primary: z.boolean().default(false) }),
  success: { status: 200, body: originsView },
  problems: ['conflict', 'not_found'],
});

export const listOrigins = route({
  method: 'GET',
  path: '/v1/origins',
  summary: 'The origins of the tenant, the primary first',
  tag: 'origins',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: originsView },
  problems: [],
});

export const retireOrigin = route({
  method: 'DELETE',
  path: '/v1/origins',
  summary: 'Answer under an origin no longer',
  description: 'The primary goes last. Another tenant may take the origin afterwards.',
  tag: 'origins',
  access: ['tenant_admin'],
  idempotency: 'optional',
  query: z.strictObject({ origin: originText }),
  success: { status: 204, body: null },
  problems: ['conflict', 'not_found'],
});
