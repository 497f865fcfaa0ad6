import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  type Config,
  CONFIG,
  Handles,
  Input,
  type InputOf,
  REASONS_PATH,
} from '../../../base/platform/index.js';
import type { Problem, Result } from '../../../core/kernel/index.js';
import { type Arbiter, ARBITER } from '../../../money/arbiter/index.js';
import { type Book, BOOK } from '../../../money/book/index.js';
import { consume, type PaymentDesk } from './consume.use.js';
import { type ConsumeAnswer, consumeAllow } from './payments.contract.js';

@Controller()
export class PaymentsController {
  private readonly desk: PaymentDesk;

  constructor(
    @Inject(ARBITER) arbiter: Arbiter,
    @Inject(BOOK) book: Book,
    @Inject(CONFIG) { publicBaseUrl }: Config,
  ) {
    this.desk = { arbiter, book, reasonsUrl: `${publicBaseUrl ?? ''}${REASONS_PATH}` };
  }

  @Handles(consumeAllow)
  consume(
    @Input() { params, body }: InputOf<typeof consumeAllow>,
    @Caller() caller: CallerContext,
  ): Promise<Result<ConsumeAnswer, Problem>> {
    return consume(this.desk, { decisionId: params.decision_id, body }, caller);
  }
}
