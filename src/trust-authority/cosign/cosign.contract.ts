import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { SERVICE } from '../service-principal.js';
import { chosenId, sha256Hex, tenantParams } from '../wire.js';

export const cosignHead = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/head-cosignatures',
  summary: 'Witness the head of a ledger',
  description:
    'Refused with 409 when a later head of the ledger was cosigned, or another link at its place. The same again is answered again.',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({
    ledger_id: chosenId,
    seq: z.int().min(0),
    link: sha256Hex,
  }),
  success: { status: 200, body: z.strictObject({ jws: z.string() }) },
  problems: ['not_found', 'conflict', 'outcome_unknown'],
});
