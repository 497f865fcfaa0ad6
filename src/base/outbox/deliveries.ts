import {
  err,
  type InstantMs,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { readRow } from '../ledger/index.js';
import type { Queryable } from '../platform/index.js';
import type { Page, PageRequest } from '../tenants/index.js';
import {
  type DeliveryFilter,
  findDelivery,
  listAttempts,
  listDeliveries,
  sendAgain,
  type WebhookAttempt,
  type WebhookDelivery,
} from './deliveries.store.js';
import { webhookEndpoints } from './endpoints.ledger.js';

/** Whose deliveries: a key that is bound to merchants sees those about its merchants only. */
export type DeliveryReader = Pick<Principal, 'tenantId' | 'merchantIds'>;

/** What was sent where, and what came of it. */
export class WebhookDeliveries {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      /** Real time. */
      readonly nowMs: () => InstantMs;
    },
  ) {}

  /** The newest first; finished ones for 30 days. */
  async list(
    { tenantId, merchantIds }: DeliveryReader,
    filter: Omit<DeliveryFilter, 'merchantIds'>,
    page: PageRequest<string>,
  ): Promise<Page<WebhookDelivery, string>> {
    const rows = await listDeliveries(this.dependencies.database, tenantId, {
      filter: { ...filter, merchantIds },
      page,
    });
    const items = rows.slice(0, page.size);
    const next = rows.length > page.size ? (items.at(-1)?.deliveryId ?? null) : null;
    return { items, next };
  }

  /** With every try. Problem: not_found. */
  async get(
    reader: DeliveryReader,
    deliveryId: string,
  ): Promise<Result<{ delivery: WebhookDelivery; attempts: readonly WebhookAttempt[] }, Problem>> {
    const found = await this.#find(reader, deliveryId);
    if (!found.ok) return found;
    const { database } = this.dependencies;
    const attempts = await listAttempts(database, reader.tenantId, deliveryId);
    return ok({ delivery: found.value, attempts });
  }

  /**
   * Due now, under the same `webhook-id`, with a whole round of tries, whatever became of it before. One that is being
   * sent at this moment is left as it is. Problems, in order: not_found, conflict (its endpoint is not active).
   */
  async resend(
    reader: DeliveryReader,
    deliveryId: string,
  ): Promise<Result<WebhookDelivery, Problem>> {
    const { database, nowMs } = this.dependencies;
    const { tenantId } = reader;
    const found = await this.#find(reader, deliveryId);
    if (!found.ok) return found;
    const key = [found.value.endpointId];
    const endpoint = await readRow(database, webhookEndpoints, { tenantId, key });
    if (endpoint?.state !== 'active') return err(endpointNotActive);
    await sendAgain(database, { tenantId, deliveryId, atMs: nowMs() });
    return this.#find(reader, deliveryId);
  }

  async #find(
    { tenantId, merchantIds }: DeliveryReader,
    deliveryId: string,
  ): Promise<Result<WebhookDelivery, Problem>> {
    const found = await findDelivery(this.dependencies.database, tenantId, deliveryId);
    if (found === null) return err(noSuchDelivery(deliveryId));
    const { merchantId } = found;
    const isVisible =
      merchantIds === null || (merchantId !== null && merchantIds.includes(merchantId));
    return isVisible ? ok(found) : err(noSuchDelivery(deliveryId));
  }
}

const noSuchDelivery = (deliveryId: string): Problem =>
  problem('not_found', `There is no webhook delivery ${deliveryId} here.`, {
    fix: 'Name an id that GET /v1/webhook-deliveries lists; finished ones are kept for 30 days.',
  });

const endpointNotActive = problem('conflict', 'The endpoint of this delivery is not active.', {
  fix: 'Enable it with POST /v1/webhook-endpoints/{endpoint_id}/enable; a deleted one cannot be.',
});
