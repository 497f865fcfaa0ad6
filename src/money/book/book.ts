import type { CommandContext, Writer } from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type DecisionId,
  err,
  type Problem,
  type Result,
  type TenantId,
} from '../../core/kernel/index.js';
import { paymentIdOf } from '../payments/index.js';
import type { LapseWork } from './lapse.js';
import {
  movePayment,
  noSuchPayment,
  type PaymentAnswer,
  type PaymentNews,
} from './move-payment.js';
import type { PaymentRow } from './payment.projections.js';
import {
  type PaymentFilter,
  type PaymentPage,
  readPayment,
  readRefund,
  refundablePaymentsOf,
  searchPayments,
} from './payments.store.js';
import {
  type Capture,
  type NewCapture,
  PAYMENT_APPEARED,
  recordCapture,
} from './record-capture.js';
import type { RefundRow } from './refund.projections.js';
import {
  moveRefund,
  noSuchRefund,
  REFUND_CHANGED,
  type RefundAnswer,
  type RefundNews,
} from './refunds.js';

/** Beyond the first: what was read outside the lock changes at most once in the life of a payment or refund. */
const LOOKS_MAX = 2;

export interface BookParts {
  readonly database: Queryable;
  readonly writer: Writer;
  readonly lapse: Pick<LapseWork, 'lapseDue'>;
}

/** What money did, for those who report it and those who ask. Who may do either is the door's to judge. */
export class Book {
  constructor(private readonly parts: BookParts) {}

  /** Null = there is none. */
  async payment(tenantId: TenantId, paymentId: string): Promise<PaymentRow | null> {
    return (await readPayment(this.parts.database, tenantId, paymentId)) ?? null;
  }

  /** Null = there is none. */
  async refund(tenantId: TenantId, refundId: string): Promise<RefundRow | null> {
    return (await readRefund(this.parts.database, tenantId, refundId)) ?? null;
  }

  /** Newest first. */
  async payments(
    tenantId: TenantId,
    query: { readonly filter: PaymentFilter; readonly page: PaymentPage },
  ): Promise<readonly PaymentRow[]> {
    return searchPayments(this.parts.database, tenantId, query);
  }

  /** The captured payments of an order that something is left of, oldest first. */
  async refundable(
    tenantId: TenantId,
    order: Pick<PaymentRow, 'merchantId' | 'orderId'>,
  ): Promise<readonly PaymentRow[]> {
    return refundablePaymentsOf(this.parts.database, tenantId, order);
  }

  /** Problems, in order: not_found, the writer's. */
  async movePayment(
    context: CommandContext,
    { paymentId, ...news }: PaymentNews & { readonly paymentId: string },
  ): Promise<Result<PaymentAnswer, Problem>> {
    const known = await this.payment(context.tenantId, paymentId);
    if (known === null) return err(noSuchPayment(paymentId));
    return this.parts.writer.execute(movePayment(context, known, news));
  }

  /** Problems, in order: not_found, the writer's. */
  async moveRefund(
    context: CommandContext,
    { refundId, ...news }: RefundNews & { readonly refundId: string },
  ): Promise<Result<RefundAnswer, Problem>> {
    return looking(REFUND_CHANGED, async () => {
      const known = await this.refund(context.tenantId, refundId);
      if (known === null) return err(noSuchRefund(refundId));
      return this.parts.writer.execute(moveRefund(context, known, news));
    });
  }

  /**
   * Money captured for the payment of this id; null = for the one that the decision in `authority` has if its allow was
   * used, else for none. Problems, in order: not_found `/payment_id`, those of {@link recordCapture}.
   */
  async recordCapture(
    context: CommandContext,
    capture: NewCapture,
    paymentId: string | null,
  ): Promise<Result<Capture, Problem>> {
    return looking(PAYMENT_APPEARED, async () => {
      const known = await this.paymentOf(context.tenantId, capture, paymentId);
      if (known === null && paymentId !== null) return err(noSuchPayment(paymentId, '/payment_id'));
      return this.parts.writer.execute(recordCapture(context, capture, known));
    });
  }

  private async paymentOf(
    tenantId: TenantId,
    { authority }: NewCapture,
    paymentId: string | null,
  ): Promise<PaymentRow | null> {
    if (paymentId !== null) return this.payment(tenantId, paymentId);
    if (authority === null) return null;
    return this.payment(tenantId, paymentIdOf(authority.decisionId as DecisionId));
  }

  /** Lets lapse what is due of one merchant now, before the next sweep comes; answers how many payments lapsed. */
  async lapseDue(tenantId: TenantId, merchantId: string): Promise<number> {
    return this.parts.lapse.lapseDue(tenantId, merchantId);
  }
}

/** Looks again when what was read outside the lock did not hold under it. */
async function looking<Value>(
  again: Problem,
  attempt: () => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  let result = await attempt();
  for (let look = 1; look < LOOKS_MAX && !result.ok && result.error === again; look += 1)
    result = await attempt();
  return result;
}
