import { Module } from '@nestjs/common';
import { FactsModule } from '../../../trust/facts/index.js';
import { ShopController } from './shop.controller.js';

@Module({ imports: [FactsModule], controllers: [ShopController] })
export class ShopModule {}
