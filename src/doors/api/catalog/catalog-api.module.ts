import { Module } from '@nestjs/common';
import { FactsModule } from '../../../trust/facts/index.js';
import { CatalogController } from './catalog.controller.js';
import { FactsController } from './facts.controller.js';
import { ImportsController } from './imports.controller.js';

@Module({
  imports: [FactsModule],
  controllers: [CatalogController, ImportsController, FactsController],
})
export class CatalogApiModule {}
