import type { Queryable } from '../../../base/platform/index.js';
import { merchants } from '../../../base/tenants/index.js';
import { readRow } from '../../../base/ledger/index.js';
import type { InstantMs, Money } from '../../../core/kernel/index.js';
import { newCaptureId, paymentEvent } from './sandbox-events.js';
import { findLink, movePayment, readBehaviour, type SandboxPayment } from './sandbox.store.js';

export const PAY_BUTTONS = ['pay', 'fail', 'cancel'] as const;
export type PayButton = (typeof PAY_BUTTONS)[number];

/** 18 to 60 characters of base64url: anything else opens nothing. */
const TOKEN = /^[A-Za-z0-9_-]{18,60}$/;

/** What a buyer sees of a link. No personal data: the sandbox knows none. */
export interface PayPageView {
  readonly merchantName: string;
  readonly orderId: string;
  readonly money: Money;
  readonly description: string | null;
  readonly expiresAtMs: InstantMs;
  readonly returnUrl: string | null;
  readonly state: 'open' | 'expired' | 'canceled' | 'failed' | 'paid';
  /** Whether the buttons do anything. */
  readonly payable: boolean;
}

const ENDS = {
  pay: { to: 'paid', type: 'link.paid' },
  fail: { to: 'failed', type: 'link.failed' },
  cancel: { to: 'canceled', type: 'link.canceled' },
} as const;

/** The buyer's side of the sandbox: a page behind an unguessable token, with three buttons. */
export class PayPage {
  constructor(
    private readonly dependencies: {
      readonly database: Queryable;
      /** Real time: when an event was written. */
      readonly nowMs: () => InstantMs;
    },
  ) {}

  /** Null = the token opens nothing. */
  async view(token: string): Promise<PayPageView | null> {
    const opened = await this.open(token);
    if (opened === null) return null;
    const { link, state, payable, expiresAtMs } = opened;
    const merchant = await readRow(this.dependencies.database, merchants, {
      tenantId: link.tenantId,
      key: [link.merchantId],
    });
    return {
      merchantName: merchant?.name ?? link.merchantId,
      orderId: link.orderId,
      money: link.money,
      description: link.description,
      expiresAtMs,
      returnUrl: link.returnUrl,
      state,
      payable,
    };
  }

  /** Does what the button says if the link can still be paid; else nothing. False = the token opens nothing. */
  async press(token: string, button: PayButton): Promise<boolean> {
    const opened = await this.open(token);
    if (opened === null) return false;
    const { link, payable, isLate, webhooks } = opened;
    // A link past its time is canceled or failed no more; it may still be paid where the provider lets it.
    if (!payable || (isLate && button !== 'pay')) return true;
    const { to, type } = ENDS[button];
    const captureId = to === 'paid' ? newCaptureId() : null;
    const { database, nowMs } = this.dependencies;
    const event = paymentEvent(type, link, { captureId, webhooks, atMs: nowMs() });
    // Two presses at once: the second finds another state and changes nothing.
    await movePayment(database, link, { from: [link.state], to, captureId, event });
    return true;
  }

  private async open(token: string): Promise<OpenedLink | null> {
    const found = TOKEN.test(token) ? await findLink(this.dependencies.database, token) : null;
    if (found === null) return null;
    const { link, nowMs } = found;
    const expiresAtMs = link.expiresAtMs ?? nowMs;
    const isOver = link.state === 'open' && expiresAtMs <= nowMs;
    // A link is expired from its instant on, whether or not the sweep has said so.
    const state = isOver ? 'expired' : link.state;
    if (state === 'pending' || state === 'void') return null;
    const { latePayments, webhooks } = await readBehaviour(
      this.dependencies.database,
      link.tenantId,
      link.merchantId,
    );
    const isLate = state === 'expired' || state === 'canceled';
    const payable = state === 'open' || (isLate && latePayments === 'taken');
    return { link, state, payable, isLate, expiresAtMs, webhooks };
  }
}

interface OpenedLink extends Pick<PayPageView, 'state' | 'payable' | 'expiresAtMs'> {
  readonly link: SandboxPayment;
  readonly isLate: boolean;
  readonly webhooks: 'once' | 'twice' | 'never';
}
