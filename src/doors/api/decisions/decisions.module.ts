import { Module } from '@nestjs/common';
import { ArbiterModule, ReceiptsModule } from '../../../money/arbiter/index.js';
import { DecisionsController } from './decisions.controller.js';
import { ReceiptsController } from './receipts.controller.js';

@Module({
  imports: [ArbiterModule, ReceiptsModule],
  controllers: [DecisionsController, ReceiptsController],
})
export class DecisionsApiModule {}
