import {
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { KeyWrapping, SIGNING_KEYS, type SigningKeys } from '../keys/index.js';
import { DUE_WORKS, type DueWorks, withoutRepeats, WRITER, type Writer } from '../ledger/index.js';
import {
  CONFIG,
  type Config,
  createOutboundClient,
  DATABASE,
  type Pool,
} from '../platform/index.js';
import { WebhookDeliveries } from './deliveries.js';
import { WebhookEndpoints } from './endpoints.js';
import { WebhookSender } from './sender.js';
import { type WebhookSource, WebhookSources } from './webhook-source.js';

export const WEBHOOK_ENDPOINTS = Symbol('WebhookEndpoints');
export const WEBHOOK_DELIVERIES = Symbol('WebhookDeliveries');
const WEBHOOK_SENDER = Symbol('WebhookSender');
const SOURCES = Symbol('WebhookSources');

type SenderWiring = [Config, Pool, Writer, SigningKeys, WebhookSources];

const senderOf = (...[config, pool, writer, ...rest]: SenderWiring): WebhookSender => {
  const [signingKeys, sources] = rest;
  // INVARIANT: a tenant chose the address, so neither of them knows the mapped origin.
  const outboundTo = (allowLoopbackPeers: boolean) =>
    createOutboundClient({ allowLoopbackPeers, nowMs: Date.now });
  return new WebhookSender({
    pool,
    writer,
    sources,
    signingKeys,
    wrapping: new KeyWrapping(config.keyEncryptionKey),
    outbound: {
      test: outboundTo(config.allowLoopbackPeers),
      live: outboundTo(false),
    },
    log: withoutRepeats(new Logger('outbox'), Date.now),
    nowMs: Date.now,
    jitter: Math.random,
  });
};

/** Wiring. `sources` are the webhooks of every room. */
@Global()
@Module({})
export class OutboxModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(WEBHOOK_SENDER) private readonly sender: WebhookSender,
    @Inject(DUE_WORKS) dueWorks: DueWorks,
  ) {
    dueWorks.register(sender);
  }

  static register({ sources }: { sources: readonly WebhookSource[] }): DynamicModule {
    return {
      module: OutboxModule,
      global: true,
      providers: [
        { provide: SOURCES, useValue: new WebhookSources(sources) },
        {
          provide: WEBHOOK_ENDPOINTS,
          inject: [CONFIG, DATABASE, WRITER],
          useFactory: (config: Config, database: Pool, writer: Writer) =>
            new WebhookEndpoints({
              database,
              writer,
              wrapping: new KeyWrapping(config.keyEncryptionKey),
              allowLoopbackPeers: config.allowLoopbackPeers,
              nowMs: Date.now,
            }),
        },
        {
          provide: WEBHOOK_DELIVERIES,
          inject: [DATABASE],
          useFactory: (database: Pool) => new WebhookDeliveries({ database, nowMs: Date.now }),
        },
        {
          provide: WEBHOOK_SENDER,
          inject: [CONFIG, DATABASE, WRITER, SIGNING_KEYS, SOURCES],
          useFactory: senderOf,
        },
      ],
      exports: [WEBHOOK_ENDPOINTS, WEBHOOK_DELIVERIES],
    };
  }

  /** After the tick has ended and before the writer closes. */
  beforeApplicationShutdown(): Promise<void> {
    return this.sender.stop();
  }
}
