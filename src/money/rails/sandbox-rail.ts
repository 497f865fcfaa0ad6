import type {
  ChargeOutcome,
  ChargeRail,
  ConsumedAllow,
  IssueOutcome,
  LinkRail,
  LinkTerms,
  LookUpOutcome,
  RailPayment,
  RefundLookUpOutcome,
  RefundOutcome,
  RefundRail,
} from '../payments/index.js';
import type { Money, TenantId } from '../../core/kernel/index.js';
import type { ProviderInquiry } from './provider-inquiry.js';
import type { ProviderCall, ProviderReply, ProviderTransport } from './provider-call.js';
import {
  type Asked,
  chargeOutcome,
  issueOutcome,
  lookUpOutcome,
  refundLookUpOutcome,
  refundOutcome,
} from './sandbox-replies.js';

export const SANDBOX = 'sandbox';

/** What both adapters share: one call, and no answer as an answer. */
class SandboxAccount {
  constructor(private readonly send: ProviderTransport) {}

  async call<Outcome>(
    call: ProviderCall,
    deadline: AbortSignal,
    read: (reply: ProviderReply) => Outcome,
  ): Promise<Outcome | { readonly kind: 'unknown'; readonly detail: string }> {
    try {
      return read(await this.send(call, deadline));
    } catch (error) {
      const detail = deadline.aborted ? 'no answer in time' : `no answer: ${reasonOf(error)}`;
      return { kind: 'unknown', detail };
    }
  }

  lookUp(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    const call = get(payment.tenantId, `/payments/${encodeURIComponent(payment.paymentId)}`);
    return this.call(call, deadline, (reply) => lookUpOutcome(reply, askedOf(payment)));
  }
}

/** Links and refunds at the sandbox provider. Each call is sent once: repeating is the reconciler's matter. */
export class SandboxRail implements LinkRail, RefundRail, ProviderInquiry {
  readonly provider = SANDBOX;
  readonly #account: SandboxAccount;

  constructor(transport: ProviderTransport) {
    this.#account = new SandboxAccount(transport);
  }

  issueLink(
    { parts }: ConsumedAllow,
    terms: LinkTerms,
    deadline: AbortSignal,
  ): Promise<IssueOutcome> {
    const { tenantId, reference, merchantId, orderId, money } = parts;
    const call = post(tenantId, '/links', {
      reference,
      merchant_id: merchantId,
      order_id: orderId,
      amount: printMoney(money),
      expires_at_ms: terms.expiresAtMs,
      description: terms.description,
      return_url: terms.returnUrl,
    });
    const asked = { reference, merchantId, money };
    return this.#account.call(call, deadline, (reply) => issueOutcome(reply, asked));
  }

  lookUp(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    return this.#account.lookUp(payment, deadline);
  }

  settlePayment(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    const path = `/payments/${encodeURIComponent(payment.paymentId)}/void`;
    return this.#account.call(post(payment.tenantId, path, null), deadline, (reply) =>
      lookUpOutcome(reply, askedOf(payment)),
    );
  }

  async cancelLink(
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<{ readonly canceled: boolean }> {
    const path = `/payments/${encodeURIComponent(payment.paymentId)}/cancel`;
    const said = await this.#account.call(post(payment.tenantId, path, null), deadline, (reply) =>
      lookUpOutcome(reply, askedOf(payment)),
    );
    return { canceled: said.kind === 'found' && said.state === 'canceled' };
  }

  refund(
    { parts }: ConsumedAllow,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundOutcome> {
    const { tenantId, reference, money } = parts;
    const call = post(tenantId, '/refunds', {
      reference,
      payment_reference: payment.paymentId,
      amount: printMoney(money),
    });
    const asked = { reference, merchantId: null, money };
    return this.#account.call(call, deadline, (reply) => refundOutcome(reply, asked));
  }

  lookUpRefund(
    refundId: string,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundLookUpOutcome> {
    const call = get(payment.tenantId, `/refunds/${encodeURIComponent(refundId)}`);
    return this.#account.call(call, deadline, (reply) => refundLookUpOutcome(reply, refundId));
  }

  settleRefund(
    refundId: string,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundLookUpOutcome> {
    const call = post(payment.tenantId, `/refunds/${encodeURIComponent(refundId)}/void`, null);
    return this.#account.call(call, deadline, (reply) => refundLookUpOutcome(reply, refundId));
  }
}

/** Charges at the sandbox provider. Registered only where agent-executed payment is switched on (facts/arbiter.md O2). */
export class SandboxChargeRail implements ChargeRail {
  readonly provider = SANDBOX;
  readonly #account: SandboxAccount;

  constructor(transport: ProviderTransport) {
    this.#account = new SandboxAccount(transport);
  }

  charge({ parts }: ConsumedAllow, deadline: AbortSignal): Promise<ChargeOutcome> {
    const { tenantId, reference, merchantId, orderId, money } = parts;
    const call = post(tenantId, '/charges', {
      reference,
      merchant_id: merchantId,
      order_id: orderId,
      amount: printMoney(money),
    });
    const asked = { reference, merchantId, money };
    return this.#account.call(call, deadline, (reply) => chargeOutcome(reply, asked));
  }

  lookUp(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome> {
    return this.#account.lookUp(payment, deadline);
  }
}

const get = (account: TenantId, path: string): ProviderCall => ({
  account,
  method: 'GET',
  path,
  body: null,
});

const post = (account: TenantId, path: string, body: object | null): ProviderCall => ({
  account,
  method: 'POST',
  path,
  body: body === null ? null : JSON.stringify(body),
});

const printMoney = ({ amountMinor, currency }: Money): object => ({
  amount: amountMinor.toString(),
  currency,
});

const askedOf = ({ paymentId, merchantId, money }: RailPayment): Asked => ({
  reference: paymentId,
  merchantId,
  money,
});

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 100) : 'broken';
