import { randomBytes } from 'node:crypto';
import {
  type Command,
  type CommandContext,
  DUE_WORKS,
  type DueWorks,
  moveClock,
  WRITER,
  type Writer,
} from '../../src/base/ledger/index.js';
import type { DecisionId, Result } from '../../src/core/kernel/index.js';
import { STALL } from '../../src/demo/demo-world.js';
import { STALL_HANDOFF } from '../../src/demo/tour-purchases.js';
import {
  type Book,
  BOOK,
  type NewPayment,
  type PaymentNews,
  type PaymentRow,
  startPayment,
  startPaymentReads,
  type StartFault,
} from '../../src/money/book/index.js';
import { paymentIdOf } from '../../src/money/payments/index.js';
import type { Shop } from '../arbiter/shop.js';

export const MINUTE_MS = 60_000;

export interface LinkChanges extends Partial<NewPayment> {
  readonly lifeMs?: number;
  readonly lines?: readonly { readonly variantId: string; readonly quantity: number }[];
}

/** The book of one tenant, reached as the service reaches it, with the tenant's clock in the test's hand. */
export class Till {
  readonly writer: Writer;
  readonly book: Book;
  private names = 0;

  constructor(
    readonly shop: Shop,
    private atMs: number,
  ) {
    this.writer = shop.service.app.get<Writer>(WRITER, { strict: false });
    this.book = shop.service.app.get<Book>(BOOK, { strict: false });
  }

  context(): CommandContext {
    return {
      tenantId: this.shop.tenantId,
      actor: { role: 'psp', id: 'test' },
      requestId: 'test',
      idempotency: null,
    };
  }

  /** Moves the clock with nothing done that became due: what a moved clock of the door does beside it is not wanted here. */
  async clockTo(atMs: number): Promise<void> {
    const moved = await this.writer.execute(moveClock(this.context(), atMs));
    if (!moved.ok) throw new Error(JSON.stringify(moved.error));
    this.atMs = atMs;
  }

  sweep(): Promise<unknown> {
    const works = this.shop.service.app.get<DueWorks>(DUE_WORKS, { strict: false });
    return works.sweep(this.shop.tenantId);
  }

  /** Starts a payment to the stall as the command that uses an allow does; answers its id, or why not. */
  async start(changes: LinkChanges = {}): Promise<Result<string, StartFault>> {
    const { lifeMs = 30 * MINUTE_MS, lines = [], ...parts } = changes;
    const decisionId = `arbdec_${randomBytes(6).toString('hex')}`;
    const payment: NewPayment = {
      decisionId,
      kind: 'link',
      merchantId: STALL,
      orderId: `order-${(this.names += 1)}`,
      amountMinor: 10_000n,
      currency: 'INR',
      provider: 'plural',
      buyerAway: false,
      passportRef: null,
      intentRefs: [],
      ...parts,
    };
    const toStart = { payment, expiresAtMs: this.atMs + lifeMs, lines };
    let fault: StartFault | null = null;
    const command: Command<null> = {
      ...this.context(),
      name: 'test.start',
      reads: startPaymentReads(toStart),
      decide(view, moment) {
        const started = startPayment(view, moment, toStart);
        fault = started.ok ? null : started.error;
        return { ok: true, value: { events: started.ok ? started.value : [] } };
      },
      answer: () => null,
    };
    const written = await this.writer.execute(command);
    if (!written.ok) throw new Error(JSON.stringify(written.error));
    const why = fault as StartFault | null;
    return why === null
      ? { ok: true, value: paymentIdOf(payment.decisionId as DecisionId) }
      : { ok: false, error: why };
  }

  /** As {@link start}, of which nothing may stand in the way. */
  async link(changes: LinkChanges = {}): Promise<string> {
    const started = await this.start(changes);
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    return started.value;
  }

  async report(paymentId: string, report: PaymentNews['report']) {
    const news = { paymentId, report, source: 'merchant' } as const;
    return this.book.movePayment(this.context(), news);
  }

  async payment(paymentId: string): Promise<PaymentRow> {
    const row = await this.book.payment(this.shop.tenantId, paymentId);
    if (row === null) throw new Error('there is no such payment');
    return row;
  }

  /** `POST /v1/captures` for a payment. */
  async capture(paymentId: string, changes: Readonly<Record<string, unknown>> = {}) {
    const row = await this.payment(paymentId);
    const captureId = `capture-${(this.names += 1)}`;
    return this.shop.call('POST', '/v1/captures', {
      as: 'merchant_system',
      idempotencyKey: captureId,
      body: {
        capture_id: captureId,
        merchant_id: row.merchantId,
        order_id: row.orderId,
        amount: { amount: String(row.amountMinor), currency: row.currency },
        payment_id: paymentId,
        ...changes,
      },
    });
  }

  /** What the rules see of the stall's day now: `POST /v1/simulate`. */
  async dayMinor(): Promise<string> {
    const body = STALL_HANDOFF;
    const simulated = await this.shop.call('POST', '/v1/simulate', { as: 'tenant_admin', body });
    return String(simulated.body.judged.counters.merchant_day_minor);
  }
}
