import { Module } from '@nestjs/common';
import { ArbiterModule } from '../../../money/arbiter/index.js';
import { DecisionsController } from './decisions.controller.js';

@Module({ imports: [ArbiterModule], controllers: [DecisionsController] })
export class DecisionsApiModule {}
