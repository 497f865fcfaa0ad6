import { Logger, Module } from '@nestjs/common';
import { SIGNING_KEYS, type SigningKeys } from '../../../base/keys/index.js';
import {
  OUTSIDE_LOCK,
  type OutsideLock,
  withoutRepeats,
  type Writer,
  WRITER,
} from '../../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../../base/platform/index.js';
import { AUTHORITY, AuthorityModule, type AuthorityPort } from '../../authority/index.js';
import { ISSUER_KEYS, type IssuerKeys, PeersModule } from '../../peers/index.js';
import {
  STATUS_CHECKER,
  STATUS_SLOTS,
  type StatusChecker,
  StatusModule,
  type StatusSlots,
} from '../../status/index.js';
import { FactPublisher } from './fact-publisher.js';
import { FactRenewals } from './fact-renewals.js';
import { PublishedFacts } from './published-facts.js';

export const FACT_PUBLISHER = Symbol('FactPublisher');
export const FACT_RENEWALS = Symbol('FactRenewals');
export const PUBLISHED_FACTS = Symbol('PublishedFacts');

@Module({
  imports: [PeersModule, AuthorityModule, StatusModule],
  providers: [
    {
      provide: FACT_PUBLISHER,
      inject: [
        WRITER,
        OUTSIDE_LOCK,
        SIGNING_KEYS,
        ISSUER_KEYS,
        STATUS_SLOTS,
        STATUS_CHECKER,
        AUTHORITY,
      ],
      useFactory: (
        ...[writer, outsideLock, signingKeys, issuerKeys, slots, statuses, authority]: [
          Writer,
          OutsideLock,
          SigningKeys,
          IssuerKeys,
          StatusSlots,
          StatusChecker,
          AuthorityPort,
        ]
      ) =>
        new FactPublisher({
          ...{ writer, outsideLock, signingKeys, issuerKeys, slots, statuses, authority },
        }),
    },
    {
      provide: FACT_RENEWALS,
      inject: [FACT_PUBLISHER],
      useFactory: (publisher: FactPublisher) =>
        new FactRenewals(publisher, withoutRepeats(new Logger('facts'), Date.now)),
    },
    {
      provide: PUBLISHED_FACTS,
      inject: [DATABASE, FACT_RENEWALS],
      useFactory: (database: Queryable, renewals: FactRenewals) =>
        new PublishedFacts({ database, renewals }),
    },
  ],
  exports: [FACT_PUBLISHER, FACT_RENEWALS, PUBLISHED_FACTS],
})
export class PublishingModule {}
