import { Module } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock, type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { MERCHANTS, type Merchants } from '../../base/tenants/index.js';
import {
  ISSUER_KEYS,
  type IssuerKeys,
  PeersModule,
  SIGNATURE_CHECKER,
  type SignatureChecker,
} from '../peers/index.js';
import { AUTHORITY, AuthorityModule, type AuthorityPort } from '../authority/index.js';
import { STATUS_CHECKER, type StatusChecker, StatusModule } from '../status/index.js';
import { Artifacts } from './artifacts.js';
import { Catalog, CATALOG } from './catalog/catalog.js';
import { ARTIFACT_RESOLVER } from './contract.js';
import { CACHED_FACTS, CachedFacts } from './publishing/cached-facts.js';
import type { FactPublisher } from './publishing/fact-publisher.js';
import type { FactRenewals } from './publishing/fact-renewals.js';
import { PUBLICATIONS, Publications } from './publishing/publications.js';
import type { PublishedFacts } from './publishing/published-facts.js';
import {
  FACT_PUBLISHER,
  FACT_RENEWALS,
  PUBLISHED_FACTS,
  PublishingModule,
} from './publishing/publishing.module.js';
import { StoredArtifactResolver } from './resolve-artifacts.js';
import { ShopJudge } from './shop/shop-judge.js';
import { SHOP_READING, ShopReading } from './shop/shop-reading.js';
import { Stock, STOCK } from './stock.js';

export const ARTIFACTS = Symbol('Artifacts');

@Module({
  imports: [PeersModule, AuthorityModule, StatusModule, PublishingModule],
  providers: [
    {
      provide: ARTIFACTS,
      inject: [
        DATABASE,
        WRITER,
        ISSUER_KEYS,
        SIGNATURE_CHECKER,
        STATUS_CHECKER,
        AUTHORITY,
        OUTSIDE_LOCK,
      ],
      useFactory: (
        ...[database, writer, issuerKeys, checker, statuses, authority, outsideLock]: [
          Queryable,
          Writer,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
          AuthorityPort,
          OutsideLock,
        ]
      ) =>
        new Artifacts({ database, writer, issuerKeys, checker, statuses, authority, outsideLock }),
    },
    {
      provide: ARTIFACT_RESOLVER,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER, PUBLISHED_FACTS],
      useFactory: (
        ...[database, issuerKeys, checker, statuses, published]: [
          Queryable,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
          PublishedFacts,
        ]
      ) => new StoredArtifactResolver({ database, issuerKeys, checker, statuses, published }),
    },
    {
      provide: STOCK,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new Stock({ database, writer }),
    },
    {
      provide: CATALOG,
      inject: [DATABASE, WRITER, OUTSIDE_LOCK],
      useFactory: (database: Queryable, writer: Writer, outsideLock: OutsideLock) =>
        new Catalog({ database, writer, outsideLock }),
    },
    {
      provide: PUBLICATIONS,
      inject: [DATABASE, FACT_PUBLISHER],
      useFactory: (database: Queryable, publisher: FactPublisher) =>
        new Publications({ database, publisher }),
    },
    {
      provide: CACHED_FACTS,
      inject: [DATABASE, OUTSIDE_LOCK, FACT_RENEWALS, STATUS_CHECKER, ARTIFACT_RESOLVER],
      useFactory: (
        ...[database, outsideLock, renewals, statuses, resolver]: [
          Queryable,
          OutsideLock,
          FactRenewals,
          StatusChecker,
          StoredArtifactResolver,
        ]
      ) => new CachedFacts({ database, outsideLock, renewals, statuses, resolver }),
    },
    {
      provide: ShopJudge,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER],
      useFactory: (
        ...[database, issuerKeys, checker, statuses]: [
          Queryable,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
        ]
      ) => new ShopJudge({ database, issuerKeys, checker, statuses }),
    },
    {
      provide: SHOP_READING,
      inject: [DATABASE, OUTSIDE_LOCK, FACT_RENEWALS, ShopJudge, MERCHANTS],
      useFactory: (
        ...[database, outsideLock, renewals, judge, merchants]: [
          Queryable,
          OutsideLock,
          FactRenewals,
          ShopJudge,
          Merchants,
        ]
      ) => new ShopReading({ database, outsideLock, renewals, judge, merchants }),
    },
  ],
  exports: [
    ARTIFACTS,
    ARTIFACT_RESOLVER,
    STOCK,
    CATALOG,
    PUBLICATIONS,
    CACHED_FACTS,
    SHOP_READING,
    PublishingModule,
  ],
})
export class FactsModule {}
