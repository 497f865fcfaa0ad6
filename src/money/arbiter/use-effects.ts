import type { CellRef, CellView, LedgerEvent, Moment } from '../../base/ledger/index.js';
import { err, ok, type Problem, problem, type Result } from '../../core/kernel/index.js';
import {
  type PaymentToStart,
  type RefundFault,
  type StartFault,
  startPayment,
  startPaymentReads,
  submitRefund,
  submitRefundReads,
} from '../book/index.js';
import { paymentIdOf, refundIdOf } from '../payments/index.js';
import { buyerWasAway } from './capture-report.js';
import { DRAW_AGAIN, type RecordedDecision } from './decide.js';
import { drawnIntentRefsOf, passportRefOf } from './judge.js';
import { isPurchase, type PurchaseDecision } from './recheck-use.js';

/** What an allow is to be used for. `lifeMs`: how long a link may be paid. */
export interface UseTarget {
  readonly orderId: string;
  readonly provider: string;
  readonly lifeMs: number;
  /** Of a refund: the captured payment to give back from; null = it is not known here. */
  readonly paymentId: string | null;
}

/** Life of a link when nobody says how long, and the longest (decisions 3.6). */
export const LINK_LIFE_MS_DEFAULT = 1_800_000;
export const LINK_LIFE_MS_MAX = 86_400_000;

/** What the use of an allow starts: exactly one payment or refund, under a name that follows from the decision. */
export interface UseEffect {
  readonly reference: string;
  readonly reads: readonly CellRef[];
  decide(view: CellView, moment: Moment): Result<readonly LedgerEvent[], Problem>;
}

/**
 * Problems of `decide`, in order: of a purchase conflict `/order_id` (the order can be paid by another payment, or is
 * paid); of a refund conflict (it is not reserved any more), not_found `/payment_id`, conflict `/payment_id`.
 */
export function effectOfUse(decision: RecordedDecision, target: UseTarget): UseEffect {
  return isPurchase(decision) ? paymentOf(decision, target) : refundOf(decision, target);
}

function paymentOf(
  decision: PurchaseDecision,
  { orderId, provider, lifeMs }: UseTarget,
): UseEffect {
  const { facts } = decision.judged;
  const kind = facts.flow === 'handoff' ? 'link' : 'charge';
  const toStart = (atMs: number): PaymentToStart => ({
    payment: {
      decisionId: decision.decisionId,
      kind,
      merchantId: facts.merchantId,
      orderId,
      amountMinor: facts.cart.totalMinor,
      currency: facts.cart.currency,
      provider,
      buyerAway: buyerWasAway(decision),
      passportRef: passportRefOf(facts.authority),
      intentRefs: drawnIntentRefsOf(facts.authority),
    },
    expiresAtMs: kind === 'link' ? atMs + lifeMs : null,
    lines: facts.cart.lines,
  });
  return {
    reference: paymentIdOf(decision.decisionId),
    reads: startPaymentReads(toStart(0)),
    decide(view, moment) {
      const started = startPayment(view, moment, toStart(moment.atMs));
      return started.ok ? started : err(startProblem(started.error));
    },
  };
}

function startProblem(fault: StartFault): Problem {
  switch (fault.kind) {
    case 'order_payable':
      return problem('conflict', `This order is offered for payment ${fault.paymentId} already.`, {
        fix: 'Use that payment, or cancel it before another one is started.',
        field: '/order_id',
      });
    case 'order_paid':
      return problem('conflict', 'Money was captured for this order already.', {
        fix: 'Nothing is left to pay; a further purchase is another order.',
        field: '/order_id',
      });
    case 'stock_short':
      // Rule 5 has just found enough of it in the same cells.
      return DRAW_AGAIN;
  }
}

function refundOf(decision: RecordedDecision, { paymentId, provider }: UseTarget): UseEffect {
  const refundId = refundIdOf(decision.decisionId);
  return {
    reference: refundId,
    reads: submitRefundReads({ refundId, paymentId }),
    decide(view) {
      const submitted = submitRefund(view, { refundId, paymentId, provider });
      return submitted.ok ? ok(submitted.value) : err(refundProblem(submitted.error));
    },
  };
}

function refundProblem(fault: RefundFault): Problem {
  switch (fault.kind) {
    case 'not_reserved':
      return problem('conflict', 'The amount of this refund is not reserved any more.', {
        fix: 'Ask for a new decision.',
      });
    case 'payment_of_another_order':
      return NO_SUCH_PAYMENT;
    case 'payment_too_small':
      return paymentTooSmall(`Only ${fault.leftMinor} is left of this payment.`);
  }
}

/** There is no such payment, or it is of another order or currency. */
export const NO_SUCH_PAYMENT = problem('not_found', 'This order has no payment of this name.', {
  fix: 'Name a captured payment of the order, or leave payment_id out.',
  field: '/payment_id',
});

/** `detail` tells how much is left. */
export const paymentTooSmall = (detail: string): Problem =>
  problem('conflict', detail, {
    fix: 'Name a payment of which enough is left, or ask for several smaller refunds.',
    field: '/payment_id',
  });
