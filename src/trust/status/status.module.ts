import { Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { LocalStatusChecker, STATUS_CHECKER } from './status-checker.js';
import { StatusSlots } from './status-slots.js';

export const STATUS_SLOTS = Symbol('StatusSlots');

@Module({
  providers: [
    {
      provide: STATUS_CHECKER,
      inject: [DATABASE],
      useFactory: (database: Queryable) => new LocalStatusChecker(database),
    },
    {
      provide: STATUS_SLOTS,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new StatusSlots({ database, writer }),
    },
  ],
  exports: [STATUS_CHECKER, STATUS_SLOTS],
})
export class StatusModule {}
