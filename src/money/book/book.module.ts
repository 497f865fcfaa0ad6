import { Inject, Module } from '@nestjs/common';
import { DUE_WORKS, type DueWorks, WRITER, type Writer } from '../../base/ledger/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { Book } from './book.js';
import { LapseWork } from './lapse.js';

export const BOOK = Symbol('Book');

@Module({
  providers: [
    {
      provide: LapseWork,
      inject: [DATABASE, WRITER],
      useFactory: (database: Queryable, writer: Writer) => new LapseWork({ database, writer }),
    },
    {
      provide: BOOK,
      inject: [DATABASE, WRITER, LapseWork],
      useFactory: (database: Queryable, writer: Writer, lapse: LapseWork) =>
        new Book({ database, writer, lapse }),
    },
  ],
  exports: [BOOK],
})
export class BookModule {
  constructor(@Inject(DUE_WORKS) works: DueWorks, @Inject(LapseWork) lapse: LapseWork) {
    works.register(lapse);
  }
}
