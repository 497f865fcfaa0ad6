import { invariant, type Problem, type Result } from '../../../src/core/kernel/index.js';
import {
  checkCart,
  type CheckedCart,
  type PaymentTerms,
  type PurchaseAsk,
  type RefundAsk,
} from '../../../src/money/arbiter/index.js';
import { coreHashOf } from '../../../src/money/arbiter/cart.js';
import { UNIT_MINOR, VARIANTS } from './facts.js';
import { type Known, type Saga, targetOf } from './known.js';
import type { Counter } from './shop.js';
import type { ClockMove, Purchase, Step } from './steps.js';

const at = <Item>(list: readonly Item[], which: number): Item | undefined =>
  list[list.length === 0 ? 0 : which % list.length];

function cartOf({ pieces, currency }: Pick<Purchase, 'pieces' | 'currency'>): CheckedCart {
  const inCurrency = (amountMinor: bigint) => ({ amountMinor, currency });
  const variantId = VARIANTS[currency];
  const line = { productId: variantId, variantId, quantity: pieces };
  const cart = checkCart({
    currency,
    lines: [{ ...line, unitPrice: inCurrency(UNIT_MINOR) }],
    discount: null,
    tax: null,
    shipping: null,
    total: inCurrency(UNIT_MINOR * BigInt(pieces)),
    fulfilmentChoice: null,
  });
  invariant(cart.ok, 'it adds up');
  return cart.value;
}

const amountOf = ({ pieces }: Purchase): bigint => UNIT_MINOR * BigInt(pieces);

/** Codes that a caller may be told here. All others are faults, `internal` before all. */
const EXPECTED = ['conflict', 'unavailable', 'idempotency_in_flight', 'not_found'];

/** Does the steps of one list, one after the other, through a counter of its own. */
export class Worker {
  constructor(
    private readonly counter: Counter,
    private readonly known: Known,
  ) {}

