import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../../base/platform/index.js';
import type { InstantMs, TenantId } from '../../../core/kernel/index.js';
import type { ProviderCall, ProviderReply, ProviderService } from '../provider-call.js';
import { type Behaviour, SLOW_ANSWER_MS, type Trouble, troubleOf } from './behaviour.js';
import {
  type ChargeOrder,
  type LinkOrder,
  readChargeOrder,
  readLinkOrder,
  readRefundOrder,
  type RefundOrder,
} from './sandbox-orders.js';
import {
  newCaptureId,
  newProviderRef,
  paymentEvent,
  refundEvent,
  type SandboxEventType,
} from './sandbox-events.js';
import { insertEvent } from './sandbox-events.store.js';
import {
  findRefund,
  insertRefund,
  insertVoidRefund,
  type SandboxRefund,
} from './sandbox-refunds.store.js';
import {
  findPayment,
  insertPayment,
  isTestTenant,
  movePayment,
  readBehaviour,
  type SandboxPayment,
} from './sandbox.store.js';

/** Random bytes of a pay page's token: who does not have it cannot guess it. */
const TOKEN_BYTES = 24;

/** Of a link or charge that is being taken, before it has a state. */
type NewPayment = Omit<SandboxPayment, 'providerRef' | 'state' | 'settlesAs' | 'captureId'>;

export interface SandboxDependencies {
  readonly database: Queryable;
  /** Where the pay page of a token stands, as a buyer's browser reaches it. */
  readonly payPageUrl: (token: string) => string;
  /** Real time: when an event was written. */
  readonly nowMs: () => InstantMs;
  /** {@link SLOW_ANSWER_MS} when left out. */
  readonly slowAnswerMs?: number;
}

/**
 * A small payment provider inside the product, for tenants of the test world. It is spoken to like any provider, by
 * {@link ProviderCall}, keeps its own books, and misbehaves when it is told to. The merchant reference makes every call
 * idempotent: the same again gives the same, other terms under a known reference give 409.
 */
export class SandboxProvider implements ProviderService {
  constructor(private readonly dependencies: SandboxDependencies) {}

  /** Rejects where a connection would break. */
  async handle(call: ProviderCall): Promise<ProviderReply> {
    if (!(await isTestTenant(this.dependencies.database, call.account)))
      return reply(403, { error: 'test_world_only' });
    const [, collection = '', reference = null, verb = null] = call.path.split('/');
    switch (`${call.method} ${collection}${reference === null ? '' : '/'}${verb ?? ''}`) {
      case 'POST links':
        return this.issueLink(call);
      case 'POST charges':
        return this.charge(call);
      case 'POST refunds':
        return this.refund(call);
      case 'GET payments/':
        return this.lookUp(call, () => this.showPayment(call.account, reference ?? ''));
      case 'POST payments/void':
        return this.lookUp(call, () => this.voidPayment(call.account, reference ?? ''));
      case 'POST payments/cancel':
        return this.cancel(call.account, reference ?? '');
      case 'GET refunds/':
        return this.lookUp(call, () => this.showRefund(call.account, reference ?? ''));
      case 'POST refunds/void':
        return this.lookUp(call, () => this.voidRefund(call.account, reference ?? ''));
      default:
        return reply(405, { error: 'no_such_route' });
    }
  }

  private async issueLink(call: ProviderCall): Promise<ProviderReply> {
    const order = readLinkOrder(call.body);
    if (order === null) return reply(400, { error: 'invalid_order' });
    const behaviour = await this.behaviourOf(call.account, order.merchantId);
    return this.troubled(behaviour.issue, async () => {
      const payment = newPayment(call.account, order);
      return this.take({ ...payment, state: 'open', settlesAs: null, captureId: null });
    });
  }

  private async charge(call: ProviderCall): Promise<ProviderReply> {
    const order = readChargeOrder(call.body);
    if (order === null) return reply(400, { error: 'invalid_order' });
    const behaviour = await this.behaviourOf(call.account, order.merchantId);
    return this.troubled(troubleOf(behaviour.charge), async () => {
      const taken = await this.take({
        ...newPayment(call.account, order),
        ...chargeState(behaviour.charge),
      });
      const payment = await this.payment(call.account, order.reference);
      if (taken.status === 201 && payment !== null) await this.tellOfCharge(payment, behaviour);
      return taken;
    });
  }

