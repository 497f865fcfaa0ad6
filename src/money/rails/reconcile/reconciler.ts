import type { CommandContext, DueScope, DueWork, LedgerLog } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import type { Problem, Result, TenantId } from '../../../core/kernel/index.js';
import type { Book, PaymentNews, PaymentRow, RefundNews, RefundRow } from '../../book/index.js';
import {
  type LookUpOutcome,
  RAIL_CALL_MS_MAX,
  type RailPayment,
  type RefundLookUpOutcome,
} from '../../payments/index.js';
import type { ProviderInquiry } from '../provider-inquiry.js';
import {
  askAgain,
  closeQuestion,
  leaseDueQuestions,
  noteDoubts,
  type Question,
} from './questions.store.js';

export interface ReconcilerTimes {
  /** So long an answer may be on its way before anybody is asked. */
  readonly askAfterMs: number;
  /** From when on the call itself cannot be under way any more, so that an absence is an end. */
  readonly settleAfterMs: number;
  readonly backoffMsMax: number;
  readonly questionMsMax: number;
}

export const RECONCILER_TIMES: ReconcilerTimes = {
  askAfterMs: 2_000,
  settleAfterMs: 3 * RAIL_CALL_MS_MAX,
  backoffMsMax: 300_000,
  questionMsMax: RAIL_CALL_MS_MAX / 2,
};

export interface ReconcilerDependencies {
  readonly database: Queryable;
  readonly book: Book;
  readonly inquiries: readonly ProviderInquiry[];
  readonly log: LedgerLog;
  /** {@link RECONCILER_TIMES} where left out. */
  readonly times?: Partial<ReconcilerTimes>;
}

/** How a question ended: `closed`, or the answer so far, and it is asked again. */
type End = 'closed' | { readonly answer: string };

/**
 * Asks providers about payments and refunds whose outcome is not known: the answer was lost, or the process died between
 * the call and its result (facts/arbiter.md D3, C9). Every question has its own lease and backoff, so one that never
 * comes to an end holds up no other, and several processes share the work. Runs on real time: so do calls.
 */
export class Reconciler implements DueWork {
  readonly name = 'money/rails.reconcile';
  readonly #times: ReconcilerTimes;
  readonly #inquiries: ReadonlyMap<string, ProviderInquiry>;

  constructor(private readonly dependencies: ReconcilerDependencies) {
    this.#times = { ...RECONCILER_TIMES, ...dependencies.times };
    this.#inquiries = new Map(dependencies.inquiries.map((one) => [one.provider, one]));
  }

  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    const { database } = this.dependencies;
    const { askAfterMs, questionMsMax } = this.#times;
    const providers = [...this.#inquiries.keys()];
    await noteDoubts(database, { tenantId, limit, providers, askAfterMs });
    const leaseMs = 4 * questionMsMax + RAIL_CALL_MS_MAX;
    const due = await leaseDueQuestions(database, { tenantId, limit, leaseMs });
    await Promise.all(due.map((question) => this.settle(question)));
    return due.length;
  }

  private async settle(question: Question): Promise<void> {
    const { database, log } = this.dependencies;
    try {
      const end = await (question.subject === 'payment'
        ? this.settlePayment(question)
        : this.settleRefund(question));
      if (end === 'closed') return await closeQuestion(database, question);
      const afterMs = this.backoffMs(question);
      await askAgain(database, question, { afterMs, answer: end.answer });
    } catch (error) {
      // Its lease ends by itself, and then it is asked again.
      const { tenantId, reference } = question;
      log.error('A provider could not be asked', {
        tenantId,
        reference,
        error: (error as Error).message,
      });
    }
  }

  private backoffMs({ attemptCount }: Question): number {
    const { askAfterMs, backoffMsMax } = this.#times;
    return Math.min(askAfterMs * 2 ** Math.min(attemptCount, 20), backoffMsMax);
  }

