import { boughtOf, capsOf, type Entry, isOfOldFacts, type Raw } from './entries.js';
import {
  ALLOW_LIFE_MS,
  type Allow,
  type Bought,
  type Payment,
  PlainMoney,
  type Refund,
  type Verdict,
} from './plain.js';
import type { Judged } from './shop.js';

const spelled = (verdict: Verdict): string =>
  verdict === null ? 'allow' : `${verdict.rule} ${verdict.reason}`;

const NO_ENTRY = { type: '', data: {} };
const DAILY_CAPS = ['daily_amount_cap_exceeded', 'not_present_daily_amount_cap_exceeded'];

/**
 * Walks a tenant's ledger beside the plain model: each decision must be what the model says for that instant, each use of
 * an allow must have been permitted, each report must have the state after it that the model has.
 */
export class LedgerWalk {
  readonly money = new PlainMoney();
  readonly faults: string[] = [];
  /** What came of it, for a look at how much the runs reach. */
  readonly seen = new Map<string, number>();
  #at = '';
  #before: Entry | null = null;
  /** When the last two judgements were put off to let lapse what is over: one by each worker. */
  #lookedAtMs: readonly number[] = [];

  /** `judged`: refusals of the lock that left no entry, in the order in which they happened. */
  walk(entries: readonly Entry[], judged: readonly Judged[]): void {
    let next = 0;
    for (const entry of entries) {
      for (; (judged[next]?.seq ?? Infinity) <= entry.seq; next += 1) this.hear(judged[next]);
      this.#at = `entry ${entry.seq} ${entry.type} at ${new Date(entry.atMs).toISOString()}`;
      this.read(entry);
      this.#before = entry;
    }
    for (; next < judged.length; next += 1) this.hear(judged[next]);
  }

  private must(holds: boolean, what: string): void {
    if (!holds) this.faults.push(`${this.#at}: ${what}`);
  }

  private saw(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  private read({ type, data, atMs }: Entry): void {
    switch (type) {
      case 'merchant_limits.set':
        this.money.caps.set(data.merchant_id, capsOf(data.limits));
        return;
      case 'stock.set':
        this.money.onHand.set(`${data.merchant_id} ${data.variant_id}`, data.on_hand);
        return;
      case 'decision.recorded':
        return this.decided(data, atMs);
      case 'allow.used':
        return this.used(data, atMs);
      case 'allow.use_refused':
        return this.useRefused(data, atMs);
      case 'payment.started':
        return this.started(data, atMs);
      case 'payment.moved':
        return this.reported(data.payment.payment_id, data, { atMs, state: data.to });
      case 'payment.report_ignored':
        return this.reported(data.payment_id, data, { atMs, state: data.state });
      case 'capture.recorded':
        return this.captured(data, atMs);
      case 'capture.attached':
        return this.attached(data);
      case 'refund.moved':
        return this.refundReported(data.refund.refund_id, data, { atMs, state: data.to });
      case 'refund.report_ignored':
        return this.refundReported(data.refund_id, data, { atMs, state: data.state });
      case 'refund.submitted': {
        const refund = this.money.refunds.get(data.refund.decision_id);
        this.must(refund?.state === 'submitted', 'a refund submitted without a use of its allow');
        if (refund !== undefined) refund.paymentId = data.refund.payment_id;
      }
    }
  }

  private decided(data: Raw, atMs: number): void {
    const { decision, judged, recheck, decision_id: decisionId } = data;
    if (recheck !== null) return this.rechecked(data, atMs);
    const bought = judged.kind === 'refund' ? null : boughtOf(judged.facts, atMs);
    if (bought !== null && isOfOldFacts(judged.facts, atMs))
      return this.must(decision.outcome === 'refuse', 'allowed on facts that had ended');
    if (bought === null) this.compare(decision, this.refundVerdict(judged.facts));
    else this.compareJudged(decision, bought, atMs);
    if (data.allow === null) return;
    this.must(Date.parse(data.allow.expires_at) === atMs + ALLOW_LIFE_MS, 'life of the allow');
    this.money.allows.set(decisionId, { decidedAtMs: atMs, bought, usedAtMs: null });
    if (bought !== null) return;
    const { merchant_id: merchant, order_id: order, amount_minor: amount } = judged.facts;
    this.money.refunds.set(decisionId, {
      merchant,
      order,
      amountMinor: BigInt(amount),
      allowedAtMs: atMs,
      paymentId: null,
      state: 'reserved',
    });
  }

  private refundVerdict(facts: Raw): Verdict {
    const amount = { minor: BigInt(facts.amount_minor), currency: facts.currency };
    return this.money.refundVerdict(facts.merchant_id, facts.order_id, amount);
  }

  private rechecked({ decision, recheck, allow }: Raw, atMs: number): void {
    const given = this.allowOf(recheck.decision_id);
    this.must(allow === null && decision.outcome === 'refuse', 'a re-check gives no allow');
    if (given?.bought === null || given === undefined) return;
    this.must(this.useFault(given, atMs) === null, 'a re-check of an allow that is over');
    this.compareJudged(decision, given.bought, atMs);
    this.saw(`re-check ${decision.reason}`);
  }

  /**
   * Before a daily cap refuses, what is over lapses; then it is judged for good. A link whose end falls between the two
   * still counts in that one judgement: it refuses more than it has to, never less.
   */
  private compareJudged(decision: Raw, bought: Bought, atMs: number): void {
    const exact = this.money.verdict(bought, { atMs });
    const looked = this.#lookedAtMs.map((openAtMs) =>
      this.money.verdict(bought, { atMs, openAtMs }),
    );
    const said: unknown = decision.reason;
    const between = DAILY_CAPS.includes(String(said))
      ? looked.find((verdict) => verdict?.reason === said)
      : undefined;
    this.compare(decision, between ?? exact);
    if (between !== undefined && exact === null) this.saw('refused on a link that ended meanwhile');
  }

