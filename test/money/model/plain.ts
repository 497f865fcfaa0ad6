/**
 * Money in the plainest words: lists of what happened, and every sum a filter over them. Written from the books
 * (facts/arbiter.md 4.4, 5.6, 6.2; decisions 3.4 to 3.6) and from nothing else; it imports nothing of the service.
 */

export interface Bought {
  readonly flow: 'handoff' | 'agent_payment';
  readonly merchant: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly pieces: ReadonlyMap<string, number>;
  /** Null in a handoff: there the buyer pays in person. */
  readonly buyer: null | {
    readonly isAway: boolean;
    readonly passport: { readonly ref: string; readonly capMinor: bigint; readonly endsMs: number };
    /** The intents named; what is paid draws on each of `drawn` as well. */
    readonly intents: readonly { readonly ref: string; readonly capMinor: bigint }[];
    readonly drawn: readonly string[];
  };
}

export interface Allow {
  readonly decidedAtMs: number;
  readonly bought: Bought | null;
  usedAtMs: number | null;
}

export interface Payment {
  readonly paymentId: string;
  readonly order: string;
  readonly provider: string;
  readonly issuedAtMs: number;
  readonly bought: Bought;
  /** Null: it never lapses. */
  endsMs: number | null;
  /** Everything that was ever said of it, in whichever order. */
  readonly said: Set<string>;
  /** Pieces set aside for it, of variants whose stock is kept. */
  readonly held: ReadonlyMap<string, number>;
  /** Its order had other money when money of this payment came. */
  isPaidTwice: boolean;
}

export interface Capture {
  readonly captureId: string;
  readonly merchant: string;
  readonly order: string;
  paymentId: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly atMs: number;
  isAway: boolean;
  /** Passport and intents that it draws on. */
  drawn: readonly string[];
}

export interface Refund {
  readonly merchant: string;
  readonly order: string;
  readonly amountMinor: bigint;
  readonly allowedAtMs: number;
  paymentId: string | null;
  state: 'reserved' | 'submitted' | 'done' | 'failed' | 'lapsed';
}

export interface Caps {
  readonly orderMinor: bigint;
  readonly dayMinor: bigint | null;
}
export interface MerchantCaps {
  readonly byCurrency: ReadonlyMap<string, Caps>;
  readonly items: number;
  readonly away: null | (Caps & { readonly currency: string; readonly items: number });
}

export const ALLOW_LIFE_MS = 600_000;
const DAY_MS = 86_400_000;
export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);

export const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, one) => total + one, 0n);

/** `openAtMs`: when it was looked whether links are over, where that is another instant than that of the decision. */
export interface Instants {
  readonly atMs: number;
  readonly openAtMs?: number;
}

/** `null` = allowed. */
export type Verdict = null | { readonly rule: string; readonly reason: string };

export class PlainMoney {
  readonly allows = new Map<string, Allow>();
  readonly payments = new Map<string, Payment>();
  readonly captures: Capture[] = [];
  readonly refunds = new Map<string, Refund>();
  readonly caps = new Map<string, MerchantCaps>();
  /** By merchant and variant; absent = the merchant keeps none here. */
  readonly onHand = new Map<string, number>();

  isCaptured(payment: Payment): boolean {
    return this.captures.some(({ paymentId }) => paymentId === payment.paymentId);
  }

  /** In words: money decides all, then a failure, then what the two sides said of it. */
  stateOf(payment: Payment): string {
    const { said } = payment;
    if (this.isCaptured(payment)) return 'paid';
    if (said.has('failed')) return 'failed';
    if (said.has('rejected') && !said.has('issued')) return 'rejected';
    if (said.has('rejected') || said.has('canceled')) return 'canceled';
    if (said.has('lapsed')) return 'lapsed';
    return said.has('issued') ? 'open' : 'issuing';
  }

  isOffered(payment: Payment): boolean {
    return ['issuing', 'open'].includes(this.stateOf(payment));
  }

