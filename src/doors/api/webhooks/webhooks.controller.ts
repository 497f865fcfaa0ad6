import { Controller, Inject } from '@nestjs/common';
import {
  WEBHOOK_DELIVERIES,
  WEBHOOK_ENDPOINTS,
  type WebhookDeliveries,
  type WebhookEndpoints,
} from '../../../base/outbox/index.js';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { formatInstant, mapOk, ok } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import { pageRequest, printPage } from '../tenants/pieces.js';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  printDelivery,
  printDeliveryWithAttempts,
  printEndpoint,
  readWebhookDelivery,
  resendWebhookDelivery,
  rotateWebhookSecret,
} from './webhooks.contract.js';

@Controller()
export class WebhooksController {
  constructor(
    @Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpoints,
    @Inject(WEBHOOK_DELIVERIES) private readonly deliveries: WebhookDeliveries,
  ) {}

  @Handles(createWebhookEndpoint)
  async create(
    @Input() { body }: InputOf<typeof createWebhookEndpoint>,
    @Caller() caller: CallerContext,
  ) {
    const created = await this.endpoints.create(commandContext(caller), caller.principal, {
      url: body.url,
      eventTypes: body.event_types,
      merchantId: body.merchant_id,
    });
    return mapOk(created, ({ secret, ...endpoint }) => ({ ...printEndpoint(endpoint), secret }));
  }

  @Handles(listWebhookEndpoints)
  async list(@Caller() caller: CallerContext) {
    const endpoints = await this.endpoints.list(caller.principal);
    return ok({ items: endpoints.map(printEndpoint) });
  }

  @Handles(rotateWebhookSecret)
  async rotate(
    @Input() { params, body }: InputOf<typeof rotateWebhookSecret>,
    @Caller() caller: CallerContext,
  ) {
    const rotated = await this.endpoints.rotateSecret(commandContext(caller), caller.principal, {
      endpointId: params.endpoint_id,
      overlapSeconds: body.overlap_seconds,
    });
    return mapOk(rotated, ({ secret, previousEndsAtMs }) => ({
      secret,
      previous_ends_at: formatInstant(previousEndsAtMs),
    }));
  }

  @Handles(enableWebhookEndpoint)
  async enable(
    @Input() { params }: InputOf<typeof enableWebhookEndpoint>,
    @Caller() caller: CallerContext,
  ) {
    const context = commandContext(caller);
    const enabled = await this.endpoints.enable(context, caller.principal, params.endpoint_id);
    return mapOk(enabled, printEndpoint);
  }

  @Handles(deleteWebhookEndpoint)
  delete(
    @Input() { params }: InputOf<typeof deleteWebhookEndpoint>,
    @Caller() caller: CallerContext,
  ) {
    return this.endpoints.delete(commandContext(caller), caller.principal, params.endpoint_id);
  }

  @Handles(listWebhookDeliveries)
  async listDeliveries(
    @Input() { query }: InputOf<typeof listWebhookDeliveries>,
    @Caller() caller: CallerContext,
  ) {
    const filter = { endpointId: query.endpoint_id ?? null, status: query.status ?? null };
    const page = await this.deliveries.list(caller.principal, filter, pageRequest(query));
    return ok(printPage(page, printDelivery));
  }

  @Handles(readWebhookDelivery)
  async readDelivery(
    @Input() { params }: InputOf<typeof readWebhookDelivery>,
    @Caller() caller: CallerContext,
  ) {
    const found = await this.deliveries.get(caller.principal, params.delivery_id);
    return mapOk(found, printDeliveryWithAttempts);
  }

  @Handles(resendWebhookDelivery)
  async resend(
    @Input() { params }: InputOf<typeof resendWebhookDelivery>,
    @Caller() caller: CallerContext,
  ) {
    const resent = await this.deliveries.resend(caller.principal, params.delivery_id);
    return mapOk(resent, printDelivery);
  }
}