  private compare(decision: Raw, expected: Verdict): void {
    const said =
      decision.outcome === 'allow' ? 'allow' : `${decision.failing_rule} ${decision.reason}`;
    this.must(said === spelled(expected), `said "${said}", the model "${spelled(expected)}"`);
    this.saw(`decided ${said}`);
  }

  private allowOf(decisionId: string): Allow | undefined {
    const allow = this.money.allows.get(decisionId);
    this.must(allow !== undefined, `no allow was given by ${decisionId}`);
    return allow;
  }

  private useFault({ usedAtMs, decidedAtMs }: Allow, atMs: number): string | null {
    if (usedAtMs !== null) return 'allow_already_used';
    return atMs > decidedAtMs + ALLOW_LIFE_MS ? 'allow_expired' : null;
  }

  private useRefused({ decision_id: decisionId, reason }: Raw, atMs: number): void {
    const allow = this.allowOf(decisionId);
    if (allow === undefined) return;
    // Of the cart the ledger keeps only its hash: whether it was another one is known only where nothing else is wrong.
    const expected = this.useFault(allow, atMs) ?? 'allow_cart_mismatch';
    this.must(reason === expected, `said "${reason}", the model "${expected}"`);
    this.saw(`use refused ${reason}`);
  }

  private used(data: Raw, atMs: number): void {
    const { decision_id: decisionId, order_id: order, reference, provider } = data;
    const allow = this.allowOf(decisionId);
    if (allow === undefined) return;
    const fault = this.useFault(allow, atMs);
    this.must(fault === null, `used, and the model says ${fault}`);
    allow.usedAtMs = atMs;
    if (this.isUsedByCapture(decisionId as string)) return this.saw('used by a capture');
    this.saw(`used ${data.flow} ${provider}`);
    const { bought } = allow;
    if (bought === null) {
      const refund = this.money.refunds.get(decisionId);
      this.must(refund?.state === 'reserved', `used for a refund that is ${refund?.state}`);
      if (refund !== undefined) refund.state = 'submitted';
      return;
    }
    const verdict = this.money.verdict(bought, { atMs });
    this.must(verdict === null, `used, and the model says ${spelled(verdict)}`);
    const { merchant } = bought;
    this.must(this.orderIsFree(merchant, order), `order ${order} is offered or paid already`);
    this.money.payments.set(reference, {
      paymentId: reference,
      order,
      provider,
      issuedAtMs: atMs,
      bought,
      endsMs: null,
      said: new Set(),
      isPaidTwice: false,
      held: new Map(
        [...bought.pieces].filter(([variant]) => this.money.onHand.has(`${merchant} ${variant}`)),
      ),
    });
  }

