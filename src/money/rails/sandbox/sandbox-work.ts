import { Webhook } from 'standardwebhooks';
import type { DueScope, DueWork } from '../../../base/ledger/index.js';
import type { Queryable } from '../../../base/platform/index.js';
import type { InstantMs } from '../../../core/kernel/index.js';
import type { ProviderEndpoints } from '../webhooks/provider-endpoints.js';
import { newCaptureId, paymentEvent, refundEvent } from './sandbox-events.js';
import { type DueEvent, finishTry, leaseDueEvents } from './sandbox-events.store.js';
import { pendingRefunds, type SandboxRefund, settleRefund } from './sandbox-refunds.store.js';
import { duePayments, movePayment, readBehaviour, type SandboxPayment } from './sandbox.store.js';

/** One try of one webhook, in milliseconds. */
const TRY_MS_MAX = 5_000;
/** Longer than a try, so that two processes do not send the same event at once. */
const LEASE_MS = 30_000;
const SENDERS = 8;

const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** With the delays above, about a day and a half. */
export const TRIES_MAX = 40;

export interface SandboxWorkDependencies {
  readonly database: Queryable;
  readonly endpoints: ProviderEndpoints;
  /** Where this process listens; null = not yet. */
  readonly ownAddress: () => string | null;
  /** Real time. */
  readonly nowMs: () => InstantMs;
}

/**
 * What the sandbox does by itself: links run out, charges and refunds that were taken on come to their end, and webhooks
 * are sent, at least once and in no promised order, until they are answered with 2xx.
 */
export class SandboxWork implements DueWork {
  readonly name = 'money/rails.sandbox';

  constructor(private readonly dependencies: SandboxWorkDependencies) {}

  async sweepDue(scope: DueScope): Promise<number> {
    const { database } = this.dependencies;
    const payments = await duePayments(database, scope);
    for (const payment of payments) await this.settlePayment(payment);
    const refunds = await pendingRefunds(database, scope);
    for (const refund of refunds) await this.settleRefund(refund);
    return payments.length + refunds.length + (await this.deliver(scope));
  }

  private async settlePayment(payment: SandboxPayment): Promise<void> {
    const { database, nowMs } = this.dependencies;
    const { webhooks } = await readBehaviour(database, payment.tenantId, payment.merchantId);
    const to = payment.state === 'open' ? 'expired' : (payment.settlesAs ?? 'failed');
    const captureId = to === 'paid' ? newCaptureId() : null;
    const type =
      to === 'expired' ? 'link.expired' : to === 'paid' ? 'charge.captured' : 'charge.failed';
    const event = paymentEvent(type, payment, { captureId, webhooks, atMs: nowMs() });
    await movePayment(database, payment, { from: [payment.state], to, captureId, event });
  }

  private async settleRefund(refund: SandboxRefund): Promise<void> {
    const { database, nowMs } = this.dependencies;
    const { webhooks } = await readBehaviour(database, refund.tenantId, '');
    const to = refund.settlesAs ?? 'failed';
    const type = to === 'processed' ? 'refund.processed' : 'refund.failed';
    const event = refundEvent(type, refund, { webhooks, atMs: nowMs() });
    await settleRefund(database, refund, { to, event });
  }

  private async deliver(scope: DueScope): Promise<number> {
    const baseUrl = this.dependencies.ownAddress();
    if (baseUrl === null) return 0;
    const due = await leaseDueEvents(this.dependencies.database, { ...scope, leaseMs: LEASE_MS });
    const queue = [...due];
    const send = async (): Promise<void> => {
      for (let event = queue.shift(); event !== undefined; event = queue.shift())
        await this.deliverOne(event, baseUrl);
    };
    await Promise.all(Array.from({ length: Math.min(SENDERS, due.length) }, send));
    return due.length;
  }

  private async deliverOne(event: DueEvent, baseUrl: string): Promise<void> {
    const end = await this.send(event, baseUrl);
    const delivered = end.status !== null && end.status >= 200 && end.status < 300;
    const delayMs = RETRY_MS[Math.min(event.attemptCount, RETRY_MS.length) - 1] ?? RETRY_MS[0];
    const retryAfterMs = event.attemptCount >= TRIES_MAX ? null : delayMs;
    await finishTry(this.dependencies.database, event, { ...end, delivered, retryAfterMs });
  }

  /** How a try ended; what went wrong on the way is kept as words, never thrown: one event does not hold up others. */
  private async send(
    { tenantId, eventId, body }: DueEvent,
    baseUrl: string,
  ): Promise<{ readonly status: number | null; readonly error: string | null }> {
    try {
      const { endpointId, secrets } = await this.dependencies.endpoints.ofTenant(
        tenantId,
        'sandbox',
      );
      const at = new Date(this.dependencies.nowMs());
      const response = await fetch(`${baseUrl}/v1/webhooks/sandbox/${endpointId}`, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(TRY_MS_MAX),
        headers: {
          'content-type': 'application/json',
          'webhook-id': eventId,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': secrets
            .map((secret) => new Webhook(secret).sign(eventId, at, body))
            .join(' '),
        },
        body,
      });
      await response.arrayBuffer();
      return { status: response.status, error: null };
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.name : 'unknown' };
    }
  }
}
