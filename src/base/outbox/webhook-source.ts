import { type CanonicalValue, formatInstant, invariant } from '../../core/kernel/index.js';
import type { EntryRef, EventType, RecordedEntry } from '../ledger/index.js';
import type { WebhookType } from './webhook-types.js';

/** What an entry means to receivers outside. */
export interface WebhookMessage {
  readonly type: WebhookType;
  /** The merchant it is about: an endpoint may be bound to one. Null = only endpoints of the whole tenant hear it. */
  readonly merchantId: string | null;
  /** Small, in snake_case, amounts as `{"amount","currency"}`, instants as RFC 3339. No personal data, no secrets. */
  readonly data: { readonly [name: string]: CanonicalValue };
}

/** One kind of entry that endpoints may be told about. */
export interface WebhookSource {
  readonly eventType: EventType<unknown>;
  messageOf(data: unknown, entry: EntryRef): WebhookMessage | null;
}

/**
 * Makes a kind of ledger entry a webhook. A room calls it once for an event, exports the value, and `src/webhooks.ts`
 * lists it; the names of its types stand in `WEBHOOK_TYPES`.
 *
 *     export const paymentWebhooks = webhookOf(paymentConfirmed, (data, entry) => ({
 *       type: 'payment.confirmed',
 *       merchantId: data.merchantId,
 *       data: { payment_id: data.paymentId, confirmed_at: formatInstant(entry.atMs) },
 *     }));
 *
 * `messageOf` is pure and answers null for entries that nobody outside hears of. It is asked after the commit, once
 * when the entry is handed out and again at each try: the entry itself is the outbox row, written in the transaction
 * of the change, so nothing is lost and nothing is sent of a change that was rolled back. An event has one source.
 * Not checked: that data holds no personal data and stays small.
 */
export function webhookOf<Data>(
  eventType: EventType<Data>,
  messageOf: (data: Data, entry: EntryRef) => WebhookMessage | null,
): WebhookSource {
  return { eventType, messageOf: (data, entry) => messageOf(data as Data, entry) };
}

/** The sources of every room, by the type of entry. */
export class WebhookSources {
  readonly #byType: ReadonlyMap<string, WebhookSource>;

  constructor(sources: readonly WebhookSource[]) {
    this.#byType = new Map(sources.map((source) => [source.eventType.type, source]));
    invariant(this.#byType.size === sources.length, 'an event is made a webhook once');
  }

  get entryTypes(): readonly string[] {
    return [...this.#byType.keys()];
  }

  messageOf(entry: RecordedEntry): WebhookMessage | null {
    return this.#byType.get(entry.type)?.messageOf(entry.data, entry) ?? null;
  }
}

/** The `webhook-id`: names the message for its receiver, who may get it more than once. */
export const messageIdOf = (entry: Pick<EntryRef, 'id'>): string =>
  `msg_${entry.id.slice('ent_'.length)}`;

/** The body that is signed and sent. `timestamp` is when it happened, by the tenant's clock. */
export const payloadOf = (message: WebhookMessage, entry: Pick<EntryRef, 'atMs'>): string =>
  JSON.stringify({
    type: message.type,
    timestamp: formatInstant(entry.atMs),
    data: message.data,
  });
