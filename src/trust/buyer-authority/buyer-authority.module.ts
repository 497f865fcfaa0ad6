import { Module } from '@nestjs/common';
import { OUTSIDE_LOCK, type OutsideLock, type Writer, WRITER } from '../../base/ledger/index.js';
import { SIGNING_KEYS, type SigningKeys } from '../../base/keys/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import {
  ISSUER_KEYS,
  type IssuerKeys,
  PeersModule,
  SIGNATURE_CHECKER,
  type SignatureChecker,
} from '../peers/index.js';
import { AUTHORITY, AuthorityModule, type AuthorityPort } from '../authority/index.js';
import { STATUS_CHECKER, type StatusChecker, StatusModule } from '../status/index.js';
import { Buyers } from './buyers.js';
import { AUTHORITY_RESOLVER } from './contract.js';
import { Credentials } from './credentials.js';
import { Ap2Objects } from './register-ap2.js';
import { AuthorityVerifier } from './resolve-authority.js';
import { PassportVerifier } from './verify-passport.js';

export const CREDENTIALS = Symbol('Credentials');
export const BUYERS = Symbol('Buyers');
export const AP2_OBJECTS = Symbol('Ap2Objects');
export const PASSPORT_VERIFIER = Symbol('PassportVerifier');

@Module({
  imports: [PeersModule, AuthorityModule, StatusModule],
  providers: [
    {
      provide: CREDENTIALS,
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
        new Credentials({
          database,
          writer,
          issuerKeys,
          checker,
          statuses,
          authority,
          outsideLock,
        }),
    },
    {
      provide: AP2_OBJECTS,
      inject: [
        DATABASE,
        WRITER,
        ISSUER_KEYS,
        SIGNATURE_CHECKER,
        STATUS_CHECKER,
        SIGNING_KEYS,
        OUTSIDE_LOCK,
      ],
      useFactory: (
        ...[database, writer, issuerKeys, checker, statuses, merchantKeys, outsideLock]: [
          Queryable,
          Writer,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
          SigningKeys,
          OutsideLock,
        ]
      ) =>
        new Ap2Objects({
          database,
          writer,
          issuerKeys,
          checker,
          statuses,
          merchantKeys,
          outsideLock,
        }),
    },
    {
      provide: PASSPORT_VERIFIER,
      inject: [ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER],
      useFactory: (
        ...[issuerKeys, checker, statuses]: [IssuerKeys, SignatureChecker, StatusChecker]
      ) => new PassportVerifier({ issuerKeys, checker, statuses }),
    },
    {
      provide: BUYERS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new Buyers({ database, writer }),
    },
    {
      provide: AUTHORITY_RESOLVER,
      inject: [DATABASE, ISSUER_KEYS, SIGNATURE_CHECKER, STATUS_CHECKER, SIGNING_KEYS],
      useFactory: (
        ...[database, issuerKeys, checker, statuses, merchantKeys]: [
          Queryable,
          IssuerKeys,
          SignatureChecker,
          StatusChecker,
          SigningKeys,
        ]
      ) => new AuthorityVerifier({ database, issuerKeys, checker, statuses, merchantKeys }),
    },
  ],
  exports: [CREDENTIALS, AP2_OBJECTS, PASSPORT_VERIFIER, BUYERS, AUTHORITY_RESOLVER],
})
export class BuyerAuthorityModule {}
