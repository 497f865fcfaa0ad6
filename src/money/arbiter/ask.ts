import type { AgentId, MerchantId, OrderId, World } from '../../core/kernel/index.js';
import type { PurchaseFlow } from '../../core/rules/index.js';
import type { AssertedAuthority, AuthorityEvidence } from '../../trust/buyer-authority/index.js';
import type { CheckedCart } from './cart.js';

/** Ids of what a payment provider reported about this payment, for rule 8; null: none is named. */
export interface RailNames {
  readonly evidenceId: string | null;
  readonly noticeRef: string | null;
}

/** A purchase to be judged, as a door read it: the cart adds up, nothing else is known to be true. */
export interface PurchaseAsk {
  readonly flow: PurchaseFlow;
  readonly world: World;
  readonly merchantId: MerchantId;
  /** Null: no agent takes part (a merchant's own system asks). */
  readonly agentId: AgentId | null;
  readonly cart: CheckedCart;
  /** Null in a handoff: there the buyer's authority is not looked at (mission M21). */
  readonly authority: {
    readonly evidence: AuthorityEvidence;
    readonly asserted: AssertedAuthority | null;
    readonly rail: RailNames;
  } | null;
  /** Ids of registered artifacts or whole signed envelopes. */
  readonly artifacts: readonly unknown[];
  /** Personal data: becomes a commitment before anything is decided (decisions 1.8). */
  readonly buyerReference: string | null;
}

/** A refund to be judged. The amount may be anything: refusing a bad one is the rule's work. */
export interface RefundAsk {
  readonly world: World;
  readonly merchantId: MerchantId;
  readonly orderId: OrderId;
  readonly amountMinor: bigint;
  readonly currency: string;
}
