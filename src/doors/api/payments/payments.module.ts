import { Module } from '@nestjs/common';
import { ArbiterModule, PayerModule } from '../../../money/arbiter/index.js';
import { BookModule } from '../../../money/book/index.js';
import { FlowsController } from './flows.controller.js';
import { moneyDesk } from './money-desk.js';
import { PaymentsController } from './payments.controller.js';

@Module({
  imports: [ArbiterModule, PayerModule, BookModule],
  providers: [moneyDesk],
  controllers: [PaymentsController, FlowsController],
})
export class PaymentsApiModule {}
