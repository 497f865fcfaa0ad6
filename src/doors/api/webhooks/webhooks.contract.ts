import { z } from 'zod';
import {
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  ERROR_CLASSES,
  SECRET_OVERLAP_SECONDS_MAX,
  SECRET_OVERLAP_SECONDS_MIN,
  WEBHOOK_TYPE_NAMES,
  WEBHOOK_TYPES,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../../../base/outbox/index.js';
import { route } from '../../../base/platform/index.js';
import { formatInstant } from '../../../core/kernel/index.js';
import { pageOf, pageQuery } from '../tenants/pieces.js';
import { chosenId, instantOutput, printInstant } from '../wire.js';

const URL_CHARACTERS_MAX = 2_048;

const idOf = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{1,64}$`), `${prefix}_ and lower-case letters or digits`);
const endpointId = idOf('whe');
const endpointParams = z.strictObject({ endpoint_id: endpointId });
const deliveryParams = z.strictObject({ delivery_id: idOf('whd') });

const eventType = z.enum(WEBHOOK_TYPE_NAMES).meta({
  description: WEBHOOK_TYPE_NAMES.map((name) => `${name}: ${WEBHOOK_TYPES[name]}`).join(' '),
});

const endpointMembers = {
  endpoint_id: z.string(),
  merchant_id: z.string().nullable(),
  url: z.string(),
  event_types: z.array(z.string()),
  state: z.enum(['active', 'disabled']),
  disabled_reason: z.enum(DISABLED_REASONS).nullable().meta({
    description: 'gone: it answered 410. failing: nothing reached it for 5 days.',
  }),
  created_at: instantOutput,
  replaced_secrets_end_at: z.array(instantOutput),
};
const endpointView = z.strictObject(endpointMembers);
const secret = z.string().nullable().meta({
  description: 'whsec_ and base64. Shown once; null when this answer repeats an earlier one.',
});

export const printEndpoint = (endpoint: WebhookEndpoint): z.input<typeof endpointView> => ({
  endpoint_id: endpoint.endpointId,
  merchant_id: endpoint.merchantId,
  url: endpoint.url,
  event_types: [...endpoint.eventTypes],
  state: endpoint.state,
  disabled_reason: endpoint.disabledReason,
  created_at: formatInstant(endpoint.createdAtMs),
  replaced_secrets_end_at: endpoint.replacedSecretsEndAtMs.map(formatInstant),
});

const attemptView = z.strictObject({
  attempt_no: z.int(),
  started_at: instantOutput,
  duration_ms: z.int().nullable().meta({ description: 'Null while it is under way.' }),
  status_code: z.int().nullable(),
  error_class: z.enum(ERROR_CLASSES).nullable(),
});

const printAttempt = (attempt: WebhookAttempt): z.input<typeof attemptView> => ({
  attempt_no: attempt.attemptNo,
  started_at: formatInstant(attempt.startedAtMs),
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error_class: attempt.errorClass as z.input<typeof attemptView>['error_class'],
});

const deliveryMembers = {
  delivery_id: z.string(),
  endpoint_id: z.string(),
  merchant_id: z.string().nullable(),
  message_id: z.string().meta({ description: 'The webhook-id header.' }),
  event_type: z.string(),
  sequence: z.int().meta({ description: 'The ledger entry that is told of.' }),
  status: z.enum(DELIVERY_STATUSES),
  attempt_count: z.int(),
  next_attempt_at: instantOutput.nullable(),
  created_at: instantOutput,
  finished_at: instantOutput.nullable(),
};
const deliveryView = z.strictObject({ ...deliveryMembers, last_attempt: attemptView.nullable() });

const printMembers = (delivery: WebhookDelivery) => ({
  delivery_id: delivery.deliveryId,
  endpoint_id: delivery.endpointId,
  merchant_id: delivery.merchantId,
  message_id: delivery.messageId,
  event_type: delivery.eventType,
  sequence: delivery.eventSeq,
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  next_attempt_at: printInstant(delivery.nextAttemptAtMs),
  created_at: formatInstant(delivery.createdAtMs),
  finished_at: printInstant(delivery.finishedAtMs),
});

export const printDelivery = (delivery: WebhookDelivery): z.input<typeof deliveryView> => ({
  ...printMembers(delivery),
  last_attempt: delivery.lastAttempt === null ? null : printAttempt(delivery.lastAttempt),
});

const deliveryWithAttempts = z.strictObject({ ...deliveryMembers, attempts: z.array(attemptView) });

export function printDeliveryWithAttempts({
  delivery,
  attempts,
}: {
  readonly delivery: WebhookDelivery;
  readonly attempts: readonly WebhookAttempt[];
}): z.input<typeof deliveryWithAttempts> {
  return { ...printMembers(delivery), attempts: attempts.map(printAttempt) };
}

const reading = {
  method: 'GET',
  tag: 'webhooks',
  access: ['tenant_admin', 'operator', 'auditor'],
  idempotency: 'none',
} as const;

const changing = {
  method: 'POST',
  tag: 'webhooks',
  access: ['tenant_admin', 'operator'],
  idempotency: 'optional',
} as const;

const unique = (names: readonly string[]): boolean => new Set(names).size === names.length;

export const createWebhookEndpoint = route({
  ...changing,
  path: '/v1/webhook-endpoints',
  summary: 'Be told of events under a URL',
  description:
    'Requests follow Standard Webhooks: POST of {type, timestamp, data} with webhook-id, webhook-timestamp and ' +
    'webhook-signature; `v1` is HMAC-SHA256 under the secret of this answer, `v1a` Ed25519 by the tenant’s webhook key ' +
    '(/.well-known/jwks.json). At least once and in no order: webhook-id tells repeats. Any 2xx within 10 seconds is a ' +
    'delivery; redirects are not followed; what fails is tried 11 times within about a day. An endpoint that answers 410, ' +
    'or that nothing reached for 5 days, is disabled. merchant_id narrows it to one merchant; a key that is bound to ' +
    'merchants has to name one. The URL is kept in the ledger: put no secret into it.',
  body: z.strictObject({
    url: z.string().min(1).max(URL_CHARACTERS_MAX).meta({
      description: 'https, port 443 or 8443, a public host.',
      example: 'https://shop.example/hooks',
    }),
    event_types: z
      .array(eventType)
      .min(1)
      .max(WEBHOOK_TYPE_NAMES.length)
      .refine(unique, 'Each type once.'),
    merchant_id: chosenId.nullable().default(null),
  }),
  examples: {
    refusals: { url: 'https://shop.example/hooks', event_types: ['decision.refused'] },
  },
  success: { status: 201, body: z.strictObject({ ...endpointMembers, secret }) },
  problems: ['not_found', 'conflict'],
});

export const listWebhookEndpoints = route({
  ...reading,
  path: '/v1/webhook-endpoints',
  summary: 'Webhook endpoints, in the order of their creation',
  success: { status: 200, body: z.strictObject({ items: z.array(endpointView) }) },
  problems: [],
});

export const rotateWebhookSecret = route({
  ...changing,
  path: '/v1/webhook-endpoints/{endpoint_id}/rotate',
  summary: 'Sign with a new secret, with an overlap',
  description:
    'The new secret signs at once, the ones before sign beside it until the overlap is over: webhook-signature then holds ' +
    'a signature for each. A secret that somebody else may hold is ended by deleting its endpoint.',
  params: endpointParams,
  body: z.strictObject({
    overlap_seconds: z
      .int()
      .min(SECRET_OVERLAP_SECONDS_MIN)
      .max(SECRET_OVERLAP_SECONDS_MAX)
      .default(SECRET_OVERLAP_SECONDS_MIN),
  }),
  success: { status: 201, body: z.strictObject({ secret, previous_ends_at: instantOutput }) },
  problems: ['not_found', 'conflict'],
});

export const enableWebhookEndpoint = route({
  ...changing,
  path: '/v1/webhook-endpoints/{endpoint_id}/enable',
  summary: 'Send to a disabled endpoint again',
  description: 'What was recorded while it was disabled is not sent.',
  params: endpointParams,
  success: { status: 200, body: endpointView },
  problems: ['not_found'],
});

export const deleteWebhookEndpoint = route({
  ...changing,
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{endpoint_id}',
  summary: 'Be told of nothing more under a URL',
  description: 'For good. What was not delivered by then is given up.',
  params: endpointParams,
  success: { status: 204, body: null },
  problems: ['not_found'],
});

export const listWebhookDeliveries = route({
  ...reading,
  path: '/v1/webhook-deliveries',
  summary: 'What was sent or will be, the newest first, each with its last try',
  description:
    'Finished deliveries are kept for 30 days. Times are real time, whatever the test clock says.',
  query: pageQuery.extend({
    endpoint_id: endpointId.optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
  }),
  success: { status: 200, body: pageOf(deliveryView) },
  problems: [],
});

export const readWebhookDelivery = route({
  ...reading,
  path: '/v1/webhook-deliveries/{delivery_id}',
  summary: 'One delivery with every try',
  params: deliveryParams,
  success: { status: 200, body: deliveryWithAttempts },
  problems: ['not_found'],
});

export const resendWebhookDelivery = route({
  ...changing,
  idempotency: 'none',
  path: '/v1/webhook-deliveries/{delivery_id}/resend',
  summary: 'Send a message again',
  description:
    'Within seconds, under the same webhook-id, whatever became of it; then with the usual retries.',
  params: deliveryParams,
  success: { status: 202, body: deliveryView },
  problems: ['not_found', 'conflict'],
});
