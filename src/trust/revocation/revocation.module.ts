import { Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { AUTHORITY, AuthorityModule, type AuthorityPort } from '../authority/index.js';
import { Revocations } from './revocations.js';

export const REVOCATIONS = Symbol('Revocations');

@Module({
  imports: [AuthorityModule],
  providers: [
    {
      provide: REVOCATIONS,
      inject: [DATABASE, WRITER, AUTHORITY],
      useFactory: (database: Queryable, writer: Writer, authority: AuthorityPort) =>
        new Revocations({ database, writer, authority }),
    },
  ],
  exports: [REVOCATIONS],
})
export class RevocationModule {}
