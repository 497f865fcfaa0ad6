import { Module } from '@nestjs/common';
import { invariant } from '../../core/kernel/index.js';
import { OUTSIDE_LOCK, type OutsideLock, WRITER, type Writer } from '../../base/ledger/index.js';
import { CONFIG, type Config, DATABASE, type Queryable } from '../../base/platform/index.js';
import {
  AUTHORITY_RESOLVER,
  type AuthorityResolver,
  BuyerAuthorityModule,
  commitBuyers,
} from '../../trust/buyer-authority/index.js';
import { ARTIFACT_RESOLVER, type ArtifactResolver, FactsModule } from '../../trust/facts/index.js';
import {
  RAIL_RESOLVER,
  RailEvidenceModule,
  type RailResolver,
} from '../../trust/rail-evidence/index.js';
import { STATUS_CHECKER, type StatusChecker, StatusModule } from '../../trust/status/index.js';
import { BOOK, type Book, BookModule } from '../book/index.js';
import { ISSUER_KEYS, PeersModule, SIGNATURE_CHECKER } from '../../trust/peers/index.js';
import { AUTHORITY, AuthorityModule } from '../../trust/authority/index.js';
import { Arbiter } from './arbiter.js';
import { type Confirming, CONFIRMING, confirmingOf } from './confirming.js';
import type { FactSources } from './resolve.js';

export const ARBITER = Symbol('Arbiter');

@Module({
  imports: [
    BookModule,
    BuyerAuthorityModule,
    FactsModule,
    RailEvidenceModule,
    PeersModule,
    AuthorityModule,
    StatusModule,
  ],
  providers: [
    {
      provide: CONFIRMING,
      inject: [CONFIG, AUTHORITY, ISSUER_KEYS, SIGNATURE_CHECKER],
      useFactory: confirmingOf,
    },
    {
      provide: ARBITER,
      inject: [
        CONFIG,
        DATABASE,
        WRITER,
        OUTSIDE_LOCK,
        AUTHORITY_RESOLVER,
        ARTIFACT_RESOLVER,
        RAIL_RESOLVER,
        BOOK,
        CONFIRMING,
        STATUS_CHECKER,
      ],
      useFactory: (
        ...[
          config,
          database,
          writer,
          outsideLock,
          authority,
          artifacts,
          rail,
          book,
          confirming,
          statuses,
        ]: Wiring
      ) =>
        new Arbiter({
          writer,
          outsideLock,
          sources: { authority, artifacts, rail, commitBuyer: buyerCommitter(database) },
          database,
          book,
          confirming,
          statuses,
          switches: { agentExecutedPaymentEnabled: config.agentExecutedPaymentEnabled },
        }),
    },
  ],
  exports: [ARBITER],
})
export class ArbiterModule {}

const buyerCommitter =
  (database: Queryable): FactSources['commitBuyer'] =>
  async (tenantId, buyerRef) => {
    const buyer = (await commitBuyers(database, tenantId, [buyerRef])).get(buyerRef);
    invariant(buyer !== undefined, 'every reference that is asked for has a commitment');
    return buyer;
  };

type Wiring = [
  Config,
  Queryable,
  Writer,
  OutsideLock,
  AuthorityResolver,
  ArtifactResolver,
  RailResolver,
  Book,
  Confirming,
  StatusChecker,
];
