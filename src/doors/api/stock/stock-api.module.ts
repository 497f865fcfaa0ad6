import { Module } from '@nestjs/common';
import { FactsModule } from '../../../trust/facts/index.js';
import { StockController } from './stock.controller.js';

@Module({ imports: [FactsModule], controllers: [StockController] })
export class StockApiModule {}
