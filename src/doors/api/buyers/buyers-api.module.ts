import { Module } from '@nestjs/common';
import { BuyerAuthorityModule } from '../../../trust/buyer-authority/index.js';
import { BuyersController } from './buyers.controller.js';

@Module({ imports: [BuyerAuthorityModule], controllers: [BuyersController] })
export class BuyersApiModule {}
