import type { CommandContext } from '../../base/ledger/index.js';
import {
  type DecisionId,
  err,
  invariant,
  ok,
  type Problem,
  type Result,
} from '../../core/kernel/index.js';
import type { Book } from '../book/index.js';
import { refundIdOf } from '../payments/index.js';
import { NO_SUCH_PAYMENT, paymentTooSmall } from './use-effects.js';

type Refunds = Pick<Book, 'refund' | 'releaseRefund'>;

interface Decided {
  readonly context: CommandContext;
  readonly decisionId: DecisionId;
}

/**
 * After a refund's allow could not be used. What it reserved is given back at once where a repeat cannot end otherwise,
 * because the payment is the wrong one: it would else be missing until the allow ends. Answers with the problem to tell.
 */
export async function releaseReserved(
  book: Refunds,
  { context, decisionId }: Decided,
  problem: Problem,
): Promise<Problem> {
  if (problem.field !== '/payment_id') return problem;
  const release = { refundId: refundIdOf(decisionId), cause: problem.detail };
  const released = await book.releaseRefund(releaseOf(context, decisionId), release);
  return released.ok ? problem : released.error;
}

/**
 * Before a refund's allow is used: the problem of {@link releaseReserved} when this request repeats one that ended with
 * it, whatever has become of the allow and of the payments meanwhile. Problems: those of the writer.
 */
export async function toldBefore(
  book: Refunds,
  { context, decisionId }: Decided,
): Promise<Result<null, Problem>> {
  const refundId = refundIdOf(decisionId);
  const row = await book.refund(context.tenantId, refundId);
  if (row?.state !== 'lapsed') return ok(null);
  const told = await book.releaseRefund(releaseOf(context, decisionId), { refundId, cause: '' });
  if (!told.ok) return told;
  // Null: its allow ended by itself.
  if (told.value === null) return ok(null);
  return err(told.value === NO_SUCH_PAYMENT.detail ? NO_SUCH_PAYMENT : paymentTooSmall(told.value));
}

/** The claim of the release of this decision's refund: a repeat of the request finds what was told. */
function releaseOf(context: CommandContext, decisionId: DecisionId): CommandContext {
  const { idempotency } = context;
  invariant(idempotency !== null, 'moving money needs an idempotency key');
  const scope = `${idempotency.scope} release ${decisionId}`;
  return { ...context, idempotency: { ...idempotency, scope } };
}
