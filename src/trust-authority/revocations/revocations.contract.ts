import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { OBJECT_KINDS, SLOT_STATUSES } from '../ledger/index.js';
import { SERVICE } from '../service-principal.js';
import { chosenId, codeWord, slotRef, tenantId, tenantParams } from '../wire.js';

export const changeStatusRoute = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/revocations',
  summary: 'Revoke, suspend or restore what stands for a slot',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({
    target: z.union([
      z.strictObject({ slot: slotRef }),
      z.strictObject({ kind: z.enum(OBJECT_KINDS), object_id: chosenId }),
    ]),
    status: z.enum(SLOT_STATUSES),
    reason_code: codeWord,
    revoked_by: codeWord,
  }),
  success: {
    status: 200,
    body: z.strictObject({
      revocations: z.array(z.string()),
      lists: z.array(z.strictObject({ uri: z.string(), version: z.int() })),
    }),
  },
  problems: ['not_found', 'conflict', 'outcome_unknown'],
});

export const readRecord = route({
  method: 'GET',
  path: '/revocations/{tenant_id}/{revocation_id}',
  summary: 'The signed record of one change of a status',
  tag: 'status',
  access: 'public',
  idempotency: 'none',
  params: z.strictObject({
    tenant_id: tenantId,
    revocation_id: z
      .string()
      .regex(/^rev_[0-9a-z]{1,64}$/, 'rev_ and lower-case letters or digits'),
  }),
  success: { status: 200, body: null },
  problems: ['not_found'],
});
