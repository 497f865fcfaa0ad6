import { type CommandContext, IDEMPOTENCY_IN_FLIGHT } from '../../base/ledger/index.js';
import {
  type DecisionId,
  err,
  invariant,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/kernel/index.js';
import { AGENT_EXECUTED_PAYMENT_DISABLED, type Refused } from '../../core/rules/index.js';
import type {
  Book,
  PaymentAnswer,
  PaymentNews,
  PaymentRow,
  RefundNews,
  RefundRow,
} from '../book/index.js';
import {
  type ChargeOutcome,
  type ConsumedAllow,
  type ConsumedAllowParts,
  type LinkRail,
  type LinkTerms,
  RAIL_CALL_MS_MAX,
  type RailPayment,
  type Rails,
  isOwnProvider,
  OWN_PROVIDERS,
} from '../payments/index.js';
import type { Arbiter } from './arbiter.js';
import type { PurchaseAsk, RefundAsk } from './ask.js';
import type { UseOutcome } from './consume.js';
import type { RecordedDecision } from './decide.js';
import { askRail, chargeNews, linkNews, refundNews } from './rail-results.js';
import { releaseReserved, toldBefore } from './refund-release.js';
import type { UseRequest } from './use-allow.js';
import { NO_SUCH_PAYMENT, type UseTarget } from './use-effects.js';

/** Time for one call of a provider. Beyond it the outcome is unknown, and the reconciler asks later. */
const RAIL_BUDGET_MS = RAIL_CALL_MS_MAX / 2;

/** Where pretended money is paid: not offered in the live world. */
const TEST_WORLD_PROVIDER = 'sandbox';

export interface PayerParts {
  readonly arbiter: Pick<Arbiter, 'decidePurchase' | 'decideRefund' | 'consume'>;
  readonly book: Book;
  readonly rails: Rails;
  /** The deployment's switch (facts/arbiter.md O1). */
  readonly agentExecutedPaymentEnabled: boolean;
  /** Half of what the reconciler gives a call before it takes it for ended, when left out. */
  readonly railBudgetMs?: number;
}

/** What a purchase is paid by. `lifeMs`: how long a link may be paid. */
export type PaymentTerms = Pick<UseTarget, 'orderId' | 'provider' | 'lifeMs'> &
  Pick<LinkTerms, 'description' | 'returnUrl'>;

/** Refused by the rules or at use: nobody was called and nothing is owed. Else what was started, as it stands now. */
export type Started<Subject> =
  | { readonly kind: 'refused'; readonly decisionId: DecisionId; readonly refused: Refused }
  | { readonly kind: 'started'; readonly decision: RecordedDecision; readonly subject: Subject };

/** Calls the provider and writes down what it said. Null where the merchant's own system moves the money. */
type Call = ((consumed: ConsumedAllow) => Promise<Result<unknown, Problem>>) | null;

/**
 * From a request to moving money: decide, have it countersigned, use the allow and start the payment in one transaction,
 * call the provider, write down what it said (facts/arbiter.md D2). Each step is durable before the next begins. A
 * provider is called at most once per allow, by the request that used it; whoever repeats under the same idempotency key
 * finds the same decision and the same payment as it stands now, and goes on where a crash came between decision and
 * use. What a crash leaves behind after the use is `issuing` or `submitted` and counts, until the reconciler has asked.
 */
export class Payer {
  /** The claims of requests that are under way in this process. */
  readonly #underWay = new Set<string>();

  constructor(private readonly parts: PayerParts) {}

  /**
   * A payment link for the buyer. Problems, in order: validation_failed `/provider`, idempotency_in_flight, those of the
   * arbiter's decision and of the use of its allow, of the book.
   */
  async handOff(
    context: CommandContext,
    ask: PurchaseAsk,
    terms: PaymentTerms,
  ): Promise<Result<Started<PaymentRow>, Problem>> {
    const rail = this.parts.rails.linkRail(terms.provider);
    if (!isOffered(terms.provider, { rail, ask })) return err(noSuchProvider(terms.provider));
    const call: Call = rail && ((consumed) => this.issue(context, consumed, { rail, terms }));
    return this.alone(context, () => this.pay(context, { ask, terms, call }));
  }

  /**
   * A charge on the buyer's mandates. Where agent-executed payment is off, the answer is that refusal, and there is no
   * adapter that could be called. Problems as {@link handOff}.
   */
  async charge(
    context: CommandContext,
    ask: PurchaseAsk,
    terms: PaymentTerms,
  ): Promise<Result<Started<PaymentRow>, Problem>> {
    const rail = this.parts.rails.chargeRail(terms.provider);
    const isOn = this.parts.agentExecutedPaymentEnabled;
    if (isOn && !isOffered(terms.provider, { rail, ask }))
      return err(noSuchProvider(terms.provider));
    const call: Call =
      rail &&
      (async (consumed) => {
        const outcome = await this.ask((deadline) => rail.charge(consumed, deadline));
        return this.settleCharge(context, consumed.parts, outcome);
      });
    return this.alone(context, () => this.pay(context, { ask, terms, call }));
  }

  /**
   * A refund, given back by the rail that took the money, or by the merchant's own system. `paymentId` null = of the
   * oldest captured payment of the order that enough is left of. Where none is left enough of, what the decision reserved
   * is given back before the answer, and repeats are answered the same. Problems, in order: idempotency_in_flight, not_found
   * and conflict `/payment_id`, those of the decision and of the use of its allow, of the book.
   */
  async refund(
    context: CommandContext,
    ask: RefundAsk,
    paymentId: string | null,
  ): Promise<Result<Started<RefundRow>, Problem>> {
    return this.alone(context, () => this.giveBack(context, ask, paymentId));
  }

  /**
   * Stops offering a link: here at once, and at its provider, which may be too slow; money that comes after all is kept
   * and marked for review (decisions 7.3). A repeat asks the provider again. Problems, in order: conflict (a charge is not
   * offered to anybody), those of the book.
   */
  async cancel(
    context: CommandContext,
    payment: PaymentRow,
  ): Promise<Result<PaymentAnswer, Problem>> {
    if (payment.kind === 'charge') return err(NO_LINK);
    const { paymentId, provider } = payment;
    const news = { paymentId, report: 'canceled', source: 'merchant' } as const;
    const moved = await this.parts.book.movePayment(context, news);
    const rail = this.parts.rails.linkRail(provider);
    if (moved.ok && moved.value.state === 'canceled' && rail !== null)
      await this.ask((deadline) => rail.cancelLink(railPayment(context, payment), deadline));
    return moved;
  }

  private async pay(
    context: CommandContext,
    { ask, terms, call }: { ask: PurchaseAsk; terms: PaymentTerms; call: Call },
  ): Promise<Result<Started<PaymentRow>, Problem>> {
    const { arbiter, book } = this.parts;
    const decided = await arbiter.decidePurchase(context, ask);
    if (!decided.ok) return decided;
    const decision = decided.value;
    if (decision.allow === null) return ok(refusedBy(decision));
    const { orderId, provider, lifeMs } = terms;
    const used = await this.use(context, decision, {
      subject: { kind: 'purchase', cart: ask.cart },
      target: { orderId, provider, lifeMs },
    });
    if (!used.ok) return used;
    if (used.value.kind !== 'used') return ok(refusedAtUse(used.value));
    const { consumed, use } = used.value;
    const written = consumed === null || call === null ? ok(null) : await call(consumed);
    if (!written.ok) return written;
    const subject = await book.payment(context.tenantId, use.reference);
    invariant(subject !== null, 'a used allow has its payment');
    return ok({ kind: 'started', decision, subject });
  }

  private async giveBack(
    context: CommandContext,
    ask: RefundAsk,
    paymentId: string | null,
  ): Promise<Result<Started<RefundRow>, Problem>> {
    const { arbiter, book, rails } = this.parts;
    const found = await this.sourceOf(context, ask, paymentId);
    if (!found.ok) return found;
    const source = found.value;
    const rail = source === null ? null : rails.refundRail(source.provider);
    if (source !== null && rail === null && !isOwnProvider(source.provider)) return err(NO_REFUND);
    const decided = await arbiter.decideRefund(context, ask);
    if (!decided.ok) return decided;
    const decision = decided.value;
    if (decision.allow === null) return ok(refusedBy(decision));
    const { decisionId } = decision;
    const told = await toldBefore(book, { context, decisionId });
    if (!told.ok) return told;
    const used = await this.use(context, decision, {
      subject: { kind: 'refund', amount: null },
      target: {
        orderId: ask.orderId,
        provider: source?.provider ?? OWN_PROVIDERS[0],
        paymentId: source?.paymentId ?? null,
      },
    });
    if (!used.ok) return err(await releaseReserved(book, { context, decisionId }, used.error));
    if (used.value.kind !== 'used') return ok(refusedAtUse(used.value));
    const { consumed, use } = used.value;
    if (consumed !== null && rail !== null && source !== null) {
      const payment = railPayment(context, source);
      const outcome = await this.ask((deadline) => rail.refund(consumed, payment, deadline));
      const written = await this.settleRefund(context, use.reference, refundNews(outcome));
      if (!written.ok) return written;
    }
    const subject = await book.refund(context.tenantId, use.reference);
    invariant(subject !== null, 'a used allow has its refund');
    return ok({ kind: 'started', decision, subject });
  }

  private use(
    context: CommandContext,
    { decisionId }: RecordedDecision,
    use: Pick<UseRequest, 'subject' | 'target'>,
  ): Promise<Result<UseOutcome, Problem>> {
    const request = { ...use, decisionId, mayUse: () => true };
    return this.parts.arbiter.consume(useOf(context, decisionId), request);
  }

  private async issue(
    context: CommandContext,
    consumed: ConsumedAllow,
    { rail, terms }: { readonly rail: LinkRail; readonly terms: PaymentTerms },
  ): Promise<Result<unknown, Problem>> {
    const { description, returnUrl, lifeMs } = terms;
    const { usedAtMs } = consumed.parts;
    const link = { expiresAtMs: usedAtMs + lifeMs, description, returnUrl };
    const outcome = await this.ask((deadline) => rail.issueLink(consumed, link, deadline));
    const settled = await this.settle(context, consumed.parts, linkNews(outcome));
    // Canceled while it was being issued: nobody could tell the provider then.
    if (settled.ok && settled.value?.state === 'canceled' && outcome.kind === 'issued') {
      const { reference: paymentId, ...parts } = consumed.parts;
      const payment = { ...parts, paymentId, providerRef: outcome.providerRef };
      await this.ask((deadline) => rail.cancelLink(payment, deadline));
    }
    return settled;
  }

  private async settleCharge(
    context: CommandContext,
    parts: ConsumedAllowParts,
    outcome: ChargeOutcome,
  ): Promise<Result<unknown, Problem>> {
    if (outcome.kind !== 'captured') return this.settle(context, parts, chargeNews(outcome));
    return this.parts.book.takeSignedCapture(resultOf(context), parts.reference, outcome);
  }

  private async settle(
    context: CommandContext,
    { reference: paymentId }: ConsumedAllowParts,
    news: PaymentNews | null,
  ): Promise<Result<PaymentAnswer | null, Problem>> {
    if (news === null) return ok(null);
    return this.parts.book.movePayment(resultOf(context), { paymentId, ...news });
  }

  private async settleRefund(
    context: CommandContext,
    refundId: string,
    news: RefundNews | null,
  ): Promise<Result<unknown, Problem>> {
    if (news === null) return ok(null);
    return this.parts.book.moveRefund(resultOf(context), { refundId, ...news });
  }

  /** The payment to give back from; null = the order has none, so the merchant's own system gives back. */
  private async sourceOf(
    { tenantId }: CommandContext,
    { merchantId, orderId, amountMinor }: RefundAsk,
    paymentId: string | null,
  ): Promise<Result<PaymentRow | null, Problem>> {
    if (paymentId !== null) {
      const named = await this.parts.book.payment(tenantId, paymentId);
      if (named === null || named.merchantId !== merchantId || named.orderId !== orderId)
        return err(NO_SUCH_PAYMENT);
      return ok(named);
    }
    const left = await this.parts.book.refundable(tenantId, { merchantId, orderId });
    const enough = left.find((one) => one.capturedMinor - one.refundedMinor >= amountMinor);
    return ok(enough ?? left[0] ?? null);
  }

  private ask<Outcome>(call: (deadline: AbortSignal) => Promise<Outcome>) {
    return askRail(this.parts.railBudgetMs ?? RAIL_BUDGET_MS, call);
  }

  /**
   * One request at a time under one key: a repeat that overtakes the first would use an allow before its countersignature
   * has come. Repeats in other processes find what is there; the ledger alone makes every step happen once.
   */
  private async alone<Value>(
    { idempotency }: CommandContext,
    work: () => Promise<Result<Value, Problem>>,
  ): Promise<Result<Value, Problem>> {
    invariant(idempotency !== null, 'moving money needs an idempotency key');
    const claim = `${idempotency.scope}\n${idempotency.key}`;
    if (this.#underWay.has(claim)) return err(IDEMPOTENCY_IN_FLIGHT);
    this.#underWay.add(claim);
    try {
      return await work();
    } finally {
      this.#underWay.delete(claim);
    }
  }
}

/**
 * The same caller, request and key, but a claim of the use of this decision: a repeat finds the first outcome of each
 * step, and never that of another decision, however long the two claims are kept.
 */
function useOf(context: CommandContext, decisionId: DecisionId): CommandContext {
  const { idempotency } = context;
  invariant(idempotency !== null, 'moving money needs an idempotency key');
  return {
    ...context,
    idempotency: { ...idempotency, scope: `${idempotency.scope} use ${decisionId}` },
  };
}

/** Only the request that called the provider writes what it said: there is no repeat to be told from it. */
const resultOf = (context: CommandContext): CommandContext => ({ ...context, idempotency: null });

const refusedBy = ({ decisionId, decision, dryRun }: RecordedDecision) => ({
  kind: 'refused' as const,
  decisionId,
  refused: dryRun ? AGENT_EXECUTED_PAYMENT_DISABLED : decision,
});

const refusedAtUse = (outcome: Exclude<UseOutcome, { readonly kind: 'used' }>): Started<never> =>
  outcome.kind === 'use_refused' ? { ...outcome, kind: 'refused' } : refusedBy(outcome.decision);

const railPayment = ({ tenantId }: CommandContext, payment: PaymentRow): RailPayment => ({
  tenantId,
  merchantId: payment.merchantId,
  orderId: payment.orderId,
  paymentId: payment.paymentId,
  providerRef: payment.providerRef,
  money: { amountMinor: payment.amountMinor, currency: payment.currency },
});

function isOffered(
  provider: string,
  { rail, ask: { world } }: { readonly rail: object | null; readonly ask: PurchaseAsk },
): boolean {
  if (world === 'live' && provider === TEST_WORLD_PROVIDER) return false;
  return rail !== null || isOwnProvider(provider);
}

const noSuchProvider = (provider: string): Problem =>
  problem('validation_failed', `Nothing here pays through ${provider} in this way.`, {
    fix: 'Name a provider of this deployment and world, or merchant if your own system moves the money.',
    field: '/provider',
  });

const NO_REFUND = problem(
  'conflict',
  'The provider that took this money is not of this deployment.',
  {
    fix: 'Give the money back at the provider, or ask where its rail is bound.',
    field: '/payment_id',
  },
);

const NO_LINK = problem('conflict', 'A charge is offered to nobody, so it cannot be withdrawn.', {
  fix: 'Wait for its outcome; captured money is given back by a refund.',
});