  /** Money came for an allow that nobody had used: it has had its payment, and starts none. */
  private isUsedByCapture(decisionId: string): boolean {
    const { type, data }: Pick<Entry, 'type' | 'data'> = this.#before ?? NO_ENTRY;
    return (
      type === 'capture.recorded' &&
      data.payment === null &&
      data.authority?.decision_id === decisionId
    );
  }

  private orderIsFree(merchant: string, order: string): boolean {
    const isPaid = this.money.captures.some(
      (one) => one.merchant === merchant && one.order === order,
    );
    const offered = this.money.ordersPayments(merchant, order);
    return !isPaid && !offered.some((one) => this.money.isOffered(one));
  }

  private started({ payment: { payment_id: paymentId }, expires_at: endsAt }: Raw, atMs: number) {
    const payment = this.money.payments.get(paymentId);
    this.must(payment?.issuedAtMs === atMs, 'a payment without a use of its allow');
    if (payment === undefined) return;
    payment.endsMs = endsAt === null ? null : Date.parse(endsAt);
    this.must((endsAt === null) === (payment.bought.buyer !== null), 'links end, charges do not');
  }

  private reported(paymentId: string, data: Raw, now: { atMs: number; state: string }): void {
    const payment = this.money.payments.get(paymentId);
    if (payment === undefined) return this.must(false, `no payment ${paymentId}`);
    const { report, source } = data;
    if (source === 'clock') {
      const { endsMs } = payment;
      this.must(this.money.isOffered(payment), 'lapsed though it was not offered');
      this.must(endsMs !== null && endsMs <= now.atMs, 'lapsed before its time');
    }
    payment.said.add(report);
    const state = this.money.stateOf(payment);
    this.must(now.state === state, `it is "${now.state}", in the model "${state}"`);
    this.saw(`${payment.provider} ${report} -> ${state}`);
  }

  private captured(data: Raw, atMs: number): void {
    const { merchant_id: merchant, order_id: order, payment: of, authority } = data;
    const paymentId: string | null = of === null ? null : of.payment.payment_id;
    const payment = paymentId === null ? undefined : this.money.payments.get(paymentId);
    const named = this.money.allows.get(authority?.decision_id as string)?.bought ?? null;
    const bought = payment?.bought ?? named;
    if (payment !== undefined) this.becomesPaid(payment, data.capture_id as string);
    this.money.captures.push({
      captureId: data.capture_id,
      merchant,
      order,
      paymentId,
      amountMinor: BigInt(data.amount_minor),
      currency: data.currency,
      atMs,
      isAway: bought?.buyer?.isAway === true,
      drawn: bought === null ? [] : this.money.drawnBy(bought),
    });
    this.saw(`captured ${payment === undefined ? 'without a payment' : payment.provider}`);
  }

  /** Money that was recorded for the order alone turns out to be this payment's. It stays money of its day. */
  private attached({ capture_id: captureId, merchant_id: merchant, payment: of }: Raw): void {
    const capture = this.money.captures.find(
      (one) => one.merchant === merchant && one.captureId === captureId,
    );
    const payment = this.money.payments.get(of.payment.payment_id as string);
    this.must(capture?.paymentId === null && payment !== undefined, 'nothing to attach');
    if (capture === undefined || payment === undefined) return;
    this.becomesPaid(payment, capture.captureId);
    capture.paymentId = payment.paymentId;
    capture.isAway = payment.bought.buyer?.isAway === true;
    capture.drawn = this.money.drawnBy(payment.bought);
    this.saw('captured, and attached later');
  }

