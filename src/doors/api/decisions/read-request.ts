import { mayTouchMerchant, noSuchMerchant } from '../../../base/tenants/index.js';
import {
  type AgentId,
  err,
  isPrefixedId,
  ok,
  type Principal,
  type Problem,
  problem,
  type Result,
} from '../../../core/kernel/index.js';
import { isAp2Text } from '../../../core/proofs/index.js';
import {
  checkCart,
  type CheckedCart,
  type PurchaseAsk,
  type RefundAsk,
} from '../../../money/arbiter/index.js';
import type { AssertedAuthority, AuthorityEvidence } from '../../../trust/buyer-authority/index.js';
import type { DecisionRequestBody } from './request.schema.js';

type PurchaseBody = Exclude<DecisionRequestBody, { flow: 'refund' }>;
type RefundBody = Extract<DecisionRequestBody, { flow: 'refund' }>;

export type Ask =
  | { readonly flow: 'purchase'; readonly purchase: PurchaseAsk }
  | { readonly flow: 'refund'; readonly refund: RefundAsk };

/**
 * From the wire to what the arbiter is asked. Problems, in order: forbidden (an agent asks for a refund, for another
 * agent, or takes a discount), not_found `/merchant_id` (outside the key's binding), validation_failed (the cart does
 * not add up).
 */
export function readAsk(body: DecisionRequestBody, principal: Principal): Result<Ask, Problem> {
  const forbidden = agentFault(body, principal);
  if (forbidden !== null) return err(forbidden);
  if (!mayTouchMerchant(principal, body.merchant_id))
    return err(noSuchMerchant(body.merchant_id, '/merchant_id'));
  if (body.flow === 'refund') return ok({ flow: 'refund', refund: refundOf(body, principal) });
  const purchase = purchaseOf(body, principal);
  return purchase.ok ? ok({ flow: 'purchase', purchase: purchase.value }) : purchase;
}

/** Agents decide for themselves only, and never about money that goes back. */
function agentFault(body: DecisionRequestBody, principal: Principal): Problem | null {
  if (principal.role !== 'agent') return null;
  if (body.flow === 'refund')
    return problem('forbidden', 'A refund is asked for by the merchant, not by an agent.', {
      fix: 'Let the merchant system ask.',
      field: '/flow',
    });
  if (body.agent_id !== undefined && body.agent_id !== principal.agentId)
    return problem('forbidden', 'An agent asks for itself only.', {
      fix: 'Leave agent_id out: it follows from the API key.',
      field: '/agent_id',
    });
  return discountFault(body);
}

/**
 * A discount lowers the total, and no signed fact says what a merchant grants: an agent's word would buy anything for
 * one minor unit. Tax and shipping only raise what the buyer pays, so they may be anybody's word.
 */
function discountFault({ cart: { discount } }: PurchaseBody): Problem | null {
  if (discount === undefined || discount.amountMinor === 0n) return null;
  return problem(
    'forbidden',
    'An agent takes no discount: no signed fact says that it is granted.',
    {
      fix:
        'Leave the discount out and pay the signed prices, or let the merchant system ask: a discount is the merchant’s word. ' +
        'A lower price for everybody is a signed price artifact.',
      field: '/cart/discount',
    },
  );
}

function purchaseOf(body: PurchaseBody, principal: Principal): Result<PurchaseAsk, Problem> {
  const agentId = agentOf(body, principal);
  if (!agentId.ok) return agentId;
  const cart = readCart(body.cart);
  if (!cart.ok) return cart;
  return ok({
    flow: body.flow,
    world: principal.world,
    merchantId: body.merchant_id,
    agentId: agentId.value,
    cart: cart.value,
    authority: body.flow === 'agent_payment' ? authorityOf(body) : null,
    artifacts: body.artifacts ?? [],
    buyerReference: body.buyer_reference ?? null,
  });
}

/** Problems: those of checkCart. */
export const readCart = (cart: PurchaseBody['cart']): Result<CheckedCart, Problem> =>
  checkCart({
    currency: cart.currency,
    lines: cart.lines.map((line) => ({
      productId: line.product_id,
      variantId: line.variant_id,
      quantity: line.quantity,
      unitPrice: line.unit_price,
    })),
    discount: cart.discount ?? null,
    tax: cart.tax ?? null,
    shipping: cart.shipping ?? null,
    total: cart.total,
    fulfilmentChoice: cart.fulfilment_choice ?? null,
  });

function agentOf(body: PurchaseBody, principal: Principal): Result<AgentId | null, Problem> {
  if (principal.role === 'agent') return ok(principal.agentId);
  if (body.agent_id === undefined) return ok(null);
  return isPrefixedId('agt', body.agent_id)
    ? ok(body.agent_id)
    : err(
        problem('validation_failed', 'An agent id begins with agt_.', {
          fix: 'Name an agent that GET /v1/agents lists.',
          field: '/agent_id',
        }),
      );
}

type AgentPaymentBody = Extract<PurchaseBody, { flow: 'agent_payment' }>;

/** References are evidence to be looked up; everything else is the caller's claim and stays one (facts/arbiter.md F3). */
function authorityOf({
  buyer_authority: body = {},
  afa_evidence: evidenceId,
  pre_debit_notice: noticeRef,
}: AgentPaymentBody): NonNullable<PurchaseAsk['authority']> {
  const asserted: AssertedAuthority = {
    mandateRef: null,
    mandateExpiresAtMs: body.mandate_expires_at ?? null,
    consentRef: null,
    consentState: body.consent_state ?? null,
    consentExpiresAtMs: body.consent_expires_at ?? null,
    passportRef: null,
    passportMaxAmountMinor: body.passport_max_amount_minor_units ?? null,
    passportCurrency: body.passport_currency ?? null,
    passportExpiresAtMs: body.passport_expires_at ?? null,
  };
  return {
    evidence: {
      ...mandatesOf(body.mandate_refs ?? []),
      consent: body.consent_ref ?? null,
      passport: body.passport_ref ?? null,
    },
    rail: { evidenceId: evidenceId ?? null, noticeRef: noticeRef ?? null },
    asserted: Object.values(asserted).every((claim) => claim === null) ? null : asserted,
  };
}

type MandateRef = NonNullable<
  NonNullable<AgentPaymentBody['buyer_authority']>['mandate_refs']
>[number];

/** Ids and native tokens apart from objects of AP2: those are recognised by their form, with or without a registration. */
function mandatesOf(refs: readonly MandateRef[]): Pick<AuthorityEvidence, 'mandates' | 'foreign'> {
  const named = refs.map((ref) => (typeof ref === 'string' ? { object: ref } : ref));
  return {
    mandates: refs.filter((ref): ref is string => typeof ref === 'string' && !isAp2Text(ref)),
    foreign: named.flatMap(({ object, registration = null }) =>
      registration !== null || isAp2Text(object) ? [{ object, registration }] : [],
    ),
  };
}

const refundOf = (body: RefundBody, { world }: Principal): RefundAsk => ({
  world,
  merchantId: body.merchant_id,
  orderId: body.order_id,
  amountMinor: body.amount.amountMinor,
  currency: body.amount.currency,
});
