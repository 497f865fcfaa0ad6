import { Module } from '@nestjs/common';
import { SIGNING_KEYS, type SigningKeys } from '../base/keys/index.js';
import { WRITER, type Writer } from '../base/ledger/index.js';
import { DATABASE, type Queryable } from '../base/platform/index.js';
import { Consents, ConsentsController } from './consents/index.js';
import { CosignController, Witness, witnessNameOf } from './cosign/index.js';
import { Countersignatures, CountersignController } from './countersign/index.js';
import {
  CONSENTS,
  COUNTERSIGNATURES,
  CredentialIssuer,
  CredentialReader,
  CREDENTIALS,
  ISSUER,
  MANDATES,
  PASSPORTS,
  WITHDRAWALS,
  WITNESS,
} from './credentials/index.js';
import type { StatusLists } from './lists/index.js';
import { Mandates, MandatesController } from './mandates/index.js';
import { Passports, PassportsController } from './passports/index.js';
import { RegistrationsController } from './registrations/index.js';
import type { AuthorityRevocations } from './revocations/index.js';
import type { AuthorityTenants } from './tenants/index.js';
import { ORIGIN, REVOCATIONS, STATUS_LISTS, TENANTS } from './tokens.js';
import { Withdrawals, WithdrawalsController } from './withdrawals/index.js';

const issuing = [DATABASE, TENANTS, ISSUER];

/** What the authority issues and confirms: consents, mandates, passports, registrations, countersignatures, cosigned checkpoints. */
@Module({
  controllers: [
    ConsentsController,
    MandatesController,
    PassportsController,
    RegistrationsController,
    WithdrawalsController,
    CountersignController,
    CosignController,
  ],
  providers: [
    {
      provide: ISSUER,
      inject: [DATABASE, WRITER, SIGNING_KEYS, STATUS_LISTS, ORIGIN],
      useFactory: (
        database: Queryable,
        writer: Writer,
        ...[signingKeys, lists, origin]: [SigningKeys, StatusLists, string]
      ) => new CredentialIssuer({ database, writer, signingKeys, lists, origin }),
    },
    {
      provide: CREDENTIALS,
      inject: [DATABASE, STATUS_LISTS],
      useFactory: (database: Queryable, lists: StatusLists) =>
        new CredentialReader({ database, lists }),
    },
    {
      provide: CONSENTS,
      inject: issuing,
      useFactory: (database: Queryable, tenants: AuthorityTenants, issuer: CredentialIssuer) =>
        new Consents({ database, tenants, issuer }),
    },
    {
      provide: MANDATES,
      inject: issuing,
      useFactory: (database: Queryable, tenants: AuthorityTenants, issuer: CredentialIssuer) =>
        new Mandates({ database, tenants, issuer }),
    },
    {
      provide: PASSPORTS,
      inject: issuing,
      useFactory: (database: Queryable, tenants: AuthorityTenants, issuer: CredentialIssuer) =>
        new Passports({ database, tenants, issuer }),
    },
    {
      provide: WITHDRAWALS,
      inject: [DATABASE, REVOCATIONS, ORIGIN],
      useFactory: (database: Queryable, revocations: AuthorityRevocations, origin: string) =>
        new Withdrawals({ database, revocations, origin, nowMs: Date.now }),
    },
    {
      provide: COUNTERSIGNATURES,
      inject: [DATABASE, SIGNING_KEYS, ORIGIN],
      useFactory: (database: Queryable, signingKeys: SigningKeys, origin: string) =>
        new Countersignatures({ database, signingKeys, origin }),
    },
    {
      provide: WITNESS,
      inject: [DATABASE, WRITER, TENANTS, SIGNING_KEYS, ORIGIN],
      useFactory: (
        database: Queryable,
        writer: Writer,
        ...[tenants, signingKeys, origin]: [AuthorityTenants, SigningKeys, string]
      ) =>
        new Witness({
          ...{ database, writer, tenants, signingKeys },
          ...{ name: witnessNameOf(origin), nowMs: Date.now },
        }),
    },
  ],
})
export class CredentialsModule {}
