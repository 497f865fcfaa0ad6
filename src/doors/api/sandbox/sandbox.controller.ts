import { Controller, Inject, Req } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mapOk } from '../../../core/kernel/index.js';
import { SandboxDesk, WebhookReceiver } from '../../../money/rails/index.js';
import {
  listEvents,
  printBehaviour,
  printEvent,
  readBehaviour,
  receiveWebhook,
  rotateSecret,
  setBehaviour,
} from './sandbox.contract.js';

/** What a signature covers, as it arrived; `id` is the request's. */
interface SignedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: Buffer | null;
  readonly id: string;
}

@Controller()
export class SandboxController {
  constructor(
    @Inject(SandboxDesk) private readonly desk: SandboxDesk,
    @Inject(WebhookReceiver) private readonly webhooks: WebhookReceiver,
  ) {}

  @Handles(setBehaviour)
  async set(@Input() { body }: InputOf<typeof setBehaviour>, @Caller() caller: CallerContext) {
    const { merchant_id: merchantId = null, look_up, late_payments, ...same } = body;
    const wanted = definedOf({ ...same, lookUp: look_up, latePayments: late_payments });
    const set = await this.desk.setBehaviour(caller.principal, merchantId, wanted);
    return mapOk(set, (said) => printBehaviour(merchantId, said));
  }

  @Handles(readBehaviour)
  async read(@Input() { query }: InputOf<typeof readBehaviour>, @Caller() caller: CallerContext) {
    const { merchant_id: merchantId = null } = query;
    const said = await this.desk.behaviour(caller.principal, merchantId);
    return mapOk(said, (found) => printBehaviour(merchantId, found));
  }

  @Handles(listEvents)
  async events(@Caller() caller: CallerContext) {
    const events = await this.desk.events(caller.principal);
    return mapOk(events, (found) => ({ items: found.map(printEvent) }));
  }

  @Handles(rotateSecret)
  async rotate(@Input() { body }: InputOf<typeof rotateSecret>, @Caller() caller: CallerContext) {
    const rotated = await this.desk.rotateSecret(caller.principal, body.overlap_seconds);
    return mapOk(rotated, ({ endpointId, secrets: [secret] }) => ({
      endpoint_id: endpointId,
      webhook_path: `/v1/webhooks/sandbox/${endpointId}`,
      secret,
    }));
  }

  @Handles(receiveWebhook)
  async receive(
    @Input() { params }: InputOf<typeof receiveWebhook>,
    @Req() { headers, rawBody, id }: SignedRequest,
  ) {
    const received = await this.webhooks.receive({
      provider: 'sandbox',
      endpointId: params.endpoint_id,
      headers,
      body: rawBody ?? Buffer.alloc(0),
      requestId: id,
    });
    return mapOk(received, ({ eventId, outcome }) => ({ event_id: eventId, outcome }));
  }
}

/** Without the members that were left out. */
const definedOf = <Shape extends object>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Shape]?: NonNullable<Shape[Name]>;
  };