  /** A charge that is done at once is told of as well: webhooks and answers arrive in any order. */
  private async tellOfCharge(payment: SandboxPayment, behaviour: Behaviour): Promise<void> {
    const type: SandboxEventType | null =
      payment.state === 'paid'
        ? 'charge.captured'
        : payment.state === 'failed'
          ? 'charge.failed'
          : null;
    if (type === null) return;
    const { webhooks } = behaviour;
    const atMs = this.dependencies.nowMs();
    const event = paymentEvent(type, payment, { captureId: payment.captureId, webhooks, atMs });
    await insertEvent(this.dependencies.database, payment.tenantId, event);
  }

  /** 201 = taken now, 200 = taken before with the same terms. */
  private async take(payment: SandboxPayment): Promise<ProviderReply> {
    const { database } = this.dependencies;
    const taken = await insertPayment(database, payment);
    if (taken !== null) return this.printed(201, taken);
    const known = await this.payment(payment.tenantId, payment.reference);
    if (known === null) return reply(503, { error: 'try_again' });
    return isSameOrder(known, payment)
      ? this.printed(200, known)
      : reply(409, { error: 'reference_taken' });
  }

  private async refund(call: ProviderCall): Promise<ProviderReply> {
    const order = readRefundOrder(call.body);
    if (order === null) return reply(400, { error: 'invalid_order' });
    const payment = await this.payment(call.account, order.paymentReference);
    const behaviour = await this.behaviourOf(call.account, payment?.merchantId ?? '');
    return this.troubled(troubleOf(behaviour.refund), () =>
      this.takeRefund(
        { ...newRefund(call.account, order), ...refundState(behaviour.refund) },
        behaviour,
      ),
    );
  }

  private async takeRefund(refund: SandboxRefund, behaviour: Behaviour): Promise<ProviderReply> {
    const { database, nowMs } = this.dependencies;
    const { tenantId, reference } = refund;
    const before = await findRefund(database, tenantId, reference);
    const taken = before === null ? await insertRefund(database, refund) : 'taken';
    if (typeof taken === 'object') {
      const type = taken.state === 'processed' ? 'refund.processed' : 'refund.failed';
      const telling = { webhooks: behaviour.webhooks, atMs: nowMs() };
      if (taken.state !== 'pending')
        await insertEvent(database, tenantId, refundEvent(type, taken, telling));
      return reply(201, printRefund(taken));
    }
    // A twin may have taken the reference, and the last of the money with it, while this call waited.
    const known = before ?? (await findRefund(database, tenantId, reference));
    if (known === null) return reply(422, { error: 'exceeds_captured' });
    const isSame = known.paymentReference === refund.paymentReference && isSameMoney(known, refund);
    return isSame ? reply(200, printRefund(known)) : reply(409, { error: 'reference_taken' });
  }

  private async showPayment(account: TenantId, reference: string): Promise<ProviderReply> {
    const payment = await this.payment(account, reference);
    return payment === null || payment.kind === 'void' ? ABSENT : this.printed(200, payment);
  }

  /** Asks and settles: what is not there now will never be. */
  private async voidPayment(account: TenantId, reference: string): Promise<ProviderReply> {
    await insertPayment(this.dependencies.database, voidPaymentOf(account, reference));
    return this.showPayment(account, reference);
  }

  private async showRefund(account: TenantId, reference: string): Promise<ProviderReply> {
    const refund = await findRefund(this.dependencies.database, account, reference);
    return refund === null || refund.state === 'void' ? ABSENT : reply(200, printRefund(refund));
  }

  private async voidRefund(account: TenantId, reference: string): Promise<ProviderReply> {
    const refund = { tenantId: account, reference, providerRef: newProviderRef() };
    await insertVoidRefund(this.dependencies.database, refund);
    return this.showRefund(account, reference);
  }

  private async cancel(account: TenantId, reference: string): Promise<ProviderReply> {
    const payment = await this.payment(account, reference);
    if (payment === null || payment.kind !== 'link') return ABSENT;
    const { webhooks } = await this.behaviourOf(account, payment.merchantId);
    const telling = { captureId: null, webhooks, atMs: this.dependencies.nowMs() };
    await movePayment(this.dependencies.database, payment, {
      from: ['open'],
      to: 'canceled',
      captureId: null,
      event: paymentEvent('link.canceled', payment, telling),
    });
    return this.showPayment(account, reference);
  }

  /** Looking things up misbehaves by the tenant's setting: a reference that is not there has no merchant. */
  private async lookUp(
    { account }: ProviderCall,
    look: () => Promise<ProviderReply>,
  ): Promise<ProviderReply> {
    const { lookUp } = await this.behaviourOf(account, '');
    return this.troubled(lookUp, look);
  }

