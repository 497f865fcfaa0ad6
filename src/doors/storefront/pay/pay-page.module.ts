import { Module } from '@nestjs/common';
import { PayController } from './pay.controller.js';

@Module({ controllers: [PayController] })
export class PayPageModule {}
