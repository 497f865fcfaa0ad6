import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import type { Problem, Result } from '../../../core/kernel/index.js';
import { consume } from './consume.use.js';
import { MONEY_DESK, type MoneyDesk } from './money-desk.js';
import { type ConsumeAnswer, consumeAllow } from './payments.contract.js';

@Controller()
export class PaymentsController {
  constructor(@Inject(MONEY_DESK) private readonly desk: MoneyDesk) {}

  @Handles(consumeAllow)
  consume(
    @Input() { params, body }: InputOf<typeof consumeAllow>,
    @Caller() caller: CallerContext,
  ): Promise<Result<ConsumeAnswer, Problem>> {
    return consume(this.desk, { decisionId: params.decision_id, body }, caller);
  }
}
