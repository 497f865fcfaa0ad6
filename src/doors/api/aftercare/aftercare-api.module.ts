import { Module } from '@nestjs/common';
import { AftercareModule, ArbiterModule } from '../../../money/arbiter/index.js';
import { NotesController } from './notes.controller.js';
import { ReviewQueueController } from './review-queue.controller.js';

@Module({
  imports: [ArbiterModule, AftercareModule],
  controllers: [NotesController, ReviewQueueController],
})
export class AftercareApiModule {}
