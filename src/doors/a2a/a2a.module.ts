import { type BeforeApplicationShutdown, Inject, Logger, Module } from '@nestjs/common';
import { KeysModule, KeyWrapping, SIGNING_KEYS, type SigningKeys } from '../../base/keys/index.js';
import { DUE_WORKS, type DueWorks, withoutRepeats } from '../../base/ledger/index.js';
import {
  CONFIG,
  type Config,
  createOutboundClient,
  DATABASE,
  type Pool,
  REASONS_PATH,
} from '../../base/platform/index.js';
import {
  ORIGINS,
  type Origins,
  TENANTS,
  type Tenants,
  TenantsModule,
} from '../../base/tenants/index.js';
import { type Arbiter, ARBITER, ArbiterModule } from '../../money/arbiter/index.js';
import { FactsModule, SHOP_READING, type ShopReading } from '../../trust/facts/index.js';
import { PUSH_SENDER, SHOP_AGENTS, SIGNED_CARDS } from './a2a.tokens.js';
import { CardController } from './card.controller.js';
import { PushSender } from './push-sender.js';
import { RestController } from './rest.controller.js';
import { RpcController } from './rpc.controller.js';
import { ShopAgents } from './shop-agents.js';
import { SignedCards } from './signed-cards.js';

type AgentsWiring = [Config, Pool, Origins, Arbiter, ShopReading];

const agentsOf = (...[config, database, origins, arbiter, shop]: AgentsWiring): ShopAgents =>
  new ShopAgents({
    database,
    origins,
    desk: { arbiter, reasonsUrl: `${config.publicBaseUrl ?? ''}${REASONS_PATH}` },
    shop,
    wrapping: new KeyWrapping(config.keyEncryptionKey),
    allowLoopbackPeers: config.allowLoopbackPeers,
    nowMs: Date.now,
  });

function senderOf(config: Config, database: Pool, signingKeys: SigningKeys): PushSender {
  // INVARIANT: a caller chose the address, so neither of them knows the mapped origin.
  const outboundTo = (allowLoopbackPeers: boolean) =>
    createOutboundClient({ allowLoopbackPeers, nowMs: Date.now });
  return new PushSender({
    database,
    signingKeys,
    wrapping: new KeyWrapping(config.keyEncryptionKey),
    outbound: { test: outboundTo(config.allowLoopbackPeers), live: outboundTo(false) },
    log: withoutRepeats(new Logger('a2a'), Date.now),
    nowMs: Date.now,
    jitter: Math.random,
  });
}

/** The shop's agent, in the words of the A2A protocol (docs/a2a.md). */
@Module({
  imports: [KeysModule, TenantsModule, FactsModule, ArbiterModule],
  controllers: [CardController, RestController, RpcController],
  providers: [
    {
      provide: SHOP_AGENTS,
      inject: [CONFIG, DATABASE, ORIGINS, ARBITER, SHOP_READING],
      useFactory: agentsOf,
    },
    {
      provide: SIGNED_CARDS,
      inject: [ORIGINS, TENANTS, SIGNING_KEYS],
      useFactory: (origins: Origins, tenants: Tenants, signingKeys: SigningKeys) =>
        new SignedCards({ origins, tenants, signingKeys }),
    },
    { provide: PUSH_SENDER, inject: [CONFIG, DATABASE, SIGNING_KEYS], useFactory: senderOf },
  ],
})
export class A2aModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(PUSH_SENDER) private readonly sender: PushSender,
    @Inject(DUE_WORKS) dueWorks: DueWorks,
  ) {
    dueWorks.register(sender);
  }

  /** After the tick has ended. */
  beforeApplicationShutdown(): Promise<void> {
    return this.sender.stop();
  }
}