  async work(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.counter.about = null;
      await this.take(step);
    }
  }

  private async take(step: Step): Promise<unknown> {
    const { counter, known } = this;
    switch (step.kind) {
      case 'decide':
        return this.decide(step.purchase);
      case 'use':
        return this.use(step);
      case 'pay':
        return this.start(this.paying(step));
      case 'refund':
        return this.start(this.refunding(step));
      case 'repeat': {
        const again = at(known.sagas, step.which);
        return again && this.run(again);
      }
      case 'report': {
        const payment = at(known.payments, step.which);
        const news = { report: step.report, source: 'merchant' as const };
        return (
          payment && this.told(counter.book.movePayment(counter.context(), { ...payment, ...news }))
        );
      }
      case 'cancel':
        return this.cancel(step.which);
      case 'capture':
        return this.capture(step);
      case 'capture unused':
        return this.captureUnused(step);
      case 'allow refund':
        return this.allowRefund(step);
      case 'use refund':
        return this.useRefund(step);
      case 'report refund': {
        const refundId = at(known.refundIds, step.which);
        const news = { report: step.report, source: 'merchant' as const };
        return (
          refundId && this.told(counter.book.moveRefund(counter.context(), { refundId, ...news }))
        );
      }
      case 'clock':
        return this.moveClock(step.to);
      case 'sweep':
        return counter.lapse.sweepDue({ tenantId: known.shop.tenantId, limit: 100 });
      case 'limits':
        return this.told(counter.setLimits(step.merchant, step.limits));
      case 'stock':
        return this.told(counter.setStock(step.merchant, step.onHand));
    }
  }

  private async told<Value>(asked: Promise<Result<Value, Problem>>): Promise<Value | null> {
    const result = await asked;
    if (result.ok) return result.value;
    const { code, detail } = result.error;
    if (!EXPECTED.includes(code)) this.known.unexpected.push(`${code}: ${detail}`);
    return null;
  }

  private ask({ merchant, buyer, ...cart }: Purchase): PurchaseAsk {
    const { facts, agentId } = this.known.shop;
    const checked = cartOf(cart);
    if (buyer === null)
      return { ...COMMON, flow: 'handoff', merchantId: merchant, agentId, cart: checked };
    const mandates = [buyer.intent, this.known.fresh('payment')];
    if (buyer.present) {
      const signed = this.known.fresh('cart');
      facts.cartHashes.set(signed, coreHashOf(checked, merchant));
      mandates.push(signed);
    }
    return {
      ...COMMON,
      flow: 'agent_payment',
      merchantId: merchant,
      agentId,
      cart: checked,
      authority: {
        evidence: { mandates, foreign: [], consent: 'consent', passport: buyer.passport },
        asserted: null,
        rail: { evidenceId: null, noticeRef: null },
      },
    };
  }

  private async decide(purchase: Purchase): Promise<void> {
    const { counter, known } = this;
    const ask = this.ask(purchase);
    const decision = await this.told(counter.arbiter.decidePurchase(counter.context(), ask));
    if (decision !== null) known.allow(decision, purchase, '');
  }

  private async use(step: Extract<Step, { kind: 'use' }>): Promise<void> {
    const { counter, known } = this;
    const allow = at(known.allows, step.which);
    if (allow === undefined || allow.purchase === null) return;
    const { decisionId, purchase, merchant } = allow;
    const orderId = known.orderOf(step.order);
    counter.about = { decisionId, orderId, merchant };
    const pieces = step.otherCart ? purchase.pieces + 1 : purchase.pieces;
    const outcome = await this.told(
      counter.arbiter.consume(counter.context(), {
        decisionId,
        subject: { kind: 'purchase', cart: cartOf({ ...purchase, pieces }) },
        target: { orderId, provider: step.provider, lifeMs: step.lifeMs },
        mayUse: () => true,
      }),
    );
    if (outcome?.kind !== 'used') return;
    const { reference: paymentId, money } = outcome.use;
    known.pay({ paymentId, decisionId, orderId, merchant, ...money }, step.lifeMs);
  }

  private async start(saga: Saga): Promise<void> {
    const begun = { saga, subjects: new Set<string>() };
    this.known.sagas.unshift(begun);
    await this.run(begun);
  }

  private async run({ saga, subjects }: Known['sagas'][number]): Promise<void> {
    const subject = await saga(this.counter);
    if (subject === '') return;
    subjects.add(subject);
    if (subjects.size > 1)
      this.known.unexpected.push(`one key, several answers: ${[...subjects].join(' and ')}`);
  }

  /** Which worker it runs at is said when it runs: repeats may come to the other one. */
  private paying(step: Extract<Step, { kind: 'pay' }>): Saga {
    const { purchase, provider, lifeMs, script } = step;
    const { known } = this;
    const orderId = known.orderOf(step.order);
    const ask = this.ask(purchase);
    const key = known.fresh('key');
    const terms: PaymentTerms = { orderId, provider, lifeMs, description: null, returnUrl: null };
    return async (counter) => {
      counter.rail.script = script;
      counter.about = { decisionId: '', orderId, merchant: purchase.merchant };
      const started = await this.told(
        purchase.buyer === null
          ? counter.payer.handOff(counter.context(key), ask, terms)
          : counter.payer.charge(counter.context(key), ask, terms),
      );
      if (started === null) return '';
      // A re-check may refuse once and, with room again, be passed by a repeat: only what is started stays.
      if (started.kind === 'refused') return '';
      const { decision, subject } = started;
      known.allow(decision, purchase, '');
      const { decisionId } = decision;
      const { paymentId, amountMinor, currency } = subject;
      const payment = { paymentId, decisionId, orderId, amountMinor, currency };
      known.pay({ ...payment, merchant: purchase.merchant }, lifeMs);
      if (subject.state === 'paid') known.paid.unshift({ ...payment, merchant: purchase.merchant });
      return paymentId;
    };
  }

  private async cancel(which: number): Promise<void> {
    const { counter, known } = this;
    const payment = at(known.payments, which);
    if (payment === undefined) return;
    const row = await counter.book.payment(known.shop.tenantId, payment.paymentId);
    if (row !== null) await this.told(counter.payer.cancel(counter.context(), row));
  }

  private async capture(step: Extract<Step, { kind: 'capture' }>): Promise<void> {
    const { counter, known } = this;
    const payment = at(known.payments, step.which);
    if (payment === undefined) return;
    const { orderId, merchant, amountMinor, currency, decisionId, paymentId } = payment;
    const parts = { all: amountMinor, half: amountMinor / 2n, more: amountMinor + 1n };
    const captureId = step.again ? known.lastCaptureId : known.fresh('capture');
    known.lastCaptureId = captureId;
    const captured = await this.told(
      counter.arbiter.reportCapture(counter.context(), {
        captureId,
        merchantId: merchant,
        orderId,
        amountMinor: parts[step.amount],
        currency,
        decisionId: step.named === 'decision' ? decisionId : null,
        paymentId: step.named === 'payment' ? paymentId : null,
      }),
    );
    if (captured !== null) known.paid.unshift({ ...payment, amountMinor: captured.amountMinor });
  }

  private async captureUnused(step: Extract<Step, { kind: 'capture unused' }>): Promise<void> {
    const { counter, known } = this;
    const allow = at(known.allows, step.which);
    if (allow === undefined || allow.purchase === null) return;
    const { decisionId, merchant, purchase } = allow;
    await this.told(
      counter.arbiter.reportCapture(counter.context(), {
        captureId: known.fresh('capture'),
        merchantId: merchant,
        orderId: known.orderOf(step.order),
        amountMinor: amountOf(purchase),
        currency: purchase.currency,
        decisionId,
        paymentId: null,
      }),
    );
  }

  private refundAsk({ which, amount }: Extract<Step, { kind: 'allow refund' | 'refund' }>) {
    const { known } = this;
    const payment = at(known.paid, which) ?? at(known.payments, which);
    if (payment === undefined) return null;
    const all = payment.amountMinor;
    const amounts = { all, 'half and one': all / 2n + 1n, more: all + 1n, nothing: 0n };
    const ask: RefundAsk = {
      world: 'test',
      merchantId: payment.merchant,
      orderId: payment.orderId,
      amountMinor: amounts[amount],
      currency: payment.currency,
    };
    return ask;
  }

  private refunding(step: Extract<Step, { kind: 'allow refund' | 'refund' }>): Saga {
    const ask = this.refundAsk(step);
    const { known } = this;
    const key = known.fresh('key');
    return async (counter) => {
      if (ask === null) return '';
      counter.rail.script = step.script;
      const started = await this.told(counter.payer.refund(counter.context(key), ask, null));
      if (started?.kind !== 'started') return '';
      const { refundId } = started.subject;
      if (!known.refundIds.includes(refundId)) known.refundIds.unshift(refundId);
      known.allow(started.decision, null, ask.orderId);
      return refundId;
    };
  }

  private async allowRefund(step: Extract<Step, { kind: 'allow refund' | 'refund' }>) {
    const { counter, known } = this;
    const ask = this.refundAsk(step);
    if (ask === null) return;
    const decision = await this.told(counter.arbiter.decideRefund(counter.context(), ask));
    if (decision === null || decision.allow === null) return;
    known.allow(decision, null, ask.orderId);
    known.refundIds.unshift(decision.decisionId.replace('arbdec_', 'rfd_'));
  }

  private async useRefund({ which, ofPayment }: Extract<Step, { kind: 'use refund' }>) {
    const { counter, known } = this;
    const allow = at(known.refundAllows, which);
    if (allow === undefined) return;
    const { decisionId, orderId, merchant } = allow;
    counter.about = { decisionId, orderId, merchant };
    const payment = ofPayment ? known.payments.find((one) => one.orderId === orderId) : undefined;
    await this.told(
      counter.arbiter.consume(counter.context(), {
        decisionId,
        subject: { kind: 'refund', amount: null },
        target: { orderId, provider: 'merchant', paymentId: payment?.paymentId ?? null },
        mayUse: () => true,
      }),
    );
  }

  private async moveClock(to: ClockMove): Promise<void> {
    const { counter, known } = this;
    const toMs = targetOf(to, known);
    const moved = await counter.moveClock(toMs);
    if (moved.ok) known.nowMs = Math.max(known.nowMs, toMs);
    // The other worker may have moved it further already.
    else if (moved.error.code !== 'validation_failed') known.unexpected.push(moved.error.code);
  }
}

const COMMON = {
  world: 'test',
  artifacts: [],
  buyerReference: null,
  authority: null,
} as const;
