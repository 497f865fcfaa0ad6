import { z } from 'zod';
import { route } from '../../../base/platform/index.js';
import {
  type Behaviour,
  ISSUE_BEHAVIOURS,
  LATE_PAYMENT_BEHAVIOURS,
  LOOK_UP_BEHAVIOURS,
  MONEY_BEHAVIOURS,
  SECRET_OVERLAP_SECONDS_MAX,
  type SentEvent,
  WEBHOOK_BEHAVIOURS,
  WEBHOOK_OUTCOMES,
} from '../../../money/rails/index.js';
import { chosenId, instantOutput, printInstant } from '../wire.js';

const behaviour = {
  issue: z.enum(ISSUE_BEHAVIOURS).meta({ description: 'Making a payment link.' }),
  charge: z.enum(MONEY_BEHAVIOURS).meta({ description: 'Charging on the buyer’s mandates.' }),
  refund: z.enum(MONEY_BEHAVIOURS).meta({
    description:
      'Giving money back; how a refund taken on is told of is the whole tenant’s setting.',
  }),
  look_up: z.enum(LOOK_UP_BEHAVIOURS).meta({
    description: 'Answering what became of something. Only the whole tenant’s setting counts.',
  }),
  webhooks: z.enum(WEBHOOK_BEHAVIOURS).meta({ description: 'How often each one is delivered.' }),
  late_payments: z.enum(LATE_PAYMENT_BEHAVIOURS).meta({
    description: 'Whether a canceled or expired link can still be paid.',
  }),
};

const behaviourView = z.strictObject({ merchant_id: z.string().nullable(), ...behaviour });

export const printBehaviour = (
  merchantId: string | null,
  said: Behaviour,
): z.input<typeof behaviourView> => ({
  merchant_id: merchantId,
  issue: said.issue,
  charge: said.charge,
  refund: said.refund,
  look_up: said.lookUp,
  webhooks: said.webhooks,
  late_payments: said.latePayments,
});

const common = { tag: 'sandbox', problems: ['not_found'] } as const;
const WORKERS = ['merchant_system', 'operator', 'tenant_admin'] as const;

export const setBehaviour = route({
  ...common,
  method: 'PUT',
  path: '/v1/sandbox/behaviour',
  summary: 'Tell the sandbox provider how to behave',
  description:
    'For one merchant, or for the whole tenant without merchant_id; a merchant’s own setting replaces the tenant’s. What is ' +
    'left out behaves well. docs/sandbox.md says what each word does. Test world only.',
  access: WORKERS,
  idempotency: 'none',
  body: z.strictObject({
    merchant_id: chosenId.optional(),
    issue: behaviour.issue.optional(),
    charge: behaviour.charge.optional(),
    refund: behaviour.refund.optional(),
    look_up: behaviour.look_up.optional(),
    webhooks: behaviour.webhooks.optional(),
    late_payments: behaviour.late_payments.optional(),
  }),
  examples: {
    'answers get lost': { issue: 'lose_answer' },
    'every webhook comes twice': { webhooks: 'twice' },
    'well again': {},
  },
  success: { status: 200, body: behaviourView },
});

export const readBehaviour = route({
  ...common,
  method: 'GET',
  path: '/v1/sandbox/behaviour',
  summary: 'How the sandbox provider behaves now',
  access: [...WORKERS, 'auditor'],
  idempotency: 'none',
  query: z.strictObject({ merchant_id: chosenId.optional() }),
  success: { status: 200, body: behaviourView },
});

const eventView = z.strictObject({
  event_id: z.string(),
  type: z.string(),
  created_at: instantOutput,
  delivered_count: z.int(),
  attempt_count: z.int(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  next_try_at: instantOutput
    .nullable()
    .meta({ description: 'Real time; null = not sent any more.' }),
});

export const printEvent = (event: SentEvent): z.input<typeof eventView> => ({
  event_id: event.eventId,
  type: event.type,
  created_at: printInstant(event.createdAtMs) ?? '',
  delivered_count: event.deliveredCount,
  attempt_count: event.attemptCount,
  last_status: event.lastStatus,
  last_error: event.lastError,
  next_try_at: printInstant(event.nextTryAtMs),
});

export const listEvents = route({
  ...common,
  method: 'GET',
  path: '/v1/sandbox/events',
  summary: 'The last webhooks the sandbox provider sent or is sending, newest first',
  access: [...WORKERS, 'auditor'],
  idempotency: 'none',
  success: { status: 200, body: z.strictObject({ items: z.array(eventView) }) },
});

export const rotateSecret = route({
  ...common,
  method: 'POST',
  path: '/v1/sandbox/webhook-secret',
  summary: 'A new secret for the sandbox provider’s webhooks',
  description:
    'Shown here and nowhere else: with it, you can send webhooks yourself. The sandbox signs with both secrets, and the ' +
    'one before verifies, for overlap_seconds more. Test world only.',
  access: ['tenant_admin'],
  idempotency: 'none',
  body: z.strictObject({
    overlap_seconds: z.int().min(0).max(SECRET_OVERLAP_SECONDS_MAX).default(86_400),
  }),
  examples: { 'a day of overlap': {} },
  success: {
    status: 200,
    body: z.strictObject({
      endpoint_id: z.string(),
      webhook_path: z.string(),
      secret: z.string().meta({ description: 'whsec_ and base64 (Standard Webhooks).' }),
    }),
  },
});

export const receiveWebhook = route({
  method: 'POST',
  path: '/v1/webhooks/sandbox/{endpoint_id}',
  summary: 'Where the sandbox provider reports',
  description:
    'Signed by Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature over the exact bytes; 300 seconds of real ' +
    'time). 2xx = durable. A message may come twice, late and in any order. One that names what is not known here, or ' +
    'another amount or currency than was agreed, is kept and changes nothing.',
  tag: 'provider-webhooks',
  access: 'public',
  idempotency: 'none',
  params: z.strictObject({ endpoint_id: z.string().max(64) }),
  body: z.looseObject({}),
  success: {
    status: 200,
    body: z.strictObject({
      event_id: z.string(),
      outcome: z.enum([...WEBHOOK_OUTCOMES, 'repeat']),
    }),
  },
  problems: ['unauthenticated', 'conflict'],
});
