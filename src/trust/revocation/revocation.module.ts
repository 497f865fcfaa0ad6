import { Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { Revocations } from './revocations.js';

export const REVOCATIONS = Symbol('Revocations');

@Module({
  providers: [
    {
      provide: REVOCATIONS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new Revocations({ database, writer }),
    },
  ],
  exports: [REVOCATIONS],
})
export class RevocationModule {}
