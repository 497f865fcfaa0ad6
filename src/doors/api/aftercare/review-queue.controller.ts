import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { mayTouchMerchant } from '../../../base/tenants/index.js';
import { ok, type Principal } from '../../../core/kernel/index.js';
import { REVIEW_QUEUE, type ReviewQueue } from '../../../money/arbiter/index.js';
import { printQueued, readReviewQueue } from './review-queue.contract.js';

@Controller()
export class ReviewQueueController {
  constructor(@Inject(REVIEW_QUEUE) private readonly queue: ReviewQueue) {}

  @Handles(readReviewQueue)
  async read(
    @Input() { query }: InputOf<typeof readReviewQueue>,
    @Caller() { principal }: CallerContext,
  ) {
    const found = await this.queue.find(principal.tenantId, {
      merchantIds: merchantsSeen(principal, query.merchant_id),
      reason: query.reason ?? null,
      sinceMs: query.since ?? null,
      beforeSeq: query.cursor === undefined ? null : Number(query.cursor),
      // One more than asked for tells whether there is a next page.
      limit: query.limit + 1,
    });
    const items = found.slice(0, query.limit);
    const last = items.at(-1);
    return ok({
      items: items.map(printQueued),
      next_cursor: found.length > query.limit && last !== undefined ? String(last.seq) : null,
    });
  }
}

/** What was asked for within the key's merchants; another merchant's queue is empty, as if there were none. */
function merchantsSeen(
  principal: Principal,
  merchantId: string | undefined,
): readonly string[] | null {
  if (merchantId === undefined) return principal.merchantIds;
  return mayTouchMerchant(principal, merchantId) ? [merchantId] : [];
}
