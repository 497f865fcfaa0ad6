import { Module } from '@nestjs/common';
import { AftercareModule } from '../../../money/arbiter/index.js';
import { EntriesController } from './entries.controller.js';
import { ExportController } from './export.controller.js';
import { LedgerController } from './ledger.controller.js';
import { WitnessingController } from './witnessing.controller.js';

@Module({
  imports: [AftercareModule],
  controllers: [LedgerController, EntriesController, ExportController, WitnessingController],
})
export class LedgerApiModule {}
