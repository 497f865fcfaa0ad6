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
import { RAIL_RESOLVER } from './contract.js';
import { RailReports } from './rail-reports.js';
import { StoredRailResolver } from './resolve-rail.js';

export const RAIL_REPORTS = Symbol('RailReports');

@Module({
  imports: [PeersModule],
  providers: [
    {
      provide: RAIL_REPORTS,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER, WRITER],
      useFactory: (
        ...[database, issuerKeys, checker, writer]: [
          Queryable,
          IssuerKeys,
          SignatureChecker,
          Writer,
        ]
      ) => new RailReports({ database, issuerKeys, checker, writer }),
    },
    {
      provide: RAIL_RESOLVER,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER],
      useFactory: (...[database, issuerKeys, checker]: [Queryable, IssuerKeys, SignatureChecker]) =>
        new StoredRailResolver({ database, issuerKeys, checker }),
    },
  ],
  exports: [RAIL_REPORTS, RAIL_RESOLVER],
})
export class RailEvidenceModule {}
