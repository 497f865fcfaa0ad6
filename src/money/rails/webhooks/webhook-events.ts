import { column, defineEvent, defineProjection, when } from '../../../base/ledger/index.js';
import { codec, type Decoded } from '../../../core/kernel/index.js';

/**
 * What a webhook came to. `applied`: it moved something. `nothing_new`: we knew. All others changed nothing and a person
 * has to look: what it named is not known here, or is not what was agreed, or the book refused it.
 */
export const WEBHOOK_OUTCOMES = [
  'applied',
  'nothing_new',
  'unknown_reference',
  'provider_differs',
  'amount_differs',
  'currency_differs',
  'refused',
] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** A provider's signed message was taken; written in the same transaction as its effect. */
export const webhookReceived = defineEvent(
  'webhook.received',
  codec.record({
    provider: codec.text,
    /** The provider's name of the message: the same again is a repeat. */
    eventId: codec.text,
    bodySha256: codec.text,
    eventType: codec.text,
    /** Our payment or refund id, as the provider repeated it. */
    reference: codec.text,
    outcome: codec.oneOf(...WEBHOOK_OUTCOMES),
    detail: codec.nullable(codec.text),
  }),
);
export type WebhookReceived = Decoded<typeof webhookReceived.data>;

export interface WebhookEventRow extends Omit<WebhookReceived, 'outcome'> {
  readonly outcome: string;
  readonly receivedAtMs: number;
}

/** The cell by which repeats are known: once per provider and event id. */
export const webhookEvents = defineProjection<WebhookEventRow>({
  table: 'webhook_events',
  mode: 'append',
  key: ['provider', 'eventId'],
  columns: {
    provider: column.text,
    eventId: column.text,
    bodySha256: column.text,
    eventType: column.text,
    reference: column.text,
    outcome: column.text,
    detail: column.nullable(column.text),
    receivedAtMs: column.integer,
  },
  on: [
    when(webhookReceived, {
      keys: ({ provider, eventId }) => [[provider, eventId]],
      evolve: (_row, data, { entry }) => ({ ...data, receivedAtMs: entry.atMs }),
    }),
  ],
});