  /** Whether a payment without captured money counts against a day (C2, C9; mission M18 to M20). */
  counts(payment: Payment, { atMs, openAtMs = atMs }: Instants): boolean {
    const state = this.stateOf(payment);
    if (state === 'paid' || state === 'rejected') return false;
    if (state === 'failed' && payment.provider !== 'shopify') return false;
    const isOpen =
      this.isOffered(payment) && (payment.endsMs === null || openAtMs < payment.endsMs);
    return isOpen || dayOf(payment.issuedAtMs) === dayOf(atMs);
  }

  /** What counts against the merchant's daily maximum now; of absent buyers only, for the stricter one. */
  dayMinor(merchant: string, currency: string, at: Instants & { onlyAway: boolean }): bigint {
    const { atMs, onlyAway } = at;
    const confirmed = this.captures.filter(
      (one) =>
        one.merchant === merchant &&
        one.currency === currency &&
        dayOf(one.atMs) === dayOf(atMs) &&
        (one.isAway || !onlyAway),
    );
    const unpaid = [...this.payments.values()].filter(
      (one) =>
        one.bought.merchant === merchant &&
        one.bought.currency === currency &&
        (one.bought.buyer?.isAway === true || !onlyAway) &&
        this.counts(one, at),
    );
    return (
      sum(confirmed.map(({ amountMinor }) => amountMinor)) +
      sum(unpaid.map(({ bought }) => bought.amountMinor))
    );
  }

  /** Confirmed, or its outcome not known (decisions 3.5). */
  drawnMinor(ref: string): bigint {
    const unknown = [...this.payments.values()].filter(
      (one) =>
        this.drawnBy(one.bought).includes(ref) &&
        !['paid', 'failed', 'rejected'].includes(this.stateOf(one)),
    );
    const confirmed = this.captures.filter(({ drawn }) => drawn.includes(ref));
    return (
      sum(confirmed.map(({ amountMinor }) => amountMinor)) +
      sum(unknown.map(({ bought }) => bought.amountMinor))
    );
  }

  drawnBy({ buyer }: Bought): readonly string[] {
    return buyer === null ? [] : [buyer.passport.ref, ...buyer.drawn];
  }

  /** Links that are over and still offered, refunds still reserved though their allow has ended. */
  overdue(atMs: number): readonly string[] {
    const links = [...this.payments.values()].filter(
      (one) => this.isOffered(one) && one.endsMs !== null && one.endsMs <= atMs,
    );
    const refunds = [...this.refunds].filter(
      ([, { state, allowedAtMs }]) => state === 'reserved' && atMs > allowedAtMs + ALLOW_LIFE_MS,
    );
    return [...links.map(({ paymentId }) => paymentId), ...refunds.map(([name]) => name)];
  }

  heldPieces(merchant: string, variant: string): number {
    return [...this.payments.values()]
      .filter((one) => one.bought.merchant === merchant && this.isOffered(one))
      .reduce((pieces, { held }) => pieces + (held.get(variant) ?? 0), 0);
  }

  /** Null: no stock is kept of it here. */
  freePieces(merchant: string, variant: string): number | null {
    const onHand = this.onHand.get(`${merchant} ${variant}`);
    return onHand === undefined ? null : onHand - this.heldPieces(merchant, variant);
  }

  ordersPayments(merchant: string, order: string): readonly Payment[] {
    return [...this.payments.values()].filter(
      (one) => one.bought.merchant === merchant && one.order === order,
    );
  }

  capturedMinor(where: (capture: Capture) => boolean): bigint {
    return sum(this.captures.filter(where).map(({ amountMinor }) => amountMinor));
  }

  /** Allowed, under way or done; what failed, or whose allow ended unused, was not given back. */
  refundedMinor(where: (refund: Refund) => boolean): bigint {
    const counted = [...this.refunds.values()].filter(
      (one) => where(one) && one.state !== 'failed' && one.state !== 'lapsed',
    );
    return sum(counted.map(({ amountMinor }) => amountMinor));
  }