  private async settlePayment(question: Question): Promise<End> {
    const row = await this.dependencies.book.payment(question.tenantId, question.reference);
    const inquiry = row === null ? undefined : this.#inquiries.get(row.provider);
    if (row === null || inquiry === undefined || !isInDoubt(row)) return 'closed';
    const payment = railPayment(question.tenantId, row);
    const looked = await inquiry.lookUp(payment, this.deadline());
    if (looked.kind !== 'absent' || question.ageMs < this.#times.settleAfterMs)
      return this.applyPayment(row, { looked, payment, isFinal: false });
    const settled = await inquiry.settlePayment(payment, this.deadline());
    return this.applyPayment(row, { looked: settled, payment, isFinal: true });
  }

  private async applyPayment(
    row: PaymentRow,
    { looked, payment, isFinal }: { looked: LookUpOutcome; payment: RailPayment; isFinal: boolean },
  ): Promise<End> {
    const { tenantId, paymentId } = payment;
    if (looked.kind === 'unknown') return { answer: looked.detail };
    if (looked.kind === 'absent') {
      if (!isFinal) return { answer: 'absent, and its call may be under way' };
      const detail = 'The provider does not have it and will not take it.';
      return this.report(tenantId, paymentId, { report: 'rejected', source: 'reconciler', detail });
    }
    const { providerRef, url, state, captures } = looked;
    for (const { captureId, money } of captures) {
      const { merchantId, orderId } = row;
      const capture = { captureId, merchantId, orderId, authority: null, ...money };
      const context = contextOf(tenantId);
      const recorded = await this.dependencies.book.recordCapture(context, capture, paymentId);
      // A webhook may have told of the same capture meanwhile.
      const isKnown = !recorded.ok && recorded.error.field === '/capture_id';
      if (!recorded.ok && !isKnown) return { answer: recorded.error.detail };
    }
    if (state === 'paid') return 'closed';
    if (state === 'open' && row.state === 'open') return { answer: 'accepted' };
    const report = state === 'open' ? 'issued' : state;
    return this.report(tenantId, paymentId, { report, source: 'reconciler', providerRef, url });
  }

  private async report(tenantId: TenantId, paymentId: string, news: PaymentNews): Promise<End> {
    return endOf(
      await this.dependencies.book.movePayment(contextOf(tenantId), { paymentId, ...news }),
    );
  }

  private async settleRefund(question: Question): Promise<End> {
    const { tenantId, reference } = question;
    const { book } = this.dependencies;
    const row = await book.refund(tenantId, reference);
    if (row === null || row.state !== 'submitted' || row.provider === null) return 'closed';
    const inquiry = this.#inquiries.get(row.provider);
    if (inquiry === undefined) return 'closed';
    const of = row.paymentId === null ? null : await book.payment(tenantId, row.paymentId);
    if (of === null) return { answer: 'its payment is not known here' };
    const payment = railPayment(tenantId, of);
    const looked = await inquiry.lookUpRefund(reference, payment, this.deadline());
    if (looked.kind !== 'absent' || question.ageMs < this.#times.settleAfterMs)
      return this.applyRefund(tenantId, row, { looked, isFinal: false });
    const settled = await inquiry.settleRefund(reference, payment, this.deadline());
    return this.applyRefund(tenantId, row, { looked: settled, isFinal: true });
  }

  private async applyRefund(
    tenantId: TenantId,
    row: RefundRow,
    { looked, isFinal }: { looked: RefundLookUpOutcome; isFinal: boolean },
  ): Promise<End> {
    if (looked.kind === 'unknown') return { answer: looked.detail };
    if (looked.kind === 'absent') {
      if (!isFinal) return { answer: 'absent, and its call may be under way' };
      const detail = 'The provider does not have it and will not take it.';
      return this.reportRefund(tenantId, row, { report: 'failed', source: 'reconciler', detail });
    }
    const { state: report, providerRef } = looked;
    const isNews = report !== 'accepted' || row.providerRef === null;
    if (!isNews) return { answer: 'accepted' };
    const end = await this.reportRefund(tenantId, row, {
      report,
      source: 'reconciler',
      providerRef,
    });
    return report === 'accepted' ? { answer: 'accepted' } : end;
  }

  private async reportRefund(
    tenantId: TenantId,
    { refundId }: RefundRow,
    news: RefundNews,
  ): Promise<End> {
    return endOf(
      await this.dependencies.book.moveRefund(contextOf(tenantId), { refundId, ...news }),
    );
  }

  private deadline(): AbortSignal {
    return AbortSignal.timeout(this.#times.questionMsMax);
  }
}

/** A charge that was taken on waits for its money, as a payment that is being issued waits for its answer. */
const isInDoubt = ({ kind, state }: PaymentRow): boolean =>
  state === 'issuing' || (kind === 'charge' && state === 'open');

const endOf = (moved: Result<unknown, Problem>): End =>
  moved.ok ? 'closed' : { answer: moved.error.detail };

const railPayment = (tenantId: TenantId, row: PaymentRow): RailPayment => ({
  tenantId,
  merchantId: row.merchantId,
  orderId: row.orderId,
  paymentId: row.paymentId,
  providerRef: row.providerRef,
  money: { amountMinor: row.amountMinor, currency: row.currency },
});

const contextOf = (tenantId: TenantId): CommandContext => ({
  tenantId,
  actor: { role: 'system', id: 'money/rails.reconcile' },
  requestId: 'sweep',
  idempotency: null,
});
