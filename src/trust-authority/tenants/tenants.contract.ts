import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { WORLDS } from '../../core/kernel/index.js';
import { SERVICE } from '../service-principal.js';
import { instant, tenantId, tenantParams } from '../wire.js';

export const registerTenant = route({
  method: 'POST',
  path: '/v1/tenants',
  summary: 'Serve a tenant of this service',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  body: z.strictObject({
    tenant_id: tenantId,
    world: z.enum(WORLDS),
    test_clock_at: instant.nullable().default(null),
  }),
  success: {
    status: 201,
    body: z.strictObject({ tenant_id: z.string(), world: z.enum(WORLDS), now: z.string() }),
  },
  problems: ['conflict', 'outcome_unknown'],
});

export const forwardClock = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/clock',
  summary: 'Move the test clock of a tenant forward',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({ now: instant }),
  success: { status: 200, body: z.strictObject({ now: z.string() }) },
  problems: ['not_found', 'outcome_unknown'],
});