  /** What the rules must say of a purchase at this instant. */
  verdict(bought: Bought, at: Instants): Verdict {
    const { atMs } = at;
    const { flow, buyer, merchant, amountMinor } = bought;
    const isHandoff = flow === 'handoff';
    if (buyer !== null) {
      const { ref, capMinor, endsMs } = buyer.passport;
      const rule = 'passport_amount_cap';
      if (atMs >= endsMs) return { rule, reason: 'passport_expired' };
      if (this.drawnMinor(ref) + amountMinor > capMinor)
        return { rule, reason: 'passport_amount_cap_exceeded' };
    }
    for (const [variant, pieces] of bought.pieces) {
      const free = this.freePieces(merchant, variant);
      if (free !== null && pieces > free) {
        const rule = isHandoff ? 'handoff_facts_valid' : 'facts_valid';
        return { rule, reason: 'inventory_snapshot_insufficient:inventory' };
      }
    }
    const limit = this.overLimits(bought, at);
    if (limit !== null)
      return { rule: isHandoff ? 'handoff_merchant_limits' : 'merchant_limits', reason: limit };
    const away = buyer?.isAway === true ? this.overAwayLimits(bought, at) : null;
    return away === null ? null : { rule: 'not_present_limits', reason: away };
  }

  private overLimits({ merchant, currency, amountMinor, pieces }: Bought, at: Instants) {
    const limits = this.caps.get(merchant);
    const caps = limits?.byCurrency.get(currency);
    if (limits === undefined) return 'merchant_limits_missing';
    if (caps === undefined) return 'order_currency_not_allowed';
    if (amountMinor > caps.orderMinor) return 'order_amount_cap_exceeded';
    if (itemsOf(pieces) > limits.items) return 'order_items_cap_exceeded';
    const dayMinor = this.dayMinor(merchant, currency, { ...at, onlyAway: false });
    const isFull = caps.dayMinor !== null && dayMinor + amountMinor > caps.dayMinor;
    return isFull ? 'daily_amount_cap_exceeded' : null;
  }

  private overAwayLimits(bought: Bought, at: Instants) {
    const { merchant, currency, amountMinor, buyer } = bought;
    const caps = this.caps.get(merchant)?.away ?? null;
    if (caps === null) return 'not_present_limits_missing';
    if (currency !== caps.currency) return 'not_present_currency_mismatch';
    if (amountMinor > caps.orderMinor) return 'not_present_amount_cap_exceeded';
    if (itemsOf(bought.pieces) > caps.items) return 'not_present_items_cap_exceeded';
    const dayMinor = this.dayMinor(merchant, currency, { ...at, onlyAway: true });
    if (caps.dayMinor !== null && dayMinor + amountMinor > caps.dayMinor)
      return 'not_present_daily_amount_cap_exceeded';
    const isOver = (buyer?.intents ?? []).some(
      ({ ref, capMinor }) => this.drawnMinor(ref) + amountMinor > capMinor,
    );
    return isOver ? 'intent_cap_exceeded' : null;
  }

  refundVerdict(merchant: string, order: string, amount: { minor: bigint; currency: string }) {
    const rule = 'refund_within_captured';
    const ofOrder = (one: { merchant: string; order: string }) =>
      one.merchant === merchant && one.order === order;
    if (amount.minor <= 0n) return { rule, reason: 'refund_amount_not_positive' };
    const captured = this.captures.find(ofOrder);
    if (captured !== undefined && captured.currency !== amount.currency)
      return { rule, reason: 'refund_currency_mismatch' };
    return this.refundedMinor(ofOrder) + amount.minor > this.capturedMinor(ofOrder)
      ? { rule, reason: 'refund_exceeds_captured' }
      : null;
  }
}

const itemsOf = (pieces: ReadonlyMap<string, number>): number =>
  [...pieces.values()].reduce((items, one) => items + one, 0);
