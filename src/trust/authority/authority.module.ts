import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { WITNESS_SOURCES, type WitnessSources } from '../../base/history/index.js';
import { DUE_WORKS, type DueWorks } from '../../base/ledger/index.js';
import {
  AUTHORITY_ADDRESS,
  type AuthorityAddress,
  CONFIG,
  type Config,
  DATABASE,
  HEALTH,
  type HealthCheck,
  type HealthRegistry,
  OUTBOUND,
  type OutboundClient,
  type Queryable,
} from '../../base/platform/index.js';
import {
  ISSUER_KEYS,
  type IssuerKeys,
  PeersModule,
  SIGNATURE_CHECKER,
  type SignatureChecker,
} from '../peers/index.js';
import { AuthorityClient } from './authority-client.js';
import { witnessSource } from './authority-witness.js';
import { ClockForwarding } from './clock-forwarding.js';
import { AUTHORITY, type AuthorityPort } from './contract.js';
import { PUBLIC_AUTHORITY, PublicAuthority } from './public-authority.js';

/** What the room does without being asked. */
interface Standing {
  readonly clocks: ClockForwarding;
  readonly reachable: HealthCheck;
  /** It is asked to cosign the logs of this deployment from now on. */
  joinWitnesses(): void;
}
const STANDING = Symbol('Standing');

@Module({
  imports: [PeersModule],
  providers: [
    {
      provide: AUTHORITY,
      inject: [CONFIG, AUTHORITY_ADDRESS, OUTBOUND, DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER],
      useFactory: (...[config, address, outbound, database, issuerKeys, checker]: Wiring) =>
        new AuthorityClient({
          ...{ address, outbound, database, issuerKeys, checker, nowMs: Date.now },
          servesLive: !address.isEmbedded || config.embeddedAuthorityForLive,
        }),
    },
    {
      provide: PUBLIC_AUTHORITY,
      inject: [AUTHORITY_ADDRESS, OUTBOUND],
      useFactory: (address: AuthorityAddress, outbound: OutboundClient) =>
        new PublicAuthority({ address, outbound }),
    },
    {
      provide: STANDING,
      inject: [DATABASE, AUTHORITY, WITNESS_SOURCES],
      useFactory: (
        database: Queryable,
        authority: AuthorityPort,
        witnesses: WitnessSources,
      ): Standing => ({
        clocks: new ClockForwarding({ database, authority }),
        reachable: reachableCheck(authority),
        joinWitnesses: () => witnesses.register(witnessSource(authority)),
      }),
    },
  ],
  exports: [AUTHORITY, PUBLIC_AUTHORITY],
})
export class AuthorityModule implements OnModuleInit {
  constructor(
    @Inject(STANDING) private readonly standing: Standing,
    @Inject(DUE_WORKS) private readonly dueWorks: DueWorks,
    @Inject(HEALTH) private readonly health: HealthRegistry,
  ) {}

  onModuleInit(): void {
    this.dueWorks.register(this.standing.clocks);
    this.health.add(this.standing.reachable);
    this.standing.joinWitnesses();
  }
}

const reachableCheck = (authority: AuthorityPort): HealthCheck => ({
  name: 'authority',
  // WHY: without it nothing is issued or withdrawn, but decisions go on from fresh copies of its lists.
  decidesReadiness: false,
  check: async () =>
    (await authority.isReachable())
      ? { healthy: true }
      : { healthy: false, detail: 'the trust authority does not answer' },
});

type Wiring = [Config, AuthorityAddress, OutboundClient, Queryable, IssuerKeys, SignatureChecker];
