import { z } from 'zod';
import { route } from '../../base/platform/index.js';
import { isCurrencyCode } from '../../core/kernel/index.js';
import { SERVICE } from '../service-principal.js';
import { chosenId, instant, sha256Hex, tenantParams } from '../wire.js';
import { COUNTERSIGN_REQUESTS_MAX } from './countersignatures.js';

const ARTIFACTS_MAX = 1_000;

/** A list may be anybody's: only its form is read. */
const anySlot = z.strictObject({
  uri: z.string().min(1).max(2_048),
  idx: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
});

export const countersign = route({
  method: 'POST',
  path: '/v1/tenants/{tenant_id}/countersignatures',
  summary: 'Confirm allows whose artifacts are valid at this moment',
  description:
    'One answer per request, in their order. A refund is confirmed without a look at artifacts. Slots on lists of other authorities are not looked at.',
  tag: 'authority',
  access: SERVICE,
  idempotency: 'none',
  params: tenantParams,
  body: z.strictObject({
    requests: z
      .array(
        z.strictObject({
          decision_id: chosenId,
          flow: z.enum(['handoff', 'agent_payment', 'refund']),
          cart_hash: sha256Hex.nullable(),
          order_id: chosenId.nullable(),
          amount_minor: z
            .string()
            .regex(/^(?:0|[1-9]\d{0,17})$/, 'Minor units, at most 18 digits.')
            .transform(BigInt),
          currency: z.string().length(3).refine(isCurrencyCode, 'An ISO 4217 code.'),
          merchant_id: chosenId,
          decided_at: instant,
          expires_at: instant,
          artifacts: z
            .array(
              z.strictObject({
                id: chosenId,
                payload_hash: sha256Hex.nullable(),
                slot: anySlot.nullable(),
              }),
            )
            .max(ARTIFACTS_MAX),
        }),
      )
      .min(1)
      .max(COUNTERSIGN_REQUESTS_MAX),
  }),
  success: {
    status: 200,
    body: z.strictObject({
      answers: z.array(
        z.union([z.strictObject({ jws: z.string() }), z.strictObject({ refused: z.string() })]),
      ),
    }),
  },
  problems: ['not_found'],
});
