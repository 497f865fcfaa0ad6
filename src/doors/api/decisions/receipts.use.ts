import type { CallerContext } from '../../../base/platform/index.js';
import { err, type Problem, type Result } from '../../../core/kernel/index.js';
import type { Arbiter, Receipts } from '../../../money/arbiter/index.js';
import { maySee, NO_SUCH_DECISION, seesTrace } from './decisions.use.js';
import type { ReceiptView } from './receipts.contract.js';

/**
 * The receipt of a decision that the caller may read; the entry only for those who see what the rules saw.
 * Problems, in order: not_found, those of {@link Receipts.issue}.
 */
export async function issueReceipt(
  { arbiter, receipts }: { readonly arbiter: Arbiter; readonly receipts: Receipts },
  decisionId: string,
  { principal }: CallerContext,
): Promise<Result<ReceiptView, Problem>> {
  const { tenantId, world } = principal;
  const decision = await arbiter.find(tenantId, decisionId);
  if (decision === null || !maySee(decision, principal)) return err(NO_SUCH_DECISION);
  return receipts.issue({ tenantId, world, decision, showsEntry: seesTrace(principal) });
}
