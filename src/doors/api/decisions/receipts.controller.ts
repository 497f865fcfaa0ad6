import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import type { Problem, Result } from '../../../core/kernel/index.js';
import { type Arbiter, ARBITER, type Receipts, RECEIPTS } from '../../../money/arbiter/index.js';
import { readReceiptOfDecision, type ReceiptView } from './receipts.contract.js';
import { issueReceipt } from './receipts.use.js';

@Controller()
export class ReceiptsController {
  constructor(
    @Inject(ARBITER) private readonly arbiter: Arbiter,
    @Inject(RECEIPTS) private readonly receipts: Receipts,
  ) {}

  @Handles(readReceiptOfDecision)
  read(
    @Input() { params }: InputOf<typeof readReceiptOfDecision>,
    @Caller() caller: CallerContext,
  ): Promise<Result<ReceiptView, Problem>> {
    const { arbiter, receipts } = this;
    return issueReceipt({ arbiter, receipts }, params.decision_id, caller);
  }
}
