import { Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import {
  ISSUER_KEYS,
  type IssuerKeys,
  PeersModule,
  SIGNATURE_CHECKER,
  type SignatureChecker,
} from '../peers/index.js';
import { STATUS_CHECKER, type StatusChecker, StatusModule } from '../status/index.js';
import { Artifacts } from './artifacts.js';
import { ARTIFACT_RESOLVER } from './contract.js';
import { StoredArtifactResolver } from './resolve-artifacts.js';
import { Stock, STOCK } from './stock.js';

export const ARTIFACTS = Symbol('Artifacts');

@Module({
  imports: [PeersModule, StatusModule],
  providers: [
    {
      provide: ARTIFACTS,
      inject: [DATABASE, WRITER, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER],
      useFactory: (
        ...[database, writer, issuerKeys, checker, statuses]: [
          Queryable,
          Writer,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
        ]
      ) => new Artifacts({ database, writer, issuerKeys, checker, statuses }),
    },
    {
      provide: ARTIFACT_RESOLVER,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER],
      useFactory: (
        ...[database, issuerKeys, checker, statuses]: [
          Queryable,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
        ]
      ) => new StoredArtifactResolver({ database, issuerKeys, checker, statuses }),
    },
    {
      provide: STOCK,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new Stock({ database, writer }),
    },
  ],
  exports: [ARTIFACTS, ARTIFACT_RESOLVER, STOCK],
})
export class FactsModule {}