  private async troubled(
    trouble: Trouble,
    work: () => Promise<ProviderReply>,
  ): Promise<ProviderReply> {
    switch (trouble) {
      case 'ok':
        return work();
      case 'reject':
        return reply(422, { error: 'rejected_on_request' });
      case 'fail':
        return BROKEN;
      case 'fail_but_persist':
        await work();
        return BROKEN;
      case 'slow': {
        const done = await work();
        return sleep(this.dependencies.slowAnswerMs ?? SLOW_ANSWER_MS, done, { ref: false });
      }
      case 'lose_answer':
        await work();
        throw new Error('the connection broke before the answer');
    }
  }

  private behaviourOf(account: TenantId, merchantId: string): Promise<Behaviour> {
    return readBehaviour(this.dependencies.database, account, merchantId);
  }

  private payment(account: TenantId, reference: string): Promise<SandboxPayment | null> {
    return findPayment(this.dependencies.database, account, reference);
  }

  private printed(status: number, payment: SandboxPayment): ProviderReply {
    const { token, captureId } = payment;
    return reply(status, {
      reference: payment.reference,
      provider_ref: payment.providerRef,
      merchant_id: payment.merchantId,
      order_id: payment.orderId,
      amount: printMoney(payment),
      state: payment.state,
      url: token === null ? null : this.dependencies.payPageUrl(token),
      captures: captureId === null ? [] : [{ capture_id: captureId, amount: printMoney(payment) }],
    });
  }
}

const reply = (status: number, body: object): ProviderReply => ({
  status,
  text: JSON.stringify(body),
});
const ABSENT = reply(404, { error: 'no_such_reference' });
const BROKEN = reply(500, { error: 'broken_on_request' });

type Monied = Pick<SandboxPayment, 'money'>;

const printMoney = ({ money }: Monied): object => ({
  amount: money.amountMinor.toString(),
  currency: money.currency,
});

const isSameMoney = (left: Monied, right: Monied): boolean =>
  left.money.amountMinor === right.money.amountMinor &&
  left.money.currency === right.money.currency;

const isSameOrder = (left: SandboxPayment, right: SandboxPayment): boolean =>
  left.kind === right.kind &&
  left.merchantId === right.merchantId &&
  left.orderId === right.orderId &&
  isSameMoney(left, right);

const printRefund = (refund: SandboxRefund): object => ({
  reference: refund.reference,
  provider_ref: refund.providerRef,
  payment_reference: refund.paymentReference,
  amount: printMoney(refund),
  state: refund.state,
});

const newPayment = (
  tenantId: TenantId,
  order: ChargeOrder | LinkOrder,
): NewPayment & { readonly providerRef: string } => ({
  tenantId,
  reference: order.reference,
  providerRef: newProviderRef(),
  merchantId: order.merchantId,
  orderId: order.orderId,
  money: order.money,
  ...('expiresAtMs' in order
    ? {
        kind: 'link',
        token: randomBytes(TOKEN_BYTES).toString('base64url'),
        description: order.description,
        returnUrl: order.returnUrl,
        expiresAtMs: order.expiresAtMs,
      }
    : { kind: 'charge', token: null, description: null, returnUrl: null, expiresAtMs: null }),
});

const voidPaymentOf = (tenantId: TenantId, reference: string): SandboxPayment => ({
  ...newPayment(tenantId, {
    reference,
    merchantId: '',
    orderId: '',
    money: { amountMinor: 0n, currency: '' },
  }),
  kind: 'void',
  state: 'void',
  settlesAs: null,
  captureId: null,
});

const newRefund = (
  tenantId: TenantId,
  order: RefundOrder,
): Omit<SandboxRefund, 'state' | 'settlesAs'> => ({
  tenantId,
  reference: order.reference,
  providerRef: newProviderRef(),
  paymentReference: order.paymentReference,
  money: order.money,
});

type ChargeState = Pick<SandboxPayment, 'state' | 'settlesAs' | 'captureId'>;

function chargeState(behaviour: Behaviour['charge']): ChargeState {
  if (behaviour === 'decline') return { state: 'failed', settlesAs: null, captureId: null };
  if (behaviour === 'later') return { state: 'pending', settlesAs: 'paid', captureId: null };
  if (behaviour === 'later_decline')
    return { state: 'pending', settlesAs: 'failed', captureId: null };
  return { state: 'paid', settlesAs: null, captureId: newCaptureId() };
}

function refundState(behaviour: Behaviour['refund']): Pick<SandboxRefund, 'state' | 'settlesAs'> {
  if (behaviour === 'decline') return { state: 'failed', settlesAs: null };
  if (behaviour === 'later') return { state: 'pending', settlesAs: 'processed' };
  if (behaviour === 'later_decline') return { state: 'pending', settlesAs: 'failed' };
  return { state: 'processed', settlesAs: null };
}
