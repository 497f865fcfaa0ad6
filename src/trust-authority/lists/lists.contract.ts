import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { SERVICE } from '../service-principal.js';
import { slotRef, tenantId, tenantParams } from '../wire.js';

/** Places that one request takes at most. */
export const SLOTS_PER_REQUEST_MAX = 500;

export const reserveSlotsRoute = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/slots',
  summary: 'Take places on the status lists of a tenant, before what names them is signed',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({ count: z.int().min(1).max(SLOTS_PER_REQUEST_MAX) }),
  success: { status: 201, body: z.strictObject({ slots: z.array(slotRef) }) },
  problems: ['not_found', 'outcome_unknown'],
});

export const readList = route({
  method: 'GET',
  path: '/status/{tenant_id}/{number}',
  summary: 'A signed status list (IETF Token Status List)',
  tag: 'status',
  access: 'public',
  idempotency: 'none',
  params: z.strictObject({
    tenant_id: tenantId,
    number: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'A number from 1.')
      .transform(Number),
  }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});
