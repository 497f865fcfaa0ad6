import type { CommandContext, DueScope, DueWork, LedgerLog } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import type { Problem, Result, TenantId } from '../../../core/kernel/index.js';
import {
  type Book,
  type PaymentNews,
  type PaymentRow,
  type RefundNews,
  type RefundRow,
  reviewsOf,
} from '../../book/index.js';
import {
  type LookUpOutcome,
  type PaymentReport,
  RAIL_CALL_MS_MAX,
  type RailPayment,
  type RefundLookUpOutcome,
  stateAfter,
} from '../../payments/index.js';
import type { ProviderInquiry } from '../provider-inquiry.js';
import {
  askAgain,
  closeQuestion,
  leaseDueQuestions,
  type LeaseScope,
  noteDoubts,
  noteWatches,
  type Question,
} from './questions.store.js';

export interface ReconcilerTimes {
  /** So long an answer may be on its way before anybody is asked. */
  readonly askAfterMs: number;
  /** From when on the call itself cannot be under way any more, so that an absence is an end. */
  readonly settleAfterMs: number;
  readonly backoffMsMax: number;
  /** From one question of a watch to the next; after the last one nobody asks any more. */
  readonly watchAfterMs: readonly number[];
  readonly questionMsMax: number;
}

/** Questions under way in one process on its own tick, and of one tenant. */
export const UNDER_WAY_MAX = 64;
export const UNDER_WAY_PER_TENANT_MAX = 16;
/** How long a stop waits for questions under way; what is cut off is asked again when its lease ends. */
const STOP_MS_MAX = 3_000;

