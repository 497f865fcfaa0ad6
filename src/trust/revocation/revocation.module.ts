import { Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { AUTHORITY, AuthorityModule, type AuthorityPort } from '../authority/index.js';
import { FACT_PUBLISHER, type FactPublisher, FactsModule } from '../facts/index.js';
import { Revocations } from './revocations.js';

export const REVOCATIONS = Symbol('Revocations');

@Module({
  imports: [AuthorityModule, FactsModule],
  providers: [
    {
      provide: REVOCATIONS,
      inject: [DATABASE, WRITER, AUTHORITY, FACT_PUBLISHER],
      useFactory: (
        ...[database, writer, authority, publisher]: [
          Queryable,
          Writer,
          AuthorityPort,
          FactPublisher,
        ]
      ) => new Revocations({ database, writer, authority, publisher }),
    },
  ],
  exports: [REVOCATIONS],
})
export class RevocationModule {}
