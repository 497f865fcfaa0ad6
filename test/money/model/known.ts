import type { RecordedDecision } from '../../../src/money/arbiter/index.js';
import type { Counter, ModelShop } from './shop.js';
import type { ClockMove, MerchantName, OrderName, Purchase } from './steps.js';

interface KnownAllow {
  readonly decisionId: string;
  readonly orderId: string;
  readonly merchant: MerchantName;
  /** Null: of a refund. */
  readonly purchase: Purchase | null;
}

interface KnownPayment {
  readonly paymentId: string;
  readonly decisionId: string;
  readonly orderId: string;
  readonly merchant: MerchantName;
  readonly amountMinor: bigint;
  readonly currency: string;
}

export type Saga = (counter: Counter) => Promise<string>;

/** What both workers know of each other's doing: the answers so far, the newest first. */
export class Known {
  readonly allows: KnownAllow[] = [];
  readonly refundAllows: KnownAllow[] = [];
  readonly payments: KnownPayment[] = [];
  readonly paid: KnownPayment[] = [];
  readonly refundIds: string[] = [];
  readonly sagas: { readonly saga: Saga; readonly subjects: Set<string> }[] = [];
  readonly ends = new Set<number>();
  readonly unexpected: string[] = [];
  lastCaptureId = 'none';
  nowMs: number;
  #names = 0;

  constructor(readonly shop: ModelShop) {
    this.nowMs = shop.openedAtMs;
  }

  fresh(what: string): string {
    return `${what}-${(this.#names += 1)}`;
  }

  orderOf(name: OrderName): string {
    if (name === 'paid') return this.paid[0]?.orderId ?? this.fresh('order');
    return name === 'own' ? this.fresh('order') : name;
  }

  pay(payment: KnownPayment, lifeMs: number): void {
    if (this.payments.some(({ paymentId }) => paymentId === payment.paymentId)) return;
    this.payments.unshift(payment);
    this.ends.add(this.nowMs + lifeMs);
  }

  allow(decision: RecordedDecision, purchase: Purchase | null, orderId: string): void {
    if (decision.allow === null) return;
    const { decisionId } = decision;
    const list = purchase === null ? this.refundAllows : this.allows;
    if (list.some((one) => one.decisionId === decisionId)) return;
    const merchant = decision.merchantId as MerchantName;
    list.unshift({ decisionId, orderId, merchant, purchase });
    this.ends.add(decision.allow.expiresAtMs);
  }
}

const DAY_MS = 86_400_000;

/** Where a move of the clock leads from here. */
export function targetOf(to: ClockMove, { nowMs, ends }: Known): number {
  if (typeof to === 'object') return nowMs + to.byMs;
  if (to === 'midnight') return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const next = Math.min(...[...ends].filter((endMs) => endMs > nowMs + 1));
  const dueMs = Number.isFinite(next) ? next : nowMs + 1;
  return dueMs + { 'before due': -1, due: 0, 'after due': 1 }[to];
}
