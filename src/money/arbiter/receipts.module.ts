import { Module } from '@nestjs/common';
import {
  CHECKPOINTS,
  type Checkpoints,
  LEDGER_TREE,
  type LedgerTree,
  WITNESSING,
  type Witnessing,
} from '../../base/history/index.js';
import { SIGNING_KEYS, type SigningKeys } from '../../base/keys/index.js';
import { DATABASE, type Queryable } from '../../base/platform/index.js';
import { Receipts } from './receipts.js';

export const RECEIPTS = Symbol('Receipts');

@Module({
  providers: [
    {
      provide: RECEIPTS,
      inject: [DATABASE, SIGNING_KEYS, LEDGER_TREE, CHECKPOINTS, WITNESSING],
      useFactory: (...[database, signingKeys, tree, checkpoints, witnessing]: Wiring) =>
        new Receipts({ database, signingKeys, tree, checkpoints, witnessing, nowMs: Date.now }),
    },
  ],
  exports: [RECEIPTS],
})
export class ReceiptsModule {}

type Wiring = [Queryable, SigningKeys, LedgerTree, Checkpoints, Witnessing];
