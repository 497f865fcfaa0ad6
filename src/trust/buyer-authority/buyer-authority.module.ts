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
import { Buyers } from './buyers.js';
import { AUTHORITY_RESOLVER } from './contract.js';
import { Credentials } from './credentials.js';
import { AuthorityVerifier } from './resolve-authority.js';

export const CREDENTIALS = Symbol('Credentials');
export const BUYERS = Symbol('Buyers');

@Module({
  imports: [PeersModule, StatusModule],
  providers: [
    {
      provide: CREDENTIALS,
      inject: [DATABASE, WRITER, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER],
      useFactory: (
        ...[database, writer, issuerKeys, checker, statuses]: [
          Queryable,
          Writer,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
        ]
      ) => new Credentials({ database, writer, issuerKeys, checker, statuses }),
    },
    {
      provide: BUYERS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new Buyers({ database, writer }),
    },
    {
      provide: AUTHORITY_RESOLVER,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER],
      useFactory: (
        ...[database, issuerKeys, checker, statuses]: [
          Queryable,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
        ]
      ) => new AuthorityVerifier({ database, issuerKeys, checker, statuses }),
    },
  ],
  exports: [CREDENTIALS, BUYERS, AUTHORITY_RESOLVER],
})
export class BuyerAuthorityModule {}
