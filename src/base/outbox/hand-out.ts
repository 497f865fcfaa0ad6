import type { TenantId } from '../../core/kernel/index.js';
import { readEntries, type RecordedEntry } from '../ledger/index.js';
import type { Pool } from '../platform/index.js';
import { drawId } from '../tenants/index.js';
import {
  findTenantsBehind,
  insertDeliveries,
  listListeners,
  type Listener,
  type NewDelivery,
  whileHandingOut,
} from './hand-out.store.js';
import { messageIdOf, type WebhookMessage, type WebhookSources } from './webhook-source.js';

/** Entries of one tenant that are looked at in one transaction. */
export const HAND_OUT_ENTRIES_MAX = 500;

export interface HandOutParts {
  readonly pool: Pool;
  readonly sources: WebhookSources;
  /** Real time. */
  readonly nowMs: () => number;
}

/**
 * Reads what was committed since the last time and stores a delivery for each endpoint that subscribed to it. Several
 * processes may do it at once: each tenant is handed out by one of them at a time, and its place moves in the same
 * transaction. Answers for how many tenants something was read.
 */
export async function handOut(
  parts: HandOutParts,
  scope: { readonly tenantId: TenantId | null; readonly limit: number },
): Promise<number> {
  const tenantIds = await findTenantsBehind(parts.pool, scope);
  let count = 0;
  for (const tenantId of tenantIds) if ((await handOutOf(parts, tenantId)) !== null) count += 1;
  return count;
}

const handOutOf = ({ pool, sources, nowMs }: HandOutParts, tenantId: TenantId) =>
  whileHandingOut(pool, tenantId, async (client, { handedOutSeq, lastSeq }) => {
    const listeners = await listListeners(client, tenantId);
    // Nobody listens: what happens meanwhile is nobody's, however much it is.
    if (listeners.length === 0) return lastSeq;
    const throughSeq = Math.min(lastSeq, handedOutSeq + HAND_OUT_ENTRIES_MAX);
    const entries = await readEntries(client, {
      tenantId,
      afterSeq: handedOutSeq,
      throughSeq,
      types: sources.entryTypes,
    });
    const deliveries = entries.flatMap((entry) => {
      const message = sources.messageOf(entry);
      return message === null ? [] : deliveriesOf(message, entry, listeners);
    });
    await insertDeliveries(client, tenantId, { deliveries, atMs: nowMs() });
    return throughSeq;
  });

function deliveriesOf(
  message: WebhookMessage,
  entry: RecordedEntry,
  listeners: readonly Listener[],
): readonly NewDelivery[] {
  return listeners
    .filter((listener) => hears(listener, message, entry.seq))
    .map(({ endpointId }) => ({
      deliveryId: drawId('whd'),
      endpointId,
      merchantId: message.merchantId,
      eventSeq: entry.seq,
      messageId: messageIdOf(entry),
      eventType: message.type,
    }));
}

/** An endpoint hears what it subscribed to, of its merchant if it has one, and only what came after it. */
export const hears = (
  { eventTypes, merchantId, createdSeq }: Listener,
  message: Pick<WebhookMessage, 'type' | 'merchantId'>,
  seq: number,
): boolean =>
  seq > createdSeq &&
  eventTypes.includes(message.type) &&
  (merchantId === null || merchantId === message.merchantId);
