import type { InstantMs, MerchantId, Money, OrderId, TenantId } from '../../core/kernel/index.js';
import type { ConsumedAllow } from './consumed-allow.js';

/** What a rail needs beside the consumed allow, which names payment, merchant and amount. */
export interface LinkTerms {
  readonly expiresAtMs: InstantMs;
  readonly description: string | null;
  /** Where the pay page sends the buyer afterwards; null = nowhere. */
  readonly returnUrl: string | null;
}

/** A payment as its provider knows it: our payment id is the provider's merchant reference, unique for ever. */
export interface RailPayment {
  readonly tenantId: TenantId;
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
  readonly paymentId: string;
  readonly providerRef: string | null;
  readonly money: Money;
}

/**
 * What calling a provider came to. `rejected` only when the provider said definitely no (4xx except 408, 409, 429);
 * everything that is not known to be one or the other is `unknown` (decisions 8.8): it may have happened.
 */
export type IssueOutcome =
  | { readonly kind: 'issued'; readonly providerRef: string; readonly url: string }
  | { readonly kind: 'rejected'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

export type ChargeOutcome =
  | {
      readonly kind: 'captured';
      readonly providerRef: string;
      readonly captureId: string;
      readonly money: Money;
    }
  /** Taken on, not captured: never counted as paid (facts/arbiter.md C7). */
  | { readonly kind: 'accepted'; readonly providerRef: string }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'rejected'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

export type RefundOutcome =
  | { readonly kind: 'done'; readonly providerRef: string }
  /** Taken on, result later: counts as done meanwhile. */
  | { readonly kind: 'accepted'; readonly providerRef: string }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

/** What the provider says when it is asked by our reference. `absent`: it is certain that it has no such payment. */
export type LookUpOutcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly detail: string }
  | {
      readonly kind: 'found';
      readonly providerRef: string;
      readonly url: string | null;
      readonly state: 'open' | 'lapsed' | 'canceled' | 'failed' | 'paid';
      readonly captures: readonly { readonly captureId: string; readonly money: Money }[];
    };

export type RefundLookUpOutcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly detail: string }
  | {
      readonly kind: 'found';
      readonly providerRef: string;
      readonly state: 'accepted' | 'done' | 'failed';
    };

/** Longest deadline that a rail is given, in milliseconds: after it, and a margin, no call of ours is under way any more. */
export const RAIL_CALL_MS_MAX = 10_000;

/** Never throws, never waits beyond `deadline`: what goes wrong is an outcome. A port has one contract suite that every rail passes. */
export interface LinkRail {
  readonly provider: string;
  issueLink(
    consumed: ConsumedAllow,
    terms: LinkTerms,
    deadline: AbortSignal,
  ): Promise<IssueOutcome>;
  lookUp(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome>;
  /** Best effort: a canceled link may still be paid. */
  cancelLink(payment: RailPayment, deadline: AbortSignal): Promise<{ readonly canceled: boolean }>;
}

export interface ChargeRail {
  readonly provider: string;
  charge(consumed: ConsumedAllow, deadline: AbortSignal): Promise<ChargeOutcome>;
  lookUp(payment: RailPayment, deadline: AbortSignal): Promise<LookUpOutcome>;
}

export interface RefundRail {
  readonly provider: string;
  /** `payment`: the captured payment to give back from. The consumed allow's id is the provider's idempotency key. */
  refund(
    consumed: ConsumedAllow,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundOutcome>;
  lookUpRefund(
    refundId: string,
    payment: RailPayment,
    deadline: AbortSignal,
  ): Promise<RefundLookUpOutcome>;
}

/** The rails of a deployment by provider name, bound in app.module. Null = no such rail here. */
export interface Rails {
  linkRail(provider: string): LinkRail | null;
  /** Null for every provider while agent-executed payment is off: nothing is registered then (facts/arbiter.md O2). */
  chargeRail(provider: string): ChargeRail | null;
  refundRail(provider: string): RefundRail | null;
}

export const RAILS = Symbol('Rails');
