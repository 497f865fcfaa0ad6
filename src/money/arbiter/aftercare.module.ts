import { Inject, Module } from '@nestjs/common';
import { DUE_WORKS, type DueWorks, type Writer, WRITER } from '../../base/ledger/index.js';
import { DATABASE, type Pool } from '../../base/platform/index.js';
import { DECISION_ENTRIES, DecisionEntries } from './decision-entries.js';
import { DecisionNotes } from './notes.js';
import { ReviewQueue } from './review-queue.js';

export const DECISION_NOTES = Symbol('DecisionNotes');
export const REVIEW_QUEUE = Symbol('ReviewQueue');

/** What people do with decisions afterwards; nothing of it is read by anything that decides. */
@Module({
  providers: [
    {
      provide: DECISION_NOTES,
      inject: [DATABASE, WRITER],
      useFactory: (database: Pool, writer: Writer) => new DecisionNotes({ database, writer }),
    },
    {
      provide: REVIEW_QUEUE,
      inject: [DATABASE],
      useFactory: (database: Pool) => new ReviewQueue(database),
    },
    {
      provide: DECISION_ENTRIES,
      inject: [DATABASE],
      useFactory: (database: Pool) => new DecisionEntries(database),
    },
  ],
  exports: [DECISION_NOTES, REVIEW_QUEUE, DECISION_ENTRIES],
})
export class AftercareModule {
  constructor(@Inject(DUE_WORKS) dueWorks: DueWorks, @Inject(REVIEW_QUEUE) queue: ReviewQueue) {
    dueWorks.register(queue);
  }
}
