import type { InstantMs, Money } from '../kernel/index.js';
import { ANY_MERCHANT } from '../rules/index.js';
import { fault, type ProofFault } from './fault.js';
import { MANDATE_KINDS, type MandateKind } from './token-claims.js';

/** Levels of a mandate tree: a root has depth 1 (facts/arbiter.md B5). */
export const MANDATE_DEPTH_MAX = 64;

/** What of a mandate its children are measured by. `buyer` is the same text for the same buyer. */
export interface MandateTerms {
  readonly kind: MandateKind;
  readonly buyer: string;
  readonly agentId: string;
  readonly merchantIds: readonly string[];
  readonly cartHash: string | null;
  readonly cap: Money;
  readonly notBeforeAtMs: InstantMs;
  readonly expiresAtMs: InstantMs;
}

/**
 * Whether a child stays within its parent (facts/arbiter.md B8), or the first way in which it does not, as a
 * `lineage` fault: kind (intent, then cart, then payment, never back), buyer, agent, merchants, cart, currency, cap,
 * start, end. Equal is within.
 */
export function lineageFault(child: MandateTerms, parent: MandateTerms): ProofFault | null {
  const beyond = (member: string, detail: string) => fault('lineage', member, detail);
  if (MANDATE_KINDS.indexOf(child.kind) < MANDATE_KINDS.indexOf(parent.kind))
    return beyond('kind', `no ${child.kind} mandate stands below a ${parent.kind} mandate`);
  if (child.buyer !== parent.buyer) return beyond('sub', 'the parent is of another buyer');
  if (child.agentId !== parent.agentId)
    return beyond('agent_id', 'the parent is for another agent');
  if (!merchantsWithin(child.merchantIds, parent.merchantIds))
    return beyond('merchant_ids', 'the parent does not name all these merchants');
  if (parent.cartHash !== null && child.cartHash !== parent.cartHash)
    return beyond('cart_hash', 'the parent names another cart');
  if (child.cap.currency !== parent.cap.currency)
    return beyond('cap.currency', `the parent is in ${parent.cap.currency}`);
  if (child.cap.amountMinor > parent.cap.amountMinor)
    return beyond('cap.amount', `the parent allows at most ${parent.cap.amountMinor}`);
  if (child.notBeforeAtMs < parent.notBeforeAtMs) return beyond('nbf', 'the parent begins later');
  if (child.expiresAtMs > parent.expiresAtMs) return beyond('exp', 'the parent ends earlier');
  return null;
}

const merchantsWithin = (child: readonly string[], parent: readonly string[]): boolean =>
  parent.includes(ANY_MERCHANT) || child.every((merchantId) => parent.includes(merchantId));
