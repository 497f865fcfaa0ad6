import { Module } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock, WRITER, type Writer } from '../../base/ledger/index.js';
import { CONFIG, type Config, DATABASE, type Queryable } from '../../base/platform/index.js';
import {
  AUTHORITY_RESOLVER,
  type AuthorityResolver,
  BuyerAuthorityModule,
  buyerCommitment,
  buyerReferenceWrite,
  buyerSalt,
} from '../../trust/buyer-authority/index.js';
import { ARTIFACT_RESOLVER, type ArtifactResolver, FactsModule } from '../../trust/facts/index.js';
import { Arbiter } from './arbiter.js';
import type { FactSources } from './resolve.js';

export const ARBITER = Symbol('Arbiter');

@Module({
  imports: [BuyerAuthorityModule, FactsModule],
  providers: [
    {
      provide: ARBITER,
      inject: [CONFIG, DATABASE, WRITER, OUTSIDE_LOCK, AUTHORITY_RESOLVER, ARTIFACT_RESOLVER],
      useFactory: (...[config, database, writer, outsideLock, authority, artifacts]: Wiring) =>
        new Arbiter({
          writer,
          outsideLock,
          sources: { authority, artifacts, commitBuyer: buyerCommitter(database) },
          database,
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
    const commitment = buyerCommitment(await buyerSalt(database, tenantId), buyerRef);
    return { commitment, write: buyerReferenceWrite(tenantId, { commitment, buyerRef }) };
  };

type Wiring = [Config, Queryable, Writer, OutsideLock, AuthorityResolver, ArtifactResolver];