export const RECONCILER_TIMES: ReconcilerTimes = {
  askAfterMs: 2_000,
  settleAfterMs: 3 * RAIL_CALL_MS_MAX,
  backoffMsMax: 300_000,
  watchAfterMs: [300_000, 1_800_000, 10_800_000, 64_800_000],
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
type End = 'closed' | { readonly answer: string; readonly isUnknown?: boolean };

/**
 * Asks providers about payments and refunds whose outcome is not known: the answer was lost, or the process died between
 * the call and its result (facts/arbiter.md D3, C9). It also watches links that are open past half of their life, and
 * payments that lapsed or were canceled: should every webhook be lost, their money is still found. A doubt is asked about
 * until it ends, a watch a handful of times in about a day. Every question has its own lease and backoff, so one that
 * never comes to an end holds up no other, and several processes share the work. Runs on real time: so do calls.
 */
export class Reconciler implements DueWork {
  readonly name = 'money/rails.reconcile';
  readonly #times: ReconcilerTimes;
  readonly #inquiries: ReadonlyMap<string, ProviderInquiry>;
  readonly #underWay = new Map<Promise<void>, TenantId>();
  #isStopped = false;

  constructor(private readonly dependencies: ReconcilerDependencies) {
    this.#times = { ...RECONCILER_TIMES, ...dependencies.times };
    this.#inquiries = new Map(dependencies.inquiries.map((one) => [one.provider, one]));
  }

  /**
   * Of all tenants it begins questions, as many as there is room for, and does not wait: a slow provider of one holds up
   * no work of others. Of one tenant, whose test clock moved, it asks all and answers when every question has ended.
   * Watches are asked once in a sweep and do not keep it going: they can wait for the next one.
   */
  async sweepDue({ tenantId, limit }: DueScope): Promise<number> {
    if (this.#isStopped) return 0;
    const { database } = this.dependencies;
    const { askAfterMs } = this.#times;
    const notes = { tenantId, limit, providers: [...this.#inquiries.keys()], askAfterMs };
    await noteDoubts(database, notes);
    await noteWatches(database, notes);
    const doubtCount = await this.begin('doubts', { tenantId, limit });
    await this.begin('watches', { tenantId, limit });
    if (tenantId !== null) await this.idle(tenantId);
    return doubtCount;
  }

  /** Resolves when no question of the tenant is under way; null = of any. */
  async idle(tenantId: TenantId | null = null): Promise<void> {
    const left = [...this.#underWay].filter(([, of]) => tenantId === null || of === tenantId);
    await Promise.all(left.map(([settling]) => settling));
  }

  /** Begins nothing more; waits for questions under way, at most {@link STOP_MS_MAX}. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_MS_MAX)));
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
  }

  private async begin(kind: LeaseScope['kind'], { tenantId, limit }: DueScope): Promise<number> {
    const isOne = tenantId !== null;
    const room = isOne ? limit : Math.min(limit, UNDER_WAY_MAX - this.#underWay.size);
    if (room <= 0) return 0;
    const questions = await leaseDueQuestions(this.dependencies.database, {
      tenantId,
      limit: room,
      leaseMs: 4 * this.#times.questionMsMax + RAIL_CALL_MS_MAX,
      kind,
      perTenantMax: isOne ? limit : UNDER_WAY_PER_TENANT_MAX,
      underWay: isOne ? new Map() : this.underWayOfTenants(),
    });
    for (const question of questions) this.start(question);
    return questions.length;
  }

  private start(question: Question): void {
    const settling = this.settle(question);
    this.#underWay.set(settling, question.tenantId);
    void settling.then(() => this.#underWay.delete(settling));
  }

  private underWayOfTenants(): ReadonlyMap<TenantId, number> {
    const counts = new Map<TenantId, number>();
    for (const tenantId of this.#underWay.values())
      counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    return counts;
  }

  private async settle(question: Question): Promise<void> {
    try {
      await this.conclude(question, await this.ask(question));
    } catch (error) {
      // Its lease ends by itself, and then it is asked again.
      this.tell('An answer of a provider could not be noted', question, (error as Error).message);
    }
  }

  private async ask(question: Question): Promise<End> {
    try {
      return await (question.subject === 'refund'
        ? this.settleRefund(question)
        : this.settlePayment(question));
    } catch (error) {
      this.tell('A provider could not be asked', question, (error as Error).message);
      return { answer: 'it could not be asked', isUnknown: true };
    }
  }

  private async conclude(question: Question, end: End): Promise<void> {
    const { database } = this.dependencies;
    if (end === 'closed') return closeQuestion(database, question);
    const { answer, isUnknown = false } = end;
    const afterMs = this.askAfterMs(question);
    if (afterMs !== null) return askAgain(database, question, { afterMs, answer });
    if (isUnknown) this.tell('A payment is watched no longer, unanswered', question, answer);
    return closeQuestion(database, question);
  }

  private tell(line: string, { tenantId, subject, reference }: Question, error: string): void {
    this.dependencies.log.error(line, { tenantId, subject, reference, error });
  }

  /** Null = this was the last time. */
  private askAfterMs({ subject, attemptCount }: Question): number | null {
    const { askAfterMs, backoffMsMax, watchAfterMs } = this.#times;
    if (subject === 'watch') return watchAfterMs[attemptCount - 1] ?? null;
    return Math.min(askAfterMs * 2 ** Math.min(attemptCount, 20), backoffMsMax);
  }

  private async settlePayment(question: Question): Promise<End> {
    const row = await this.dependencies.book.payment(question.tenantId, question.reference);
    const inquiry = row === null ? undefined : this.#inquiries.get(row.provider);
    if (row === null || inquiry === undefined || !isAskedAbout(row, question)) return 'closed';
    const payment = railPayment(question.tenantId, row);
    const looked = await inquiry.lookUp(payment, this.deadline());
    // It was canceled here, and its provider has not heard of it.
    if (row.state === 'canceled' && looked.kind === 'found' && looked.state === 'open')
      await inquiry.cancelLink(payment, this.deadline());
    // What the provider is known to have made stays as it is, whatever it has forgotten.
    const mayBeNone = question.subject === 'payment' || !row.wasIssued;
    if (looked.kind !== 'absent' || !mayBeNone || question.ageMs < this.#times.settleAfterMs)
      return this.applyPayment(row, { looked, payment, isFinal: false });
    const settled = await inquiry.settlePayment(payment, this.deadline());
    return this.applyPayment(row, { looked: settled, payment, isFinal: true });
  }

  private async applyPayment(
    row: PaymentRow,
    { looked, payment, isFinal }: { looked: LookUpOutcome; payment: RailPayment; isFinal: boolean },
  ): Promise<End> {
    const { tenantId, paymentId } = payment;
    if (looked.kind === 'unknown') return { answer: looked.detail, isUnknown: true };
    if (looked.kind === 'absent') {
      if (!isFinal) return { answer: row.wasIssued ? 'absent, though it was issued' : ABSENT };
      const detail = 'The provider does not have it and will not take it.';
      return this.report(tenantId, paymentId, { report: 'rejected', source: 'reconciler', detail });
    }
    const { providerRef, url, state, captures } = looked;
    for (const { captureId, money } of captures) {
      const said = { captureId, money };
      const { book } = this.dependencies;
      const taken = await book.takeSignedCapture(contextOf(tenantId), paymentId, said);
      if (!taken.ok) return { answer: taken.error.detail, isUnknown: true };
    }
    // Each of its captures has made the payment paid, or marked it for a person.
    if (state === 'paid')
      return captures.length > 0 ? 'closed' : { answer: 'paid, by no capture that it names' };
    const report = state === 'open' ? 'issued' : state;
    if (!isNews(row, report)) return { answer: state };
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
      if (!isFinal) return { answer: ABSENT };
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

const ABSENT = 'absent, and its call may be under way';

/** A charge that was taken on waits for its money, as a payment that is being issued waits for its answer. */
const isInDoubt = ({ kind, state }: PaymentRow): boolean =>
  state === 'issuing' || (kind === 'charge' && state === 'open');

/**
 * Also one that was paid by another amount than its own: somebody may have told of a part, and that ends no doubt about
 * what its provider took.
 */
const isWatched = (row: PaymentRow): boolean =>
  row.state === 'open' ||
  row.state === 'lapsed' ||
  row.state === 'canceled' ||
  (row.state === 'paid' && reviewsOf(row).includes('amount_differs'));

const isAskedAbout = (row: PaymentRow, { subject }: Question): boolean =>
  !isForPerson(row) && (subject === 'watch' ? isWatched(row) : isInDoubt(row));

/** What its provider says of its money contradicts what is written here: asking again does not settle that. */
const isForPerson = (row: PaymentRow): boolean => reviewsOf(row).includes('capture_refused');

/** Whether the book would do more with it than keep it: asked often, a provider says the same each time. */
const isNews = (row: PaymentRow, report: PaymentReport): boolean =>
  stateAfter(row, report) !== null || (report === 'issued' && !row.wasIssued);

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
