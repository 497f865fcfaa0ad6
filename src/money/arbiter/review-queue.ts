import type { DueScope, DueWork } from '../../base/ledger/index.js';
import type { Pool } from '../../base/platform/index.js';
import type { TenantId } from '../../core/kernel/index.js';
import {
  copyRefusals,
  findQueued,
  type QueuedRefusal,
  type QueueFilter,
  tenantsToFollow,
} from './review-queue.store.js';

/**
 * Copies of refusals for the merchants that chose `copy_refusals_to_review_queue` (mission M33, facts/arbiter.md K1).
 *
 * INVARIANT: the decision path knows nothing of it. The copies are made from the ledger's own table after the commit, by
 * whichever process sweeps; a queue that is locked, full or gone delays copies and nothing else. Followed by the place in
 * the ledger, not by an instant: entries become visible in their order, so a cursor overlooks none.
 */
export class ReviewQueue implements DueWork {
  readonly name = 'arbiter.review_copies';

  constructor(private readonly pool: Pool) {}

  /** Follows at most `limit` ledgers, at most `limit` refusals of each. Twice at once is harmless: one copy per decision. */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    const tenantIds = await tenantsToFollow(this.pool, { tenantId, limit });
    for (const one of tenantIds) await copyRefusals(this.pool, one, limit);
    return tenantIds.length;
  }

  /** Newest first. Which merchants the caller may see is the door's to judge. */
  find(tenantId: TenantId, filter: QueueFilter): Promise<readonly QueuedRefusal[]> {
    return findQueued(this.pool, tenantId, filter);
  }
}