  private becomesPaid(payment: Payment, captureId: string): void {
    const { paymentId, order, bought } = payment;
    const hasOther = this.money.captures.some(
      (one) =>
        one.merchant === bought.merchant &&
        one.order === order &&
        one.paymentId !== paymentId &&
        one.captureId !== captureId,
    );
    if (hasOther) payment.isPaidTwice = true;
    this.takeGoods(payment);
  }

  /** The first money of a payment takes its goods: those set aside, else what nobody else holds. */
  private takeGoods(payment: Payment): void {
    if (this.money.isCaptured(payment)) return;
    const { merchant } = payment.bought;
    for (const [variant, pieces] of payment.held) {
      const free = this.money.freePieces(merchant, variant) ?? 0;
      const taken = this.money.isOffered(payment) ? pieces : Math.min(pieces, free);
      const place = `${merchant} ${variant}`;
      this.money.onHand.set(place, (this.money.onHand.get(place) ?? 0) - taken);
    }
  }

  private refundReported(refundId: string, data: Raw, now: { atMs: number; state: string }): void {
    const refund = this.money.refunds.get(refundId.replace('rfd_', 'arbdec_'));
    if (refund === undefined) return this.must(false, `no refund ${refundId}`);
    const { report } = data;
    const hasEnded = now.atMs > refund.allowedAtMs + ALLOW_LIFE_MS;
    // Its own request releases one that cannot be made; everybody else waits for the end of its allow.
    if (report === 'lapsed')
      this.must(
        refund.state === 'reserved' && (hasEnded || data.source === 'merchant'),
        'a refund lapsed before its allow had ended',
      );
    refund.state = this.afterReport(refund, report);
    this.must(now.state === refund.state, `it is "${now.state}", in the model "${refund.state}"`);
    this.saw(`refund ${report} -> ${refund.state}`);
  }

  private afterReport(refund: Refund, report: string): Refund['state'] {
    const { state } = refund;
    switch (report) {
      case 'done':
        return state === 'failed' || state === 'lapsed'
          ? this.stillFits(refund)
            ? 'done'
            : state
          : 'done';
      case 'failed':
        return state === 'done' ? state : 'failed';
      case 'lapsed':
        return state === 'reserved' ? 'lapsed' : state;
      default:
        return state === 'reserved' ? 'submitted' : state;
    }
  }

  private stillFits({ merchant, order, paymentId, amountMinor }: Refund): boolean {
    const { money } = this;
    const ofOrder = (one: { merchant: string; order: string }) =>
      one.merchant === merchant && one.order === order;
    const ofPayment = (one: { paymentId: string | null }) => one.paymentId === paymentId;
    return (
      money.refundedMinor(ofOrder) + amountMinor <= money.capturedMinor(ofOrder) &&
      (paymentId === null ||
        money.refundedMinor(ofPayment) + amountMinor <= money.capturedMinor(ofPayment))
    );
  }

  /** An answer without an entry must have had its reason too. */
  private hear(judged: Judged | undefined): void {
    if (judged === undefined) return;
    const { seq, atMs, command, code, field, about } = judged;
    if (judged.lapsesFirst) this.#lookedAtMs = [...this.#lookedAtMs.slice(-1), atMs];
    this.#at = `${command} before entry ${seq}`;
    this.saw(`${command} ${code} ${field ?? ''}`);
    if (command !== 'allow.use' || code !== 'conflict' || about === null) return;
    if (field === '/order_id')
      this.must(!this.orderIsFree(about.merchant, about.orderId), 'the order was free');
    if (field === null) {
      const refund = this.money.refunds.get(about.decisionId);
      this.must(refund === undefined || refund.state !== 'reserved', 'the refund was reserved');
    }
  }
}
