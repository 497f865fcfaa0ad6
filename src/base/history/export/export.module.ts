import { Global, Logger, Module } from '@nestjs/common';
import { type Writer, WRITER } from '../../ledger/index.js';
import { DATABASE, type Queryable } from '../../platform/index.js';
import {
  CHECKPOINTS,
  type Checkpoints,
  LEDGER_TREE,
  type LedgerTree,
  type Witnessing,
  WITNESSING,
} from '../ports.js';
import { LEDGER_EXPORTS, LedgerExports } from './exports.js';
import { LEDGER_ENTRIES, LedgerEntries } from './ledger-entries.js';

/** Wiring. */
@Global()
@Module({
  providers: [
    {
      provide: LEDGER_EXPORTS,
      inject: [DATABASE, WRITER, CHECKPOINTS, WITNESSING],
      useFactory: (
        database: Queryable,
        ...[writer, checkpoints, witnessing]: [Writer, Checkpoints, Witnessing]
      ) =>
        new LedgerExports({ database, writer, checkpoints, witnessing, log: new Logger('export') }),
    },
    {
      provide: LEDGER_ENTRIES,
      inject: [DATABASE, LEDGER_TREE, CHECKPOINTS],
      useFactory: (database: Queryable, tree: LedgerTree, checkpoints: Checkpoints) =>
        new LedgerEntries({ database, tree, checkpoints }),
    },
  ],
  exports: [LEDGER_EXPORTS, LEDGER_ENTRIES],
})
export class LedgerExportModule {}
