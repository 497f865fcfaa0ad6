/**
 * Everything an endpoint can subscribe to, each with one sentence for its receiver. A name is forever, and so is what
 * it means; the members of its data only grow. The list is closed here so that routes and documents print it; a room
 * that adds a type also makes it, with `webhookOf`.
 */
export const WEBHOOK_TYPES = {
  'decision.allowed': 'A decision let a purchase or refund pass.',
  'decision.refused': 'A decision refused a purchase or refund.',
  'payment.started': 'The allow of a payment was used; its provider is being asked.',
  'payment.issued': 'The provider made the payment: the buyer can pay it.',
  'payment.lapsed': 'It was not paid in time. It may still be paid.',
  'payment.canceled': 'It is offered no more. It may still be paid.',
  'payment.rejected': 'The provider never took it.',
  'payment.failed': 'The provider reported that it failed.',
  'payment.captured':
    'Money was captured; payment_id is null when it is of no payment known here, and the same capture_id comes again when its payment becomes known.',
  'refund.allowed': 'A refund was allowed and counts as given back.',
  'refund.submitted': 'The allow of a refund was used; its provider is being asked.',
  'refund.done': 'The provider gave the money back.',
  'refund.failed': 'The refund failed and its amount may be refunded again.',
  'refund.lapsed': 'The allow of the refund ended unused and its amount may be refunded again.',
} as const satisfies Readonly<Record<string, string>>;

export type WebhookType = keyof typeof WEBHOOK_TYPES;

export const WEBHOOK_TYPE_NAMES = Object.keys(WEBHOOK_TYPES) as readonly WebhookType[];
