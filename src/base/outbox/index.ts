export { type AttemptResult, ERROR_CLASSES, nextAttemptAtMs, resultOf } from './attempt.js';
export { type DeliveryReader, WebhookDeliveries } from './deliveries.js';
export {
  DELIVERY_STATUSES,
  type WebhookAttempt,
  type WebhookDelivery,
} from './deliveries.store.js';
export { DISABLED_REASONS, webhookEndpoints } from './endpoints.ledger.js';
export {
  SECRET_OVERLAP_SECONDS_MAX,
  SECRET_OVERLAP_SECONDS_MIN,
  type WebhookEndpoint,
  WebhookEndpoints,
} from './endpoints.js';
export { OutboxModule, WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS } from './outbox.module.js';
export {
  type WebhookMessage,
  webhookOf,
  type WebhookSource,
  WebhookSources,
} from './webhook-source.js';
export { WEBHOOK_TYPE_NAMES, WEBHOOK_TYPES, type WebhookType } from './webhook-types.js';
export { ATTEMPT_BYTES_MAX, ATTEMPT_MS_MAX, LEASE_MS } from './sender.js';
export { signedContent, type SignedMessage, webhookHeaders } from './signature.js';
export { UNDER_WAY_PER_TENANT_MAX, UnderWay } from './under-way.js';
