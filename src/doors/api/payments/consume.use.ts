import type { CallerContext } from '../../../base/platform/index.js';
import { mayTouchMerchant } from '../../../base/tenants/index.js';
import {
  type DecisionId,
  err,
  formatInstant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import type { Arbiter, UseRequest, UseSubject } from '../../../money/arbiter/index.js';
import type { Book } from '../../../money/book/index.js';
import type { ConsumedAllowParts } from '../../../money/payments/index.js';
import { commandContext } from '../command-context.js';
import { readCart } from '../decisions/read-request.js';
import { refusedProblem } from '../refused.js';
import { printAmount, printInstant } from '../wire.js';
import type { ConsumeAnswer, ConsumeBody } from './payments.contract.js';

/** What answers about payments; `reasonsUrl` has no slash at its end. */
export interface PaymentDesk {
  readonly arbiter: Pick<Arbiter, 'consume'>;
  readonly book: Pick<Book, 'payment' | 'refund'>;
  readonly reasonsUrl: string;
}

/**
 * Uses an allow for a payment that the merchant's own system makes. Problems, in order: validation_failed (members of a
 * refund beside a cart or the reverse, a cart that does not add up), those of the arbiter, arbiter_refused.
 */
export async function consume(
  { arbiter, book, reasonsUrl }: PaymentDesk,
  { decisionId, body }: { readonly decisionId: string; readonly body: ConsumeBody },
  caller: CallerContext,
): Promise<Result<ConsumeAnswer, Problem>> {
  const subject = subjectOf(body);
  if (!subject.ok) return subject;
  const request: UseRequest = {
    decisionId,
    subject: subject.value,
    target: {
      orderId: body.order_id,
      provider: body.provider,
      paymentId: body.payment_id ?? null,
      ...(body.expires_in_seconds === undefined ? {} : { lifeMs: body.expires_in_seconds * 1_000 }),
    },
    mayUse: ({ merchantId }) => mayTouchMerchant(caller.principal, merchantId),
  };
  const outcome = await arbiter.consume(commandContext(caller), request);
  if (!outcome.ok) return outcome;
  switch (outcome.value.kind) {
    case 'used':
      return ok(await answerOf(book, outcome.value.use, body.provider));
    case 'use_refused':
      return refused(outcome.value.refused, outcome.value.decisionId);
    case 'recheck_refused':
      return refused(outcome.value.decision.decision, outcome.value.decision.decisionId);
  }

  function refused(
    why: Parameters<typeof refusedProblem>[0],
    refusedId: DecisionId,
  ): Result<never, Problem> {
    return err(refusedProblem(why, { decisionId: refusedId, reasonsUrl }));
  }
}

function subjectOf(body: ConsumeBody): Result<UseSubject, Problem> {
  if (body.cart === undefined) {
    if (body.expires_in_seconds !== undefined)
      return err(foreign('/expires_in_seconds', 'Only a link can be paid for some time.'));
    return ok({ kind: 'refund', amount: body.amount ?? null });
  }
  if (body.amount !== undefined)
    return err(foreign('/amount', 'The cart of a purchase has its own total.'));
  if (body.payment_id !== undefined)
    return err(foreign('/payment_id', 'A purchase gives nothing back.'));
  const cart = readCart(body.cart);
  return cart.ok ? ok({ kind: 'purchase', cart: cart.value }) : cart;
}

const foreign = (field: string, detail: string): Problem =>
  problem('validation_failed', detail, {
    fix: `Leave ${field} out, or send the body of the other kind.`,
    field,
  });

async function answerOf(
  book: PaymentDesk['book'],
  parts: ConsumedAllowParts,
  provider: string,
): Promise<ConsumeAnswer> {
  const { tenantId, reference, flow, money } = parts;
  const payment = flow === 'refund' ? null : await book.payment(tenantId, reference);
  const refund = flow === 'refund' ? await book.refund(tenantId, reference) : null;
  return {
    decision_id: parts.decisionId,
    flow,
    merchant_id: parts.merchantId,
    order_id: parts.orderId,
    provider: payment?.provider ?? refund?.provider ?? provider,
    amount: printAmount(money.amountMinor, money.currency),
    used_at: formatInstant(parts.usedAtMs),
    payment: payment && {
      payment_id: payment.paymentId,
      kind: payment.kind,
      state: payment.state,
      url: payment.url,
      expires_at: printInstant(payment.expiresAtMs),
    },
    refund: refund && {
      refund_id: refund.refundId,
      payment_id: refund.paymentId,
      state: refund.state,
    },
  };
}
