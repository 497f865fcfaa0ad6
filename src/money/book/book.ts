import type {
  CellRef,
  CellView,
  Command,
  CommandContext,
  LedgerEvent,
  Moment,
  Writer,
} from '../../base/ledger/index.js';
import type { Queryable } from '../../base/platform/index.js';
import {
  type DecisionId,
  err,
  invariant,
  ok,
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
  readPayablePayment,
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
  recordOrderCapture,
} from './record-capture.js';
import { type SignedCapture, signedCapture, type SignedCaptureEnd } from './signed-capture.js';
import type { RefundRow } from './refund.projections.js';
import {
  moveRefund,
  noSuchRefund,
  REFUND_CHANGED,
  type RefundAnswer,
  type RefundNews,
  releaseRefund,
} from './refunds.js';

/** What was read outside the lock changes once or twice in the life of a payment, an offer or a refund. */
const LOOKS_MAX = 4;

/** What becomes true with captured money that is of no payment known here; judged and written together with it. */
export interface AlongCapture {
  readonly reads: readonly CellRef[];
  events(view: CellView, moment: Moment): readonly LedgerEvent[];
}

const NOTHING_ALONG: AlongCapture = { reads: [], events: () => [] };

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

  /** As {@link releaseRefund}. Problems, in order: not_found, the writer's. */
  async releaseRefund(
    context: CommandContext,
    { refundId, cause }: { readonly refundId: string; readonly cause: string },
  ): Promise<Result<string | null, Problem>> {
    const known = await this.refund(context.tenantId, refundId);
    if (known === null) return err(noSuchRefund(refundId));
    return this.parts.writer.execute(releaseRefund(context, known, cause));
  }

  /**
   * Money captured for the payment of this id; null = for the one that the decision in `authority` has if its allow was
   * used, else for none; with neither, for the payment that the order is offered for now, else for none.
   * Problems, in order: not_found `/payment_id`, those of {@link recordCapture}.
   */
  async recordCapture(
    context: CommandContext,
    capture: NewCapture,
    paymentId: string | null,
  ): Promise<Result<Capture, Problem>> {
    if (paymentId === null && capture.authority !== null)
      return this.recordDecidedCapture(context, capture, NOTHING_ALONG);
    return looking(PAYMENT_APPEARED, async () => {
      const { database, writer } = this.parts;
      if (paymentId === null) {
        const payable = await readPayablePayment(database, context.tenantId, capture);
        return writer.execute(recordOrderCapture(context, capture, payable ?? null));
      }
      const known = await this.payment(context.tenantId, paymentId);
      if (known === null) return err(noSuchPayment(paymentId, '/payment_id'));
      return writer.execute(recordCapture(context, capture, known));
    });
  }

  /**
   * Money captured under the decision in `authority`: for the payment that its allow was used for, else for none, and then
   * what comes `along` is written with it. Problems: those of {@link recordCapture}.
   */
  async recordDecidedCapture(
    context: CommandContext,
    capture: NewCapture,
    along: AlongCapture,
  ): Promise<Result<Capture, Problem>> {
    const { authority } = capture;
    invariant(authority !== null, 'it names its decision');
    const paymentId = paymentIdOf(authority.decisionId as DecisionId);
    return looking(PAYMENT_APPEARED, async () => {
      const known = await this.payment(context.tenantId, paymentId);
      const recording = recordCapture(context, capture, known);
      return this.parts.writer.execute(known === null ? both(recording, along) : recording);
    });
  }

  /** What the provider of a payment says of its money; see {@link signedCapture}. Problems: not_found, the writer's. */
  async takeSignedCapture(
    context: CommandContext,
    paymentId: string,
    said: SignedCapture,
  ): Promise<Result<SignedCaptureEnd, Problem>> {
    const known = await this.payment(context.tenantId, paymentId);
    if (known === null) return err(noSuchPayment(paymentId));
    return this.parts.writer.execute(signedCapture(context, known, said));
  }

  /** Lets lapse what is due of one merchant now, before the next sweep comes; answers how many payments lapsed. */
  async lapseDue(tenantId: TenantId, merchantId: string): Promise<number> {
    return this.parts.lapse.lapseDue(tenantId, merchantId);
  }
}

const both = (recording: Command<Capture>, along: AlongCapture): Command<Capture> => ({
  ...recording,
  reads: [...recording.reads, ...along.reads],
  decide(view, moment) {
    const recorded = recording.decide(view, moment);
    if (!recorded.ok) return recorded;
    return ok({ events: [...recorded.value.events, ...along.events(view, moment)] });
  },
});

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
